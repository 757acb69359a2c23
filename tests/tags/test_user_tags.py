"""Tags from environment variables, their priorities and entities."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import EventError
from openlineage_facets.tags import Tag, UserTags, user_tags, with_user_tags
from openlineage_facets.tags.values import TagValue
from tests.cases import each

from .tag_strategies import tags


def user(key: str, value: Any) -> Tag:
    return Tag(key, value, source="USER")


@each(
    ("environ", "job", "run"),
    [
        ({"OPENLINEAGE_TAG_ENVIRONMENT": "prod"}, {"environment": "prod"}, {"environment": "prod"}),
        ({"OPENLINEAGE_TAG__ENVIRONMENT": "prod"}, {"environment": "prod"}, {"environment": "prod"}),
        ({"OPENLINEAGE_TAG_Cost.Center": "7"}, {"cost.center": "7"}, {"cost.center": "7"}),
        ({"OPENLINEAGE_TAG_META__TEAM": "a=b"}, {"meta__team": "a=b"}, {"meta__team": "a=b"}),
        ({"OPENLINEAGE_TAG_PII": ""}, {"pii": ""}, {"pii": ""}),
        ({"OPENLINEAGE_TAG_PII": "true"}, {"pii": "true"}, {"pii": "true"}),
        ({"OPENLINEAGE_TAG_QUOTED": '"q"'}, {"quoted": '"q"'}, {"quoted": '"q"'}),
        ({"OPENLINEAGE__TAGS__JOB__ENVIRONMENT": "PROD"}, {"environment": "PROD"}, {}),
        ({"OPENLINEAGE__TAGS__RUN__adhoc": "true"}, {}, {"adhoc": "true"}),
        ({"OPENLINEAGE__tags__run__adhoc": "true"}, {}, {"adhoc": "true"}),
        ({"OPENLINEAGE__TAGS__JOB__LIMIT": "20"}, {"limit": "20"}, {}),
        ({"OPENLINEAGE__TAGS__JOB__ZIP": '"00501"'}, {"zip": "00501"}, {}),
        ({"OPENLINEAGE__TAGS__JOB__OPEN": '"half'}, {"open": '"half'}, {}),
        ({"OPENLINEAGE__TAGS__JOB__TEAM__NAME": "a"}, {"team_name": "a"}, {}),
        ({"OPENLINEAGE__TAGS__RUN": '{"A": "b", "n": 20, "on": true}'}, {}, {"a": "b", "n": 20, "on": True}),
        ({"OPENLINEAGE__TAGS": '{"Job": {"Env": "x"}, "run": {"a": {"B": 1}}}'}, {"env": "x"}, {"a_b": 1}),
        ({"OPENLINEAGE__TAGS": '{"job": null, "run": {"gone": null}}'}, {}, {}),
        ({"OPENLINEAGE_TAGS": "x", "OPENLINEAGE_URL": "x", "OPENLINEAGE__TRANSPORT__TYPE": "http"}, {}, {}),
        ({"openlineage_tag_x": "x", "TAG_X": "x", "MY_OPENLINEAGE_TAG_X": "x"}, {}, {}),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else None,
)
def test_variable_tags_job_and_run(environ: dict[str, str], job: dict[str, Any], run: dict[str, Any]) -> None:
    found = user_tags(environ)
    assert list(found.job) == [user(key, value) for key, value in job.items()]
    assert list(found.run) == [user(key, value) for key, value in run.items()]


# From the weakest to the strongest: each wins over all that stand before it.
FORMS = [
    ("OPENLINEAGE_TAG_env", "1"),
    ("OPENLINEAGE_TAG_ENV", "2"),
    ("OPENLINEAGE_TAG__env", "3"),
    ("OPENLINEAGE_TAG__ENV", "4"),
    ("OPENLINEAGE__TAGS__JOB__env", "5"),
    ("OPENLINEAGE__TAGS__JOB__ENV", "6"),
    ("OPENLINEAGE__tags__job", '{"env": "7"}'),
    ("OPENLINEAGE__TAGS__JOB", '{"env": "8"}'),
    ("OPENLINEAGE__tags", '{"job": {"env": "9"}}'),
    ("OPENLINEAGE__TAGS", '{"job": {"ENV": "10"}}'),
]


@given(st.sets(st.integers(0, len(FORMS) - 1), min_size=1), st.randoms())
def test_form_with_highest_priority_wins_in_any_order(chosen: set[int], random: Any) -> None:
    variables = [FORMS[place] for place in sorted(chosen)]
    random.shuffle(variables)
    assert user_tags(dict(variables)).job == (user("env", str(max(chosen) + 1)),)


def test_higher_priority_form_does_not_hide_other_keys() -> None:
    environ = {
        "OPENLINEAGE__TAGS": '{"job": {"a": "1"}}',
        "OPENLINEAGE__TAGS__JOB__B": "2",
        "OPENLINEAGE_TAG_C": "3",
    }
    assert {(tag.key, tag.value) for tag in user_tags(environ).job} == {("a", "1"), ("b", "2"), ("c", "3")}


def test_overridden_value_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "openlineage_facets.tags"):
        user_tags({"OPENLINEAGE_TAG_LOGGED": "weak", "OPENLINEAGE__TAGS__JOB__LOGGED": "strong"})
    (record,) = caplog.records
    assert "OPENLINEAGE__TAGS__JOB__LOGGED" in record.getMessage()
    assert "'weak'" in record.getMessage()


@each(
    ("name", "text"),
    [
        ("OPENLINEAGE_TAG_", "x"),
        ("OPENLINEAGE_TAG__", "x"),
        ("OPENLINEAGE_TAG_ ", "x"),
        ("OPENLINEAGE_TAG_BAD_BYTES", "\udcff"),
        ("OPENLINEAGE__TAGS__JOB__", "x"),
        ("OPENLINEAGE__TAGS__DATASET__PII", "x"),
        ("OPENLINEAGE__TAGS__DATASET", "{}"),
        ("OPENLINEAGE__TAGS", '{"dataset": {"pii": true}}'),
        ("OPENLINEAGE__TAGS", ""),
        ("OPENLINEAGE__TAGS", "{"),
        ("OPENLINEAGE__TAGS", "[1]"),
        ("OPENLINEAGE__TAGS", '{"job": "x"}'),
        ("OPENLINEAGE__TAGS__RUN", '{"x": NaN}'),
        ("OPENLINEAGE__TAGS__RUN", '{"": 1}'),
        ("OPENLINEAGE__TAGS__RUN", '{"a":' * 100_000),
        ("OPENLINEAGE__TAGS__RUN", '{"a":' * 500 + "1" + "}" * 500),
        ("OPENLINEAGE__TAGS__RUN", '{"a":' + "9" * 5000 + "}"),
    ],
    ids=lambda text: text[:40],
)
def test_invalid_variable_is_logged_and_other_tags_are_kept(
    name: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    good = {"OPENLINEAGE_TAG_GOOD": f"with {name}"}
    assert user_tags({name: text, **good}) == user_tags(good)
    (message,) = caplog.messages
    assert repr(name) in message


@each(
    ("wrong", "kept", "problem"),
    [
        ({"when": [""]}, {}, "/job/when/0: "),
        ({"": 1}, {}, "/job: "),
        ({"deep": {"good": 1, "bad": ["=1"], "worse": {" ": 1}}}, {"deep_good": 1}, "/job/deep/bad/0: "),
        ({"list": ["pii", "", "x=y"]}, {"list_pii": True, "list_x": "y"}, "/job/list/1: "),
        ({"list": [{"bad": float("nan"), "good": 1}]}, {"list_0_good": 1}, "/job/list/0/bad: "),
    ],
    ids=str,
)
def test_invalid_value_is_skipped_and_others_are_kept(
    wrong: dict[str, Any], kept: dict[str, Any], problem: str, caplog: pytest.LogCaptureFixture
) -> None:
    right = {"team": "a", "x": {"y": 1}}
    found = user_tags({"OPENLINEAGE__TAGS": json.dumps({"job": {**wrong, **right}, "run": right})})
    assert {tag.key: tag.value for tag in found.run} == {"team": "a", "x_y": 1}
    assert {tag.key: tag.value for tag in found.job} == {**kept, "team": "a", "x_y": 1}
    (message,) = caplog.messages
    assert message.startswith("'OPENLINEAGE__TAGS': partly skipped")
    assert problem in message


@each(
    ("invalid", "problem"),
    [
        ('"job": "x"', "/job: expected a JSON object of keys and values"),
        ('"dataset": {"pii": true}', "'dataset' has no user tags; expected job or run"),
    ],
)
def test_an_entity_without_tags_is_skipped(
    invalid: str, problem: str, caplog: pytest.LogCaptureFixture
) -> None:
    found = user_tags({"OPENLINEAGE__TAGS": f'{{{invalid}, "run": {{"team": "b"}}}}'})
    assert found == UserTags(run=(user("team", "b"),))
    assert problem in caplog.text


def test_environment_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        user_tags({"OPENLINEAGE__TAGS__ONCE__KEY": "x"})
    assert len(caplog.records) == 1


def test_process_environment_is_read_on_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_STAGE", "one")
    assert user("stage", "one") in user_tags().run
    monkeypatch.setenv("OPENLINEAGE_TAG_STAGE", "two")
    assert user("stage", "two") in user_tags().run
    assert user("stage", "two") in with_user_tags("run", [])


USER = UserTags(job=(user("team", "dataos"),), run=(user("adhoc", "true"),))


def test_user_tags_follow_integration_tags_of_jobs_and_runs() -> None:
    assert with_user_tags("job", [Tag("pii")], USER) == [Tag("pii"), user("team", "dataos")]
    assert with_user_tags("run", [Tag("pii")], USER) == [Tag("pii"), user("adhoc", "true")]
    tagged = [Tag("Team", "core", "DBT", "email")]
    assert with_user_tags("dataset", tagged, USER) == tagged


@each("key", ["team", "Team", "TEAM"])
def test_user_tag_overrides_key_in_any_case_and_from_any_source(
    key: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "openlineage_facets.tags")
    candidates = [Tag(key, "a", "DBT"), Tag("pii"), Tag(key, "b", "AIRFLOW"), Tag(key, "c")]
    assert with_user_tags("job", candidates, USER) == [Tag("pii"), user("team", "dataos")]
    assert len(caplog.records) == 3
    assert with_user_tags("job", USER.job, USER) == list(USER.job)
    assert len(caplog.records) == 3, "an equal tag is not overridden"


@each(
    ("known", "value", "merged"),
    [
        ("1", True, True),
        (1, True, True),
        (True, 1, 1),
        (True, "True", "True"),
        (1, "1", "1"),
        ("1", 1, "1"),
        ("1.10", 1.1, "1.10"),
        ("a", "b", "b"),
    ],
)
def test_a_value_replaces_another_one_except_a_text_with_the_same_meaning(
    known: TagValue, value: TagValue, merged: TagValue
) -> None:
    (tag,) = UserTags((Tag("a", known),)).overridden_by(UserTags((Tag("a", value),))).job
    assert (type(tag.value), tag.value) == (type(merged), merged)


def test_merged_tags_are_checked() -> None:
    with pytest.raises(EventError, match="/tags/0/field"):
        with_user_tags("run", [Tag("pii", field="email")], USER)


@given(
    st.lists(tags(on_dataset=False)), st.dictionaries(st.sampled_from(["team", "pii", "é"]), st.text("ab"))
)
def test_each_user_key_occurs_once_after_merging(integration: list[Tag], variables: dict[str, str]) -> None:
    found = user_tags({f"OPENLINEAGE_TAG_{key.upper()}": text for key, text in variables.items()})
    merged = with_user_tags("job", integration, found)
    for key, text in variables.items():
        assert [tag for tag in merged if tag.key.lower() == key] == [user(key, text)]
    others = {(tag.key, tag.source) for tag in integration if tag.key.lower() not in variables}
    assert {(tag.key, tag.source) for tag in merged if tag.key.lower() not in variables} == others

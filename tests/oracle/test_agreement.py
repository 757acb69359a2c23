"""The models accept exactly what the JSON Schemas accept, without loss."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from openlineage_facets.generated.registry import FACETS as GENERATED
from tests.cases import each
from tests.hypothesis_profiles import share
from tests.oracle.expected_results import oracle_result, valid_by_core_schema
from tests.oracle.mutations import mutated
from tests.oracle.schemas import FACETS, PROPOSALS, RELEASED
from tests.oracle.subjects import (
    CLASSES_ALONE,
    FACETS_IN_PLACE,
    SUBJECTS,
    WHOLE_EVENTS,
    Subject,
    smallest,
    tried,
)

DOCUMENTS = {
    **dict.fromkeys(WHOLE_EVENTS, share(5)),
    **dict.fromkeys(FACETS_IN_PLACE, share(1)),
    **dict.fromkeys(CLASSES_ALONE, share(1)),
}
"""How many documents of each subject are validated."""


def agree(subject: Subject, random: Random) -> bool:
    """Validate one document of a subject, and return whether it was valid."""
    trial = tried(subject, random)
    if trial.disagreement is not None:
        pytest.fail(f"{subject.name}\n{smallest(subject, trial.disagreement)}", pytrace=False)
    return trial.valid


@each("subject", DOCUMENTS, ids=[subject.name for subject in DOCUMENTS])
def test_models_and_jsonschema_agree_about(subject: Subject):
    verdicts = Counter[bool]()
    # More documents if all of the first ones are valid, or none.
    while verdicts.total() < DOCUMENTS[subject] or (len(verdicts) < 2 and verdicts.total() < 200):
        verdicts[agree(subject, Random(f"{subject.name} {verdicts.total()}"))] += 1
    assert len(verdicts) == 2


@each("subject", SUBJECTS, ids=[subject.name for subject in SUBJECTS])
def test_documents_generated_from_the_schemas_are_valid(subject: Subject):
    for number in range(share(0.1)):
        valid, disagreement = subject.check(subject.make(Random(number)))
        assert disagreement is None
        assert valid


def test_every_kind_of_event_is_validated_as_by_the_core_schema():
    for number in range(share(3)):
        random = Random(number)
        document = mutated(random, random.choice(WHOLE_EVENTS).make(random))
        assert valid_by_core_schema(document) == (oracle_result(document).kind is not None)


def test_every_facet_has_the_location_that_the_generator_found():
    found = {
        *((f"{base}s", key, facet.url, None) for (base, key), facet in RELEASED.items()),
        *((f"{base}s", key, facet.url, facet.file) for (base, key), facet in PROPOSALS.items()),
    }
    assert found == {(one.container, one.key, one.schema_url, one.proposal) for one in GENERATED}
    assert len(GENERATED) == len(FACETS)

"""Column lineage in the output of `openlineage-facets show`."""

from __future__ import annotations

from typing import Any

from openlineage_facets.cli.formats.views import DatasetNumbers, lineage_lines

FLIGHTS = {"namespace": "file", "name": "/data/a long folder for all the flights of a year/flights.csv"}
WEATHER = {"namespace": "file", "name": "/data/weather.csv"}


def source(dataset: dict[str, str], field: str, *subtypes: str, **more: Any) -> dict[str, Any]:
    transformations = [{"type": "DIRECT", "subtype": subtype, **more} for subtype in subtypes]
    return {**dataset, "field": field, "transformations": transformations}


def shown(
    facet: Any, *, inputs: tuple[dict[str, str], ...] = (), width: int = 80, full: bool = False
) -> list[str]:
    return list(lineage_lines(facet, DatasetNumbers(inputs), width=width, full=full))


def test_inputs_are_shown_by_number() -> None:
    facet = {"fields": {"delay": {"inputFields": [source(FLIGHTS, "dep_delay", "AGGREGATION")]}}}
    assert shown(facet, inputs=(FLIGHTS,)) == ["  delay <- [1].dep_delay (AGGREGATION)"]


def test_source_datasets_that_are_no_inputs_are_listed_first() -> None:
    facet = {"fields": {"wind": {"inputFields": [source(WEATHER, "wind", "IDENTITY")]}}}
    assert shown(facet, inputs=(FLIGHTS,)) == [
        "  [2] file  /data/weather.csv",
        "  wind <- [2].wind (IDENTITY)",
    ]


def test_dependencies_of_all_columns_are_grouped_by_kind() -> None:
    whole = [
        source(FLIGHTS, "origin", "JOIN"),
        source(WEATHER, "origin", "JOIN"),
        source(FLIGHTS, "year", "FILTER"),
    ]
    assert shown({"fields": {}, "dataset": whole}, inputs=(FLIGHTS, WEATHER)) == [
        "  (all columns) JOIN: [1].origin, [2].origin",
        "  (all columns) FILTER: [1].year",
    ]


def test_lines_are_wrapped_between_sources() -> None:
    sources = [source(FLIGHTS, f"column_{number}", "TRANSFORMATION") for number in range(5)]
    lines = shown({"fields": {"total": {"inputFields": sources}}}, inputs=(FLIGHTS,))
    assert len(lines) == 3
    assert all(len(line) <= 80 for line in lines)
    assert " ".join(" ".join(lines).split()) == "total <- " + ", ".join(
        f"[1].column_{number} (TRANSFORMATION)" for number in range(5)
    )


def test_long_column_names_lose_their_start_unless_shown_in_full() -> None:
    name = "customer.address." + "x" * 50 + ".street"
    facet = {"fields": {name: {"inputFields": [source(FLIGHTS, name, "IDENTITY")]}}}
    line = shown(facet, inputs=(FLIGHTS,))[0]
    assert line.startswith("  ...xxx")
    assert line.endswith("x.street (IDENTITY)")
    assert name in shown(facet, inputs=(FLIGHTS,), full=True)[0]


def test_masking_several_transformations_and_descriptions_are_shown() -> None:
    several = source(FLIGHTS, "id", "AGGREGATION", "TRANSFORMATION", masking=True, description="count of ids")
    facet = {
        "fields": {
            "n": {"inputFields": [several], "transformationDescription": "as is", "transformationType": "X"}
        }
    }
    assert shown(facet, inputs=(FLIGHTS,)) == [
        "  n <- [1].id (AGGREGATION masked; TRANSFORMATION masked) -- X as is"
    ]
    assert "AGGREGATION masked: count of ids" in shown(facet, inputs=(FLIGHTS,), full=True, width=200)[0]


def test_columns_without_sources_and_invalid_sources_are_shown() -> None:
    facet = {"fields": {"now": {"inputFields": []}, "bad": {"inputFields": [3, {"field": 7}]}, "worse": None}}
    assert shown(facet) == [
        "  [1] (no name)",
        "  now <- (no source)",
        "  bad <- 3, [1].7",
        "  worse <- (no source)",
    ]
    assert shown({"fields": [1], "dataset": 3}) == []


def test_control_characters_are_escaped() -> None:
    facet = {
        "fields": {"a\x1b[31m": {"inputFields": [source({"namespace": "n\n", "name": "m"}, "f\u202e", "I")]}}
    }
    text = "\n".join(shown(facet))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert len(text.splitlines()) == 2


def test_a_column_that_is_computed_from_a_whole_dataset_has_no_column_as_source() -> None:
    whole = {**WEATHER, "transformations": [{"type": "INDIRECT", "subtype": "FILTER"}]}
    assert shown({"fields": {"wind": {"inputFields": [whole]}}}, inputs=(WEATHER,)) == [
        "  wind <- [1] (FILTER)"
    ]

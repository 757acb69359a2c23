from __future__ import annotations

from typing import TYPE_CHECKING

import acme_facets
import beta_facets


class RunBuilder(acme_facets.RunBuilder, beta_facets.RunBuilder): ...


class JobBuilder(acme_facets.JobBuilder, beta_facets.JobBuilder): ...


class InputBuilder(acme_facets.InputBuilder, beta_facets.InputBuilder): ...


class OutputBuilder(acme_facets.OutputBuilder, beta_facets.OutputBuilder): ...


class Builder(acme_facets.RunEventBuilder, beta_facets.RunEventBuilder):
    if TYPE_CHECKING:

        @property
        def run(self) -> RunBuilder: ...

        @property
        def job(self) -> JobBuilder: ...

        def input(self, namespace: str, name: str) -> InputBuilder: ...

        def output(self, namespace: str, name: str) -> OutputBuilder: ...


build = Builder("etl", "orders.daily")
build.run.acme_cost(usd=1.5).beta_owner(team="etl")
build.input("s3://lake", "orders").acme_score(score=0.5).beta_age(hours=2)
build.output("s3://lake", "daily").beta_checks(passed=3)

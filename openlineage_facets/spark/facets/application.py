"""Facets of the Spark application and its environment variables.

Keys and fields are those of the Spark listener of OpenLineage.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from openlineage_facets.base.redaction.redact import redact, redact_option
from openlineage_facets.facets import (
    EnvironmentVariablesRunFacet,
    RunFacet,
    SparkApplicationDetailsRunFacet,
    SparkPropertiesRunFacet,
    environment_variables_run,
)
from openlineage_facets.spark.jvm.objects import hadoop_configuration
from openlineage_facets.spark.jvm.session import has_jvm, is_stopped, session_setting

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CAPTURED_PROPERTIES = "spark.openlineage.capturedProperties"
_SCHEMA_URL = RunFacet.__schema_url__
"""What the listener writes: no schema of these facets has been published."""

_DEFAULT_PROPERTIES = ("spark.master", "spark.app.name")
_YARN_PROXY = "spark.org.apache.hadoop.yarn.server.webproxy.amfilter.AmIpFilter.param.PROXY_URI_BASES"


def application_details_facet(spark: SparkSession) -> SparkApplicationDetailsRunFacet | None:
    """Return the facet of an application; None for Spark Connect, whose server has many users, or if stopped.

    Args:
        spark: The session.
    """
    if not has_jvm(spark) or is_stopped(spark):
        return None
    context = spark.sparkContext
    fields = {
        "master": context.master,
        "app_name": context.appName,
        "application_id": context.applicationId,
        "deploy_mode": session_setting(spark, "spark.submit.deployMode") or "client",
        "driver_host": session_setting(spark, "spark.driver.host"),
        "user_name": context.sparkUser(),
        "ui_web_url": context.uiWebUrl,
        "proxy_url": _proxy_url(spark, context.applicationId),
        "history_url": _history_url(spark, context.applicationId),
    }
    known = {name: redact(value) for name, value in fields.items() if value is not None}
    return SparkApplicationDetailsRunFacet(**known, schema_url=_SCHEMA_URL)


def spark_properties_facet(spark: SparkSession) -> SparkPropertiesRunFacet | None:
    """Return the facet with the settings that `spark.openlineage.capturedProperties` lists.

    Args:
        spark: The session.

    Returns:
        None if none of them is set.
    """
    listed = session_setting(spark, _CAPTURED_PROPERTIES)
    names = _DEFAULT_PROPERTIES if listed is None else tuple(name.strip() for name in listed.split(","))
    values = {name: session_setting(spark, name) for name in dict.fromkeys(names) if name}
    properties = {name: redact_option(name, value) for name, value in values.items() if value is not None}
    return SparkPropertiesRunFacet(properties=properties, schema_url=_SCHEMA_URL) if properties else None


def _proxy_url(spark: SparkSession, application_id: str) -> str | None:
    yarn = session_setting(spark, _YARN_PROXY)
    if yarn is not None:
        return yarn
    proxy = session_setting(spark, "spark.ui.reverseProxyUrl")
    if proxy is None or session_setting(spark, "spark.ui.reverseProxy") != "true":
        return None
    return f"{proxy.rstrip('/')}/proxy/{quote(application_id, safe='')}"


def _history_url(spark: SparkSession, application_id: str) -> str | None:
    server = session_setting(spark, "spark.yarn.historyServer.address")
    if server is None:
        return None
    if not server.startswith("http"):
        policy = hadoop_configuration(spark).get("yarn.http.policy") or "HTTP_ONLY"
        server = f"{policy.removesuffix('_ONLY').lower()}://{server}"
    return f"{server.rstrip('/')}/history/{quote(application_id, safe='')}"


def environment_facet(
    allowed: Iterable[str], environ: Mapping[str, str] | None = None
) -> EnvironmentVariablesRunFacet | None:
    """Return the allowed variables that are set, with secrets redacted; None if there are none.

    Args:
        allowed: Names of the variables to report; no other variable is read.
        environ: The environment; `os.environ` by default.
    """
    variables = os.environ if environ is None else environ
    reported = [
        environment_variables_run.EnvironmentVariable(name=name, value=redact_option(name, variables[name]))
        for name in dict.fromkeys(allowed)
        if name in variables
    ]
    return EnvironmentVariablesRunFacet(environment_variables=reported) if reported else None

"""Entry point of `python -m openlineage_facets.spark job.py`."""

import sys
from importlib.util import find_spec

if __name__ == "__main__":
    # The folder of this file, or the current one after -m, is not on the path of the job.
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]

    if find_spec("pyspark") is None:
        from openlineage_facets.version import install_command

        message = f"PySpark is not installed: {install_command('spark')}"
        print(f"openlineage-facets spark-run: {message}", file=sys.stderr)
        sys.exit(2)

    from openlineage_facets.spark.launch.command import main

    main()

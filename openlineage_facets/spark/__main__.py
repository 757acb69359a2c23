"""Entry point of `python -m openlineage_facets.spark job.py`."""

import sys

if __name__ == "__main__":
    # The folder of this file, or the current one after -m, is not on the path of the job.
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]

    from openlineage_facets.spark.launch.command import main

    main()

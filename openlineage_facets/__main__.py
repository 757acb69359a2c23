"""Entry point of `python -m openlineage_facets`."""

from openlineage_facets.cli import main

if __name__ == "__main__":
    main()

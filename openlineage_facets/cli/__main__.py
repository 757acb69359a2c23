"""Entry point of `python -m openlineage_facets.cli`."""

from openlineage_facets.cli import main

if __name__ == "__main__":
    main()

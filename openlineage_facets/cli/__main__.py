"""`python -m openlineage_facets.cli`, where the command is not on the path."""

from openlineage_facets.cli import main

if __name__ == "__main__":
    main()

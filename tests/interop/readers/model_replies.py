"""Reply with what a pydantic model reads."""

from __future__ import annotations

import json
import sys

from pydantic import BaseModel, ValidationError


def reply_with_model(model: type[BaseModel]) -> None:
    """Print what a model reads of each line of standard input."""
    for line in sys.stdin:
        try:
            read = model.model_validate_json(line)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = "/".join(map(str, first["loc"]))
            print(json.dumps({"refusal": f"{place}: {first['msg']}"}))
        else:
            print(json.dumps({"event": read.model_dump(mode="json", by_alias=True, exclude_unset=True)}))

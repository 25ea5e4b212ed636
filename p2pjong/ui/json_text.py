"""JSON for whoever reads it, a terminal too: nothing in it that a terminal would act on."""

import json
from collections.abc import Callable
from typing import Any


def json_text(value: Any, default: Callable[[Any], Any] | None = None) -> str:
    """One line of printable ASCII, DEL escaped, too; `default` is that of `json.dumps`."""
    return json.dumps(value, ensure_ascii=True, default=default)

"""The SHA-256 of every model file, kept beside them: what was measured is what runs, and a damaged file is found.

``python -m models.checksums`` writes the list anew, which ``make train`` does after it has written the models.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).parent
LIST = "checksums.json"


def compute_digest(path: Path) -> str:
    """Return a file's SHA-256 as hex digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write(folder: Path = FOLDER) -> None:
    """List the models as they are now."""
    sums = {path.name: compute_digest(path) for path in sorted(folder.glob("*.onnx"))}
    (folder / LIST).write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")


def list_altered(folder: Path = FOLDER) -> list[str]:
    """List the model files that are missing or not what the list says; empty where all is well.

    Raises:
        OSError: the list, or a model, can't be read.
        ValueError: the list is no JSON.
    """
    sums: dict[str, str] = json.loads((folder / LIST).read_text(encoding="utf-8"))
    return [
        name
        for name, wanted in sums.items()
        if not (folder / name).is_file() or compute_digest(folder / name) != wanted
    ]


if __name__ == "__main__":
    write()

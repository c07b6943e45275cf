"""The one exception family of this room: faults that a person can be told in one sentence."""


class UiError(Exception):
    """Something the display needs is missing or wrong; ``en`` and ``ja`` are one clear sentence each."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en, self.ja = en, ja

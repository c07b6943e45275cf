"""The one exception family of this room: faults that a person can be told in one sentence."""


class UiError(Exception):
    """Something the display needs is missing or wrong; the text is one clear sentence."""

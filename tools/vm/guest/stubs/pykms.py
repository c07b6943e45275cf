"""In place of python3-kms++, which only Raspberry Pi OS has: picamera2 imports it, for a preview nobody opens."""


class _Names(type):
    def __getattr__(cls, name: str) -> str:
        return name


class PixelFormat(metaclass=_Names):
    """Every format there is."""

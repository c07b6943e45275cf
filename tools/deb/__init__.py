"""The Debian packages and the release: ``make deb`` and ``make release``."""

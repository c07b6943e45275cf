"""What the small display shows, and the languages that it speaks."""

from ui.catalogues import load_catalogues

load_catalogues()

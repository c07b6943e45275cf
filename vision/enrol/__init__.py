"""Learn a deck from pictures of its three pages."""

from vision.enrol.enrolment import deck_of, enrol, enrol_pages, look_alikes, read_page, teach_card, unmeasured
from vision.enrol.pages import PAGES, EnrolError, Page, PageFault, page_places, spoken

__all__ = [
    "PAGES",
    "EnrolError",
    "Page",
    "PageFault",
    "deck_of",
    "enrol",
    "enrol_pages",
    "look_alikes",
    "page_places",
    "read_page",
    "spoken",
    "teach_card",
    "unmeasured",
]

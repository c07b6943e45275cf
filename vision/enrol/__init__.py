"""Learn a deck from pictures of its three pages."""

from vision.enrol.enrolment import (
    deck_of,
    enrol,
    enrol_pages,
    learnt_alone,
    look_alikes,
    page_of,
    read_page,
    read_pages,
    teach_card,
    unmeasured,
)
from vision.enrol.house_papers import with_house_papers
from vision.enrol.pages import PAGES, EnrolError, Page, PageFault, page_name, page_places, spoken
from vision.enrol.parts import part_places, parts_of

__all__ = [
    "PAGES",
    "EnrolError",
    "Page",
    "PageFault",
    "deck_of",
    "enrol",
    "enrol_pages",
    "learnt_alone",
    "look_alikes",
    "page_name",
    "page_of",
    "page_places",
    "part_places",
    "parts_of",
    "read_page",
    "read_pages",
    "spoken",
    "teach_card",
    "unmeasured",
    "with_house_papers",
]

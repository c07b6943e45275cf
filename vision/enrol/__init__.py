"""Learn a deck from pictures of its three pages."""

from vision.enrol.enrolment import (
    deck_of,
    enrol,
    enrol_pages,
    is_learnt_alone,
    look_alikes,
    page_of,
    read_page,
    read_pages,
    report_unmeasured,
    teach_card,
)
from vision.enrol.house_papers import with_house_papers
from vision.enrol.pages import PAGES, EnrolError, Page, PageFault, name_card, name_page, place_cards
from vision.enrol.parts import divide_page, place_part

__all__ = [
    "PAGES",
    "EnrolError",
    "Page",
    "PageFault",
    "deck_of",
    "divide_page",
    "enrol",
    "enrol_pages",
    "is_learnt_alone",
    "look_alikes",
    "name_card",
    "name_page",
    "page_of",
    "place_cards",
    "place_part",
    "read_page",
    "read_pages",
    "report_unmeasured",
    "teach_card",
    "with_house_papers",
]

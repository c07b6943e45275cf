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
    report_unmeasured,
    teach_card,
)
from vision.enrol.house_papers import with_house_papers
from vision.enrol.pages import PAGES, EnrolError, Page, PageFault, name_card, page_name, page_places
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
    "name_card",
    "page_name",
    "page_of",
    "page_places",
    "part_places",
    "parts_of",
    "read_page",
    "read_pages",
    "report_unmeasured",
    "teach_card",
    "with_house_papers",
]

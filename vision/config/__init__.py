"""The numbers that steer the reader: each under one name, with its unit, what it does and what it was measured on.

What is fixed by a file or by the table standard (scales and boxes of crops, the pages' places) is in
``vision.geometry`` and ``vision.enrol.pages`` instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.config.assign import AssignConfig
from vision.config.detect import DetectConfig
from vision.config.dice import DiceConfig
from vision.config.enrol import EnrolConfig
from vision.config.faces import FacesConfig
from vision.config.identify import IdentifyConfig
from vision.config.mat import MatConfig
from vision.config.reading import ReadingConfig


@dataclass(frozen=True)
class ReaderConfig:
    """All of them, by the room of ``vision`` that they steer, in the order in which a picture passes through."""

    mat: MatConfig = field(default_factory=MatConfig)
    detect: DetectConfig = field(default_factory=DetectConfig)
    identify: IdentifyConfig = field(default_factory=IdentifyConfig)
    assign: AssignConfig = field(default_factory=AssignConfig)
    reading: ReadingConfig = field(default_factory=ReadingConfig)
    enrol: EnrolConfig = field(default_factory=EnrolConfig)
    dice: DiceConfig = field(default_factory=DiceConfig)
    faces: FacesConfig = field(default_factory=FacesConfig)


CONFIG = ReaderConfig()
"""What the reader runs with."""

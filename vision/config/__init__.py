"""The numbers that steer the reader: each under one name, with its unit, what it does and what it was measured on.

What is fixed by a file or by the table standard (scales and boxes of crops, the pages' places) is in
``vision.geometry`` and ``vision.enrol.pages`` instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.config.assign import AssignmentConfig, BackConfig, CentreCropConfig, HypothesisConfig, InkColourConfig
from vision.config.detect import DetectionConfig, OcclusionConfig, PairingConfig, SuppressionConfig
from vision.config.enrol import OutlineConfig, PageConfig, PageOrderConfig
from vision.config.identify import (
    AlignmentConfig,
    EmbedderConfig,
    PairwiseConfig,
    RegistrationConfig,
    SimilarityConfig,
    TemplateConfig,
)
from vision.config.mat import LightConfig, MarkerConfig, MatFitConfig, MatKeepConfig
from vision.config.reading import IncrementalConfig, QualityConfig, SearchConfig, StillnessConfig


@dataclass(frozen=True)
class ReaderConfig:
    """All of them, by the part of the reader that they steer, in the order in which a picture passes through."""

    stillness: StillnessConfig = field(default_factory=StillnessConfig)
    markers: MarkerConfig = field(default_factory=MarkerConfig)
    mat_fit: MatFitConfig = field(default_factory=MatFitConfig)
    mat_keep: MatKeepConfig = field(default_factory=MatKeepConfig)
    light: LightConfig = field(default_factory=LightConfig)
    detection: DetectionConfig = field(default_factory=DetectionConfig)
    suppression: SuppressionConfig = field(default_factory=SuppressionConfig)
    pairing: PairingConfig = field(default_factory=PairingConfig)
    occlusion: OcclusionConfig = field(default_factory=OcclusionConfig)
    embedder: EmbedderConfig = field(default_factory=EmbedderConfig)
    template: TemplateConfig = field(default_factory=TemplateConfig)
    similarity: SimilarityConfig = field(default_factory=SimilarityConfig)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    pairwise: PairwiseConfig = field(default_factory=PairwiseConfig)
    registration: RegistrationConfig = field(default_factory=RegistrationConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    hypothesis: HypothesisConfig = field(default_factory=HypothesisConfig)
    back: BackConfig = field(default_factory=BackConfig)
    ink_colour: InkColourConfig = field(default_factory=InkColourConfig)
    centre_crop: CentreCropConfig = field(default_factory=CentreCropConfig)
    assignment: AssignmentConfig = field(default_factory=AssignmentConfig)
    quality: QualityConfig = field(default_factory=QualityConfig)
    incremental: IncrementalConfig = field(default_factory=IncrementalConfig)
    page: PageConfig = field(default_factory=PageConfig)
    outline: OutlineConfig = field(default_factory=OutlineConfig)
    page_order: PageOrderConfig = field(default_factory=PageOrderConfig)


CONFIG = ReaderConfig()
"""What the reader runs with."""

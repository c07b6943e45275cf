"""Why a card can't be read, in words."""

from __future__ import annotations

from rules.text import Text

CAUSES = {
    "glare": Text("glare", "光が反射しています"),
    "covered": Text("covered", "隠れています"),
    "blurred": Text("blurred", "ぼけています"),
    "few_pixels": Text("too small in the picture", "小さすぎます"),
    "doubtful": Text("not sure which card", "どのカードか判断できません"),
    "moving": Text("moving", "動いています"),
    "twice": Text("the same card seems to lie in two places", "同じカードが2か所にあるように見えます"),
}

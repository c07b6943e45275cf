"""The last part of a command's help: what lies on the pages of a deck, and which sheets can be printed."""

from __future__ import annotations

from collections.abc import Sequence

from referee.papers import Paper
from rules.text import Text

_PAGES = Text(
    """what lies on the pages, each card upright on its place:
  seven     the SEVEN cards, 7 x 7: heart, onion, book, coin, star, time and coffin from the left,
            each from its lowest rank at the top down to its highest
  review    the 16 papers, under-review side up, 4 x 4, and a SEVEN card face down to their right:
{rows}
  complete  the papers on the same places, complete side up, and the face-down card again
  back      one SEVEN card face down in the mat's middle; with seven alone, for games without papers

House papers, which players made themselves, are learnt into a deck that is known, from two pictures more:
  sevenmat enrol --deck NAME --house-papers straight6_2p3,sum21_1p4 --review IMG --complete IMG
They lie on the papers' places in the order of their names, row by row, and nothing else. A name says what a paper
takes, its points and its copies: straight6_2p3 is a straight of six, 2 points, 3 copies; straight_flush3_2p3 three
in one suit, sets4x1_2p3 four of one rank, sets2x5_8p1 pairs of five ranks, sum21_1p4 adds to 21, sum77plus_4p2 to
77 or more, ranks_1_7_13_3p2 is A, 7 and K. The menus offer:
{house}

Papers that seem to lie in each other's place, by their points, their names, or their likeness to the set that
'sevenmat print papers' prints, are asked about; --as-laid answers that they lie right.
""",
    """ページに並べるもの（どのカードも正しい向きで、それぞれの場所に置く）：
  seven     セブンのカード49枚を7 × 7に。列は左からハート、オニオン、ブック、コイン、スター、タイム、
            コフィンで、それぞれ上からランクの小さい順
  review    論文カード16種類を、査読中の面で4 × 4に。その右にセブンのカードを1枚、裏向きに：
{rows}
  complete  論文カードを、同じ場所に完成の面で。裏向きのカードもそのまま
  back      セブンのカードを1枚、マットの中央に裏向きに。論文カードのないゲームなら、sevenとこれだけでよい

自作の論文は、登録済みのデッキに、別の写真2枚から追加します：
  sevenmat enrol --deck NAME --house-papers straight6_2p3,sum21_1p4 --review IMG --complete IMG
論文カードの場所に、名前の順に1行ずつ、自作の論文だけを並べます。名前は、役、得点、枚数を表します。
straight6_2p3は6枚のストレートで2点、3枚。straight_flush3_2p3は同じスートの3枚のストレート、sets4x1_2p3は同じランク
4枚、sets2x5_8p1は5つのランクのペア、sum21_1p4は合計21、sum77plus_4p2は合計77以上、ranks_1_7_13_3p2はA、7、Kです。
メニューに出るもの：
{house}

印刷された得点や名前、または sevenmat print papers で印刷するセットとの比較から、論文カードが入れ替わって
いるように見えるときは、質問になります。正しく置いてあるなら、--as-laid を付けます。
""",
)
_ACROSS = 4
SHEETS = Text(
    """what there is:
  markers  the four markers, on one page
  mat      a mat with markers, seats, and the game's places: one sheet, or tiles to join with --paper A4 or A3
  papers   the paper cards, two-sided
  deck     the 49 SEVEN cards, which 'Sevenmat printed deck' knows without learning; with --game, the plain set of a
           game that has cards of its own, as many as --players need
  pages    sheets to lay the cards on when a deck is learnt: one sheet each, or tiles with --paper
  guide    a quick start and the game's rules in brief, in both languages or in that of --language

Print at 100 %, never "fit to page": every page has a ruler to check that.
""",
    """印刷できるもの：
  markers  4枚のマーカー（1ページ）
  mat      マーカー、席、ゲームの置き場所を描いたマット。1枚、または --paper A4 か A3 でつなぎ合わせる紙に分割
  papers   論文カード（両面）
  deck     セブンのカード49枚。登録しなくても「Sevenmat printed deck」として使える。--game を付けると、専用カードの
           あるゲームの簡素なセットを、--players の人数に必要な枚数だけ
  pages    デッキを登録するときにカードを置く紙。1枚ずつ、または --paper で分割
  guide    遊び始めの案内とルールの要点。日本語と英語、または --language の言語だけ

「用紙に合わせる」ではなく、100 %で印刷してください。どのページにも、確かめるための物差しがあります。
""",
)


def pages_of_a_deck() -> Text:
    """What lies on the enrolment pages, with the papers row by row as their players know them."""
    from device.commands.house_papers import offered
    from referee.registry import papers

    kinds, house = list(papers().values()), list(offered())
    return Text(
        _PAGES.en.format(
            rows=_rows([_both_names(kind) for kind in kinds], ", "),
            house="\n".join(f"  {paper.name:28}{_both_names(paper)}" for paper in house),
        ),
        _PAGES.ja.format(
            rows=_rows([kind.ja for kind in kinds], "、"),
            house="\n".join(f"  {paper.name:28}{paper.ja}" for paper in house),
        ),
    )


def _both_names(paper: Paper) -> str:
    return f"{paper.en} {paper.ja}" if paper.en != paper.ja else paper.en


def _rows(names: Sequence[str], between: str) -> str:
    rows = [between.join(names[first : first + _ACROSS]) for first in range(0, len(names), _ACROSS)]
    return "\n".join(f"            {number}. {row}" for number, row in enumerate(rows, 1))

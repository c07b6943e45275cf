"""The rules of Laminate Rummy in brief, for a page beside the mat.

Source: the booklet of 2016 with RULINGS.md; points and numbers of cards are those of the papers themselves.
"""

from __future__ import annotations

from rules.game import Section
from rules.laminate.papers import LAMINATE, PaperKind
from rules.text import Text


def brief() -> tuple[Section, ...]:
    """Aim, set-up, the three actions, citing, the end, and the table of papers."""
    return (
        Section(
            Text("The aim", "目的"),
            (
                Text(
                    "Publish papers, have them reviewed until one card is left, and score what is complete.",
                    "論文を発表し、査読でカードが残り1枚になると完成。完成した論文だけが得点になります。",
                ),
            ),
        ),
        Section(
            Text("Set-up", "準備"),
            (
                Text(
                    "Deal from the first player on: 3, 3, 4, 4, 5 cards. From the third player on, each keeps three "
                    "and discards the rest face up.",
                    "スタートプレイヤーから順に3・3・4・4・5枚配ります。3番手からは3枚を残し、余りを表向きに捨てます。",
                ),
                Text(
                    "The other cards are the draw pile, face down. The papers lie sorted beside the mat.",
                    "残りは裏向きの山札です。論文カードは種類ごとにマットの外に並べます。",
                ),
            ),
        ),
        Section(
            Text("Your turn: one of three actions", "手番：次の3つから1つ"),
            (
                Text(
                    "Research: draw two cards, keep one and discard one face up; or take the top discard.",
                    "研究：山札から2枚引き、1枚を手札に加えて1枚を表向きに捨てる。または捨て札の一番上を取る。",
                ),
                Text(
                    "Publish: lay cards that fit a paper in a column in your area, the paper at its head, under review "
                    "side up. One of a kind for each player. With a single card laid it is complete at once.",
                    "論文発表：役に合うカードを自分の場に1列に並べ、先頭に論文カードを（査読中）の面で置く。"
                    "同じ論文は1人1枚。出したカードが1枚だけなら、すぐに完成。",
                ),
                Text(
                    "Review: take one card from any paper with two or more, your own too. With one card left it is "
                    "complete: turn the paper over.",
                    "査読：カードが2枚以上ある論文（自分のものでもよい）から1枚を手札に加える。残り1枚になったら完成。"
                    "論文カードを裏返す。",
                ),
                Text(
                    "You may pass only where neither research nor review is possible. When everybody has passed in a "
                    "row, the game ends.",
                    "パスできるのは、研究も査読もできないときだけ。全員が続けてパスしたらゲーム終了。",
                ),
            ),
        ),
        Section(
            Text("Citing", "引用"),
            (
                Text(
                    "The one card of a complete paper counts as if it were in your hand; it stays where it lies. At "
                    "least one card must come from your hand.",
                    "完成した論文の1枚は、手札にあるかのように使える（カードはそのまま）。手札から1枚以上出すこと。",
                ),
                Text(
                    "For each cited paper of another author lay one hand card face down on the author's spot. "
                    "Your own papers are free.",
                    "他人の論文は1つにつき手札1枚を、お礼として執筆者のお礼の場所に裏向きで渡す。自分の論文は無料。",
                ),
            ),
        ),
        Section(
            Text("The end", "ゲームの終わり"),
            (
                Text(
                    "The first to end their own turn with 15 points takes the End Flag and lays it with one hand card. "
                    "Then they have one more turn and everybody else two.",
                    "自分の手番の終わりに15点以上ある最初の人が、エンドフラグを取って手札1枚と場に出す。"
                    "その後、その人はあと1回、ほかの人はあと2回の手番。",
                ),
                Text(
                    "Most points win; if level, fewer complete papers; then they share it.",
                    "得点の多い人の勝ち。同点なら完成した論文の少ない人。それも同じなら引き分け。",
                ),
            ),
        ),
        Section(
            Text("Papers: points, how many there are, what they take", "論文：得点、枚数、条件"),
            tuple(_row(kind) for kind in LAMINATE.kinds),
        ),
    )


def _row(kind: PaperKind) -> Text:
    en, ja = kind.combination.rule() if kind.combination is not None else _FLAG
    return Text(
        f"{kind.en} ({kind.points} p., {kind.copies}×): {en}.", f"{kind.ja}（{kind.points}点・{kind.copies}枚）：{ja}"
    )


_FLAG = ("for the first with 15 points", "最初に15点になった人が取る")

"""The rules of Wild Seven in brief, for a page beside the mat. Source: the starter book with RULINGS.md."""

from __future__ import annotations

from rules.game import Section
from rules.text import Text

BRIEF = (
    Section(
        Text("The aim", "目的"),
        (
            Text(
                "You are gunmen: capture the wanted, and mind that you don't become wanted yourself.",
                "ガンマンになって「お尋ね者」を捕まえます。自分もお尋ね者になることがあります。",
            ),
        ),
    ),
    Section(
        Text("Set-up", "準備"),
        (
            Text(
                "Three play without coffin and time, four without coffin, five with all seven suits. Deal all cards "
                "evenly; what is left over lies face up in the middle: the wanted.",
                "3人ならコフィンとタイムを、4人ならコフィンを除き、5人なら全部使います。均等に配り、余りは表向きで中央へ。"
                "これが「お尋ね者」です。",
            ),
            Text(
                "All show one hand card at once. The lowest number begins (if level, the lower suit); then these cards "
                "join the wanted.",
                "全員が手札1枚を同時に見せ、一番小さい人から始めます（同じならシンボルの低い人）。見せたカードはお尋ね者に加えます。",
            ),
            Text(
                "Suits from the lowest: heart, onion, book, coin, star, time, coffin.",
                "シンボルは低い順に、ハート、オニオン、ブック、コイン、スター、タイム、コフィン。",
            ),
        ),
    ),
    Section(
        Text("Your turn", "手番"),
        (
            Text(
                "Play, with no card in front of you: lay a hand card face up. Every larger card of that suit in front "
                "of others joins the wanted.",
                "プレイ（自分の前にカードがないとき）：手札1枚を表向きに出す。ほかの人の前にある、同じシンボルで"
                "それより大きいカードは、すべてお尋ね者になる。",
            ),
            Text(
                "Get, with a card in front of you: take a smaller one of the wanted, of any suit, onto your pile, face "
                "down. Only where there is none, take one of your card's suit. Your own card then joins the wanted.",
                "ゲット（自分の前にカードがあるとき）：それより小さいお尋ね者を1枚、獲得し、裏向きで自分の山に置く。"
                "なければ、同じシンボルのお尋ね者を1枚獲得する。そのあと自分のカードはお尋ね者になる。",
            ),
            Text(
                "You must take one where you can. Nobody looks at captured cards but their owner, and not in the "
                "own turn.",
                "獲得できるときは必ず獲得する。獲得したカードを見てよいのは持ち主だけ（自分の手番中は見られない）。",
            ),
        ),
    ),
    Section(
        Text("The end", "ゲームの終わり"),
        (
            Text(
                "The game ends when the player whose turn comes has no card in front and none in hand.",
                "手番の人の前にも手札にもカードがなくなったら終わり。",
            ),
            Text(
                "For each suit captured: its highest number, and 7 for each further card of it. Most points win; ties "
                "share.",
                "獲得したカードのシンボルごとに、一番大きい数字＋ほかの1枚につき7点。合計の多い人の勝ち。同点は引き分け。",
            ),
        ),
    ),
)

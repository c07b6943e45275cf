"""The rules of Seven Euchre in brief, for a page beside the mat. Source: its rule sheet with RULINGS.md."""

from __future__ import annotations

from rules.game import Section
from rules.text import Text

BRIEF = (
    Section(
        Text("The aim", "目的"),
        (
            Text(
                "Two against two, partners opposite: take as many tricks as your side has bid.",
                "向かい合う2人がチームになり、ビッドした数のトリックを取ります。",
            ),
        ),
    ),
    Section(
        Text("Set-up", "準備"),
        (
            Text(
                "Deal 12 cards to each, one by one, clockwise. The last card lies face down in the middle.",
                "1枚ずつ時計回りに12枚配ります。残った1枚は中央に裏向きで置きます。",
            ),
        ),
    ),
    Section(
        Text("Auction", "オークション"),
        (
            Text(
                "From the dealer's left, bid 7 to 12 tricks with a trump suit or no trump, higher than the last bid, "
                "or pass. Whoever has passed may bid again.",
                "ディーラーの左隣から順に、取るトリック数（7～12）と切り札（またはノートランプ）を、前より高くビッドするか、"
                "パスする。パスした後でもまたビッドできる。",
            ),
            Text(
                "More tricks are higher; as many are higher in this order: coffin, time, star, coin, book, onion, "
                "heart, no trump.",
                "数が多いほど高い。同じ数なら、コフィン、タイム、スター、コイン、ブック、オニオン、ハート、ノートランプの順に高い。",
            ),
            Text(
                "It ends at 12 with no trump, or when three pass in a row. The highest bidder takes the middle card "
                "and lays one card aside, face down.",
                "ノートランプの12か、3人続けてのパスで終わり。一番高くビッドした人は中央のカードを取り、1枚を裏向きで脇に置く。",
            ),
            Text(
                "If all four pass at first, the middle card is turned up: its suit is trumps, and only numbers are "
                "bid. It stays out of play. If all four pass again, the next dealer deals.",
                "最初に4人ともパスなら、中央のカードを表にし、そのスートを切り札にして数だけをビッドする（カードは使わない）。"
                "また4人ともパスなら、次のディーラーが配り直す。",
            ),
        ),
    ),
    Section(
        Text("Tricks", "トリック"),
        (
            Text(
                "The highest bidder leads any card. Follow the led suit if you can. The highest trump wins, without "
                "one the highest card of the led suit; the winner leads next.",
                "ビッドした人から、どのカードを出してもよい。ほかの人は、出されたスートがあれば従う。一番強い切り札、"
                "なければ出されたスートで一番強いカードの勝ち。勝った人が次に出す。",
            ),
            Text(
                "With a trump suit all seven 7s are trumps, for leading and following too. A is 1, K is 13.",
                "切り札があるときは、7はすべて切り札（出すときも従うときも）。Aは1、Kは13。",
            ),
            Text(
                "Trumps from the top: the trump suit's 7; its cards above 7, K first; the other 7s: coffin, time, "
                "star, coin, book, onion, heart; its cards below 7.",
                "切り札は強い順に、切り札の7、切り札の7より大きいカード（Kから）、ほかの7（コフィン、タイム、スター、コイン、ブック、"
                "オニオン、ハート）、切り札の7より小さいカード。",
            ),
            Text("At no trump, 7s are ordinary cards.", "ノートランプでは、7も普通のカード。"),
        ),
    ),
    Section(
        Text("Points", "得点"),
        (
            Text("Every trick is 1 point for the side that took it.", "1トリックにつき、取ったチームに1点。"),
            Text(
                "A made bid adds coffin 7, time 8, star 9, coin 10, book 11, onion 12, heart 13, no trump 14, and 8 "
                "for each trick bid above 7.",
                "ビッドを達成したら、コフィン7、タイム8、スター9、コイン10、ブック11、オニオン12、ハート13、ノートランプ14点と、"
                "7を超えるビッド1つにつき8点を加える。",
            ),
            Text(
                "For a failed bid the other side gets the tricks short times the tricks that it took.",
                "失敗したら、相手チームに、足りない数×相手の取ったトリック数を加える。",
            ),
            Text(
                "The deal passes to the left. After a whole deal, the higher side with the target or more wins; if "
                "level, play on.",
                "ディーラーは左隣へ。1ディールが終わったとき、目標の点に達していて得点の高いチームの勝ち。同点なら続ける。",
            ),
        ),
    ),
)

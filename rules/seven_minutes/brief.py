"""The rules of Seven Minutes in brief, for a page beside the mat. Source: the starter book with RULINGS.md."""

from __future__ import annotations

from rules.game import Section
from rules.text import Text

BRIEF = (
    Section(
        Text("The aim", "目的"),
        (
            Text(
                "Flip as many cards as you dare, and take them face up before the dice hit the row.",
                "できるだけ多くカードをめくり、ダイスに当たらずに表向きで取ります。",
            ),
        ),
    ),
    Section(
        Text("Set-up", "準備"),
        (
            Text(
                "All 49 cards are the draw pile, face down, at one end of the table; two dice lie in the tray.",
                "49枚をよく混ぜて裏向きの山札にし、テーブルの端に置きます。ダイス2個はトレイに置きます。",
            ),
        ),
    ),
    Section(
        Text("Your turn: flip", "手番：めくる"),
        (
            Text(
                "Flip the top card to the end of the row that grows away from the draw pile. A card whose number lies "
                "in the row is laid onto it, and the row becomes no longer.",
                "山札を1枚めくり、山札から離れる方へ列に並べる。おなじ数字が列にあれば、それに重ねる（列は長くならない）。",
            ),
            Text(
                "Flip one card at least, then go on or stop as you like. Then comes the judgement.",
                "1枚以上めくったら、続けてもとまってもよい。とまったら判定。",
            ),
            Text(
                "A 7 ends the flipping at once, stacked or not.",
                "7が出たら、重なったときでも、めくるのはすぐ終わり。",
            ),
            Text(
                "A K demands three more cards, all of them even past a 7. With a 7 among them judgement follows; "
                "without one you may stop or go on.",
                "Kが出たら、7が出ても必ずあと3枚めくる。その中に7があれば判定、なければ続けてもとまってもよい。",
            ),
        ),
    ),
    Section(
        Text("Judgement: roll", "判定：ダイスを振る"),
        (
            Text(
                "Roll both dice as often as the row is long, counted before the first roll. Where a K lies in the row, "
                "count from its place on, away from the draw pile.",
                "列の長さとおなじ回数、ダイス2個を振る（回数は最初に決まる）。Kが列にあれば、Kから先の長さだけ。",
            ),
            Text(
                "A sum that is a number in the row ends the judgement: take that stack and all nearer the draw pile, "
                "face down. Where an A lies in the row, take that stack and all farther away instead.",
                "合計とおなじ数字が列にあれば判定は終わり。その数字と、それより山札側のカードを裏向きで取る。"
                "Aが列にあれば、山札側ではなく反対側を取る。",
            ),
            Text(
                "What is left closes up and stays for the next player; a K or an A in it keeps its effect, but demands "
                "no cards.",
                "残りは詰めて、次の人の列になる。残ったKやAは判定でそのまま働くが、Kで3枚めくる必要はない。",
            ),
            Text(
                "After the last roll without a hit, take the whole row face up.",
                "最後まで当たらなければ、列をすべて表向きで取る。",
            ),
        ),
    ),
    Section(
        Text("The end", "ゲームの終わり"),
        (
            Text(
                "When the draw pile runs out, even within the K's three, judgement follows at once, and the game ends "
                "with that turn. What then stays in the row is nobody's.",
                "山札がなくなったら（Kの3枚の途中でも）すぐに判定し、その手番でゲーム終了。列に残ったカードは誰のものにもならない。",
            ),
            Text(
                "A 7 counts 3, any other card 1. Face-up cards add, face-down cards subtract. Most points win; ties "
                "share.",
                "7は3点、ほかは1点。表向きは足し、裏向きは引く。得点の多い人の勝ち。同点は引き分け。",
            ),
        ),
    ),
)

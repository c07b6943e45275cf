"""What each kind of screen says, and what the buttons do there: the answer to "what is this?"."""

from __future__ import annotations

from rules.text import Language, Text
from ui.screen_state import Leaf, Mood

TITLE = Text("This screen", "この画面")

_USUAL = Text(
    "Up opens the menu, down shows every word. Hold back to take the last turn back.",
    "▲でメニュー、▼で詳しい説明。戻るを長押しすると前の手番を取り消せます。",
)
_WORDS: dict[Mood, tuple[Text, ...]] = {
    Mood.WAITING: (
        Text(
            "Somebody is to move: the name is at the top. Play with the cards on the table, take your hands away and "
            "press confirm.",
            "上に名前がある人の手番です。テーブルの上でカードを動かし、手を離してから確定を押してください。",
        ),
        _USUAL,
    ),
    Mood.HANDS: (
        Text(
            "Hands are over the mat. As soon as they are gone, the table is looked at again.",
            "マットの上に手があります。手が離れると、テーブルをもう一度読みます。",
        ),
        _USUAL,
    ),
    Mood.READING: (
        Text(
            "The picture of the table is being read; wait a moment.",
            "テーブルを読み取っています。お待ちください。",
        ),
        _USUAL,
    ),
    Mood.PREVIEW: (
        Text(
            "This is what lies on the table. Nothing is settled yet: press confirm if it is meant so, or go on moving "
            "cards.",
            "今テーブルにある手です。まだ決まっていません。よければ確定を押し、違えばカードを動かしてください。",
        ),
        _USUAL,
    ),
    Mood.FAULT: (
        Text(
            "What lies on the table is not a legal turn yet. How to put it right is shown; finish your turn "
            "or follow the steps.",
            "テーブルの状態は、まだ正しい手番ではありません。続きを動かすか、表示の手順で直してください。",
        ),
        Text("Down shows why, and all steps.", "▼で理由とすべての手順を読めます。"),
    ),
    Mood.ACCEPTED: (
        Text(
            "The turn was accepted. The next player is named at the top; below the points stands who did what.",
            "手番を受け付けました。次の人の名前が上に、だれが何をしたかが得点の下に出ます。",
        ),
        _USUAL,
    ),
    Mood.REFUSED: (
        Text(
            "The turn can't be accepted. Nothing has changed in the record: put the cards right as shown, or make "
            "another turn, and press confirm again.",
            "この手番は受け付けられません。記録は変わっていません。表示のとおりに直すか、別の手にして、"
            "もう一度確定を押してください。",
        ),
        Text("Down shows why, and all steps.", "▼で理由とすべての手順を読めます。"),
    ),
    Mood.QUESTION: (
        Text(
            "The table alone does not tell what was meant. Choose an answer with up and down and take it with confirm; "
            "back leaves the question.",
            "テーブルだけではどちらか分かりません。▲▼で選んで確定を押してください。戻るで質問を閉じます。",
        ),
    ),
    Mood.CANT_SEE: (
        Text(
            "Something can't be read. Straighten it and take it out of the shade or the glare, or press confirm until "
            "you are asked for the card's name.",
            "読めないものがあります。まっすぐに置き、影や反射を避けてください。"
            "もう一度確定を押して、カードを教えることもできます。",
        ),
    ),
    Mood.OUT_OF_STEP: (
        Text(
            "The table is not as recorded, and no turn explains it. Put it right step by step, or take the position "
            "from the table in the menu.",
            "テーブルが記録と違い、どの手にも当てはまりません。手順どおりに直すか、"
            "メニューでテーブルのとおりに局面を設定してください。",
        ),
    ),
    Mood.CHECK: (
        Text(
            "A turn was taken back or put back. Lay the cards as shown; the game goes on as soon as they lie so.",
            "手番を取り消すか元に戻しました。表示のとおりに並べると、ゲームが続きます。",
        ),
    ),
    Mood.BLIND: (
        Text(
            "The camera does not see the whole mat: look for a hand, a hidden marker or a pushed camera.",
            "カメラからマット全体が見えません。手や隠れたマーカー、カメラのずれがないか確かめてください。",
        ),
    ),
    Mood.FINISHED: (
        Text(
            "The game is over. Down explains the ranking; up opens the menu with all turns, the points turn by turn, "
            "and a rematch.",
            "ゲームは終わりました。▼で順位の説明、▲のメニューで手番や得点の移り変わりを見られ、再戦もできます。",
        ),
        Text("Confirm leaves the game; it stays in the list.", "確定を押すとゲームを閉じます。記録は残ります。"),
    ),
}
"""By mood; menus, a pause and notices say themselves what they are."""


def screen_help(language: Language, mood: Mood) -> Leaf | None:
    """What a screen of this mood says; ``None`` where it says so itself."""
    words = _WORDS.get(mood)
    return None if words is None else Leaf(TITLE.said(language), tuple(text.said(language) for text in words))

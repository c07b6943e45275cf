"""What the display shows of a game: screen states made from a state, a verdict, a comparison or a menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from device.session.leaves import Leaves
from referee.game import Referee, Step
from referee.menu import Menu
from referee.state import AgreedState
from referee.steps import describe_steps, group_steps
from referee.verdict import Accepted, CantSee, Mend, Offer, Question, Refused, Spot, Waiting
from rules.text import Language, Text, player, plural
from ui import words
from ui.game import GameScreen
from ui.parts.card_tiles import card_tile
from ui.parts.names import short_names
from ui.screen_state import (
    LeafScreen,
    MenuScreen,
    Mood,
    OfferScreen,
    PicturePair,
    PlayScreen,
    QuestionScreen,
    ScoreScreen,
    ScreenState,
    StepTiles,
    TableScreen,
    Thumbnail,
    TileGroup,
    TileRole,
)


@dataclass(frozen=True)
class Screens:
    """Makes the screens of one game in one language; ``own`` is what the game shows of itself.

    With ``hints`` its help gives some. ``pictures`` are of the places that a step changed, ``close_up`` is what was
    seen last of a card that could not be read.
    """

    referee: Referee
    own: GameScreen
    language: Language
    hints: bool = False
    pictures: Callable[[Step], tuple[PicturePair, ...]] = lambda _: ()
    close_up: Callable[[Spot], Thumbnail | None] = lambda _: None

    def speak_in(self, language: Language | None) -> Screens:
        """Return the same in another language, or itself where none is given."""
        return self if language is None or language is self.language else replace(self, language=language)

    def make_base(self, state: AgreedState, mood: Mood) -> PlayScreen:
        """Players, points and what presses, with nothing said yet."""
        return self.own.make_base(state.position, self.language, mood)

    def say(self, *texts: Text) -> tuple[str, ...]:
        """Say texts in the language."""
        return tuple(text.said(self.language) for text in texts)

    def show_waiting(self, state: AgreedState, last: Accepted | None, mood: Mood = Mood.WAITING) -> PlayScreen:
        """Show whose turn it is, and what the last turn was understood as."""
        screen = self.make_base(state, mood)
        if last is None:
            return screen
        return replace(screen, headline=last.text.said(self.language), tiles=self._list_mover_tiles(state, last))

    def _list_mover_tiles(self, state: AgreedState, made: Accepted) -> tuple[TileGroup, ...]:
        """Return the cards of a move that was made, with who has made it, as the band names who is next."""
        groups, names = self._list_tiles(state, made), _name_mover(state, made)
        if not groups or groups[0].words in names:
            return groups
        first, *others = groups
        pairs = zip(names, (first.words, first.short or first.words), strict=False)
        both = [Text("{who}: {what}", who=player(name), what=what).said(self.language) for name, what in pairs]
        return (replace(first, words=both[0], short=both[1]) if both else first, *others)

    def _list_tiles(self, state: AgreedState, move: Accepted) -> tuple[TileGroup, ...]:
        return self.own.move_tiles(state.position, move.move, self.language)

    def count_gains(self, before: AgreedState, after: AgreedState) -> tuple[int, ...]:
        """Return the points that a move brings everybody, in the players' order; none where points are not shown."""
        lines = zip(
            self.make_base(before, Mood.WAITING).players, self.make_base(after, Mood.WAITING).players, strict=True
        )
        return tuple(0 if now.shown else now.points - then.points for then, now in lines)

    def show_trouble(self, state: AgreedState, why: Text) -> PlayScreen:
        """Something hinders the game from outside."""
        return replace(self.make_base(state, Mood.FAULT), headline=why.said(self.language))

    def show_setup(self, state: AgreedState) -> PlayScreen:
        """Show what the players lay out before the first move."""
        screen = self.make_base(state, Mood.WAITING)
        return replace(screen, details=(*self.say(self.referee.setup), *screen.details))

    def with_reminders(self, screen: PlayScreen, state: AgreedState) -> PlayScreen:
        """Add a word first of all on what somebody has yet to do."""
        due = self.say(*self.referee.list_reminders(state))
        said = (*screen.details, screen.headline)
        fresh = (words for words in due if not any(words in one for one in said))
        return replace(screen, details=(*fresh, *screen.details))

    def show_accepted(self, state: AgreedState, verdict: Accepted, before: AgreedState | None = None) -> PlayScreen:
        """Show what was understood of a move; ``before`` is what was agreed before it, where that is known."""
        following = self.referee.next_up(state)
        further = () if following is None else self.say(following)
        gains = self.count_gains(before, state) if before is not None else ()
        return self._move(
            state, Mood.ACCEPTED, verdict, gains, self._list_mover_tiles(before or state, verdict), further
        )

    def show_preview(self, state: AgreedState, verdict: Accepted) -> PlayScreen:
        """Show what confirm would take, before it is pressed."""
        gains = self.count_gains(state, verdict.after)
        return self._move(state, Mood.PREVIEW, verdict, gains, self._list_tiles(state, verdict))

    def _move(
        self,
        state: AgreedState,
        mood: Mood,
        verdict: Accepted,
        gains: tuple[int, ...],
        tiles: tuple[TileGroup, ...],
        further: tuple[str, ...] = (),
    ) -> PlayScreen:
        screen, (understood, *others) = self.make_base(state, mood), self.say(*verdict.sentences)
        details, standing = dict.fromkeys((*others, *further, *screen.details)), replace(screen.standing, gains=gains)
        return replace(screen, headline=understood, details=tuple(details), standing=standing, tiles=tiles)

    def show_question(self, state: AgreedState, verdict: Question, chosen: int) -> QuestionScreen:
        """Show a question and its answers."""
        answer = verdict.choices[chosen].verdict
        return self.make_base(state, Mood.QUESTION).turn_into(
            QuestionScreen,
            headline=verdict.text.said(self.language),
            choices=self.say(*(choice.text for choice in verdict.choices)),
            chosen=chosen,
            tiles=self._list_tiles(state, answer) if isinstance(answer, Accepted) else (),
        )

    def offer_moves(self, shown: ScreenState, moves: Sequence[Text], chosen: int) -> QuestionScreen:
        """Offer the moves that are entered with the buttons, below what a screen says."""
        return shown.turn_into(
            QuestionScreen,
            mood=Mood.QUESTION,
            choices=self.say(*moves),
            chosen=chosen % len(moves),
            picture=shown.picture if isinstance(shown, TableScreen) else None,
            tiles=shown.tiles if isinstance(shown, PlayScreen) else (),
            buttons=None,
        )

    def show_unread(self, state: AgreedState, verdict: CantSee) -> TableScreen:
        """Show what can't be read, and where that is."""
        places = dict.fromkeys(self.referee.place_words(state, spot.place) for spot in verdict.spots)
        where = next(iter(places), None)
        brief = where.said(self.language) if where is not None and len(places) == 1 else ""
        return self._show_table(self.make_base(state, Mood.CANT_SEE), self.say(*verdict.sentences), brief=brief)

    def show_awaited(self, state: AgreedState, verdict: Waiting) -> PlayScreen | TableScreen:
        """Show what is waited for, with what is to be put right before where there is anything."""
        screen = self.make_base(state, Mood.WAITING)
        said = tuple(dict.fromkeys((*(self.say(*verdict.sentences) or ("",)), *screen.details)))
        if verdict.mend:
            return self._show_table(screen, said, self._draw_steps(state, verdict.mend), screen.brief)
        # More than what is usually waited for.
        brief = said[0] if len(verdict.sentences) > 1 else screen.brief
        return replace(screen, headline=said[0], details=said[1:], brief=brief)

    def show_refusal(self, state: AgreedState, verdict: Refused, mood: Mood = Mood.REFUSED) -> TableScreen:
        """Show what is wrong, and what to put where."""
        said = tuple(dict.fromkeys(self.say(*(reason.text for reason in verdict.reasons))))
        return self._show_table(
            self.make_base(state, mood), said, self._draw_steps(state, verdict.mend), self._say_briefly(verdict)
        )

    def with_steps(
        self, state: AgreedState, mood: Mood, headline: Text, mends: Sequence[Mend], details: Sequence[Text] = ()
    ) -> TableScreen:
        """Show what is wrong with the table, and what to put where."""
        screen = self.make_base(state, mood)
        return self._show_table(screen, self.say(headline, *details), self._draw_steps(state, mends), screen.brief)

    @staticmethod
    def _show_table(
        screen: PlayScreen, said: Sequence[str], steps: tuple[StepTiles, ...] = (), brief: str = ""
    ) -> TableScreen:
        return screen.turn_into(TableScreen, headline=said[0], details=tuple(said[1:]), steps=steps, brief=brief)

    def _say_briefly(self, verdict: Refused) -> str:
        reason = verdict.reasons[0]
        own, code = reason.brief or self.own.briefs.get(reason.code), reason.code
        return own.said(self.language) if own is not None else words.say_briefly(self.language, code)

    def _draw_steps(self, state: AgreedState, mends: Sequence[Mend]) -> tuple[StepTiles, ...]:
        """Show the steps that correct the table as cards and where they go, to be understood from afar."""
        shown = []
        for group, sentence in zip(group_steps(mends), describe_steps(mends, self.language), strict=True):
            first = group[0]
            tiles = tuple(card_tile(mend.item) for mend in group for _ in range(mend.count))
            # What is on the tile of another card has no room there.
            drawn = bool(tiles[0].suit) or tiles[0].back
            title = self.own.title_card(state.position, first.item)
            card = (title or self.referee.card_words(state, first.item)).said(self.language)
            place = self.referee.place_words(state, first.target).said(self.language)
            turned = first.source == first.target
            brief, named = (
                words.turn_over(self.language, name) if turned else words.step_to(place, name)
                for name in ("" if drawn else card, card)
            )
            shown.append(StepTiles(tiles, brief, named, sentence, first.source, first.target))
        return tuple(shown)

    def show_offer(self, state: AgreedState, verdict: Refused, offer: Offer, chosen: int) -> OfferScreen:
        """Offer to take a refused table as several turns before one confirm."""
        turns = (f"{number}. {turn.text.said(self.language)}" for number, turn in enumerate(offer.turns, 1))
        return self.make_base(state, Mood.REFUSED).turn_into(
            OfferScreen,
            headline=verdict.reasons[0].text.said(self.language),
            details=(offer.text.said(self.language), *turns),
            choices=self.say(offer.no, offer.yes),
            chosen=chosen,
            turns=tuple(self._of_turn(state, turn) for turn in offer.turns),
        )

    def _of_turn(self, state: AgreedState, turn: Accepted) -> TileGroup:
        """Group the cards of one of several turns; in words where there are none."""
        groups, names = self._list_mover_tiles(state, turn), _name_mover(state, turn)
        if not groups or not names:
            return TileGroup(TileRole.SHOWN, turn.text.said(self.language), ())
        tiles = tuple(tile for group in groups for tile in group.tiles)
        return replace(groups[0], tiles=tiles, short=player(names[0]).said(self.language))

    def show_menu(self, state: AgreedState, shown: Menu) -> MenuScreen | LeafScreen:
        """Show a menu's title and its lines, or the leaf that it is open at."""
        if isinstance(shown, Leaves):
            return shown.make_screen(self.language)
        return self.make_base(state, Mood.MENU).turn_into(
            MenuScreen,
            headline=shown.title.said(self.language),
            details=self.say(*shown.details),
            choices=self.say(*(option.words for option in shown.options)),
            chosen=shown.chosen,
        )

    def show_finished(self, state: AgreedState) -> ScoreScreen:
        """Show who has won, and the final ranking."""
        position: Any = state.position
        assert position.outcome is not None, "a game that is over has an outcome"
        names = [player(position.players[seat - 1]) for seat in position.outcome.winners]
        who = reduce(lambda before, name: Text("{before} and {name}", before=before, name=name), names)
        headline = plural("{who} wins.", "{who} share the win.", count=len(names), who=who)
        shown = self.make_base(state, Mood.FINISHED)
        details = (*self.say(*self.own.ending_words(position)), *shown.details)
        ranking = self.own.list_ranks(position)
        return shown.turn_into(ScoreScreen, headline=headline.said(self.language), details=details, ranking=ranking)


def _name_mover(state: AgreedState, made: Accepted) -> tuple[str, ...]:
    """Return the name and the short name of whoever made a move; none where it is not one player's."""
    seat, players = getattr(made.move, "seat", None), state.position.players
    return (players[seat - 1], short_names(players)[seat - 1]) if isinstance(seat, int) else ()

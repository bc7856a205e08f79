"""A round's history as TOML: written, read, and replayed to the same cent.

The form follows the Poker Hand History conventions (PHH; Juho Kim, Recording and Describing Poker Hands, arXiv
2312.11753) as far as they go: ``variant``, ``antes``, and ``actions`` in order with cards written together:
``d dh p1 AsKd...`` deals a hand, ``d db 7c2d`` the community cards, ``p1 f`` folds, ``p1 cc`` checks, ``p1 sd 2s``
discards cards (``p1 sd``: none).  House-banked games add words of their own (``d dh dealer ...``, ``d w1 7c``,
``p1 play``) and fields that begin with an underscore.  The ids ``fold``, ``check`` and ``stand`` are read too.  Seats
are p1, p2 ...; money is whole cents, a meter 1/10,000 of a cent.
"""

import re
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import zip_longest
from pathlib import Path

from pydantic import ValidationError

from pitboss.cards import format_card
from pitboss.contract import Action, Game
from pitboss.core.errors import HistoryError, PitbossError
from pitboss.core.files import read_text
from pitboss.core.strict_model import first_error
from pitboss.games import load_game
from pitboss.meter import Meter
from pitboss.options import resolve_options
from pitboss.paytables import parse_paytables, select_paytables
from pitboss.table.round.awards import apply_fixed_awards
from pitboss.table.round.driver import Round
from pitboss.table.round.events import FixedAward
from pitboss.table.round.history_schema import (
    DISCARD_WORD,
    PHH_ACTIONS,
    STAND_ACTION,
    History,
    SettlementRecord,
    describe_void,
)
from pitboss.table.round.history_writer import build_history, format_deal
from pitboss.table.round.opening import open_round
from pitboss.table.round.procedure import deal_first_cards
from pitboss.table.round.stub import Shuffle
from pitboss.table.round.wagers import Stake

_CARD = re.compile(r"[2-9TJQKA][shdc]|Jk[12]?")  # of any deck; a deck of 53 has Jk2s for the Joker and a deuce


def parse_history(text: str, where: str = "the history") -> History:
    """Parse a history from TOML.

    Raises:
        HistoryError: it is not valid TOML, or a field is missing, unknown or of a wrong type.
    """
    try:
        return History.model_validate(tomllib.loads(text), by_alias=True, by_name=False)
    except ValidationError as error:
        message = f"{where}{_describe_document_fault(error)}"
        raise HistoryError(message, code="invalid-document") from None
    except (ValueError, RecursionError) as error:  # of tomllib; a number of too many digits; too deep a nesting
        message = f"{where} is not valid TOML: {error}"
        raise HistoryError(message, code="invalid-document") from None


def _describe_document_fault(error: ValidationError) -> str:
    """Describe what is wrong with a history, to follow its name."""
    first = error.errors()[0]
    if first["type"] == "missing" and first["loc"] == ("variant",):
        return " is not a round's history: it has no variant"
    fields = [field.alias or name for name, field in History.model_fields.items()]
    close = get_close_matches(str(first["loc"][0]), fields, n=1) if len(first["loc"]) == 1 else []
    if first["type"] == "extra_forbidden" and close:
        return f": {first['loc'][0]} is not known here: did you mean {close[0]}?"
    return f": {first_error(error)}"


def read_history(path: Path) -> History:
    """Read a history file; raise as ``parse_history``, also if it is unreadable."""
    return parse_history(read_text(path, HistoryError), str(path))


def _parse_cards(text: str, game: Game, where: str) -> list[int]:
    names = {format_card(card, game.deck): card for card in game.deck.cards}
    cards: list[int] = []
    rest = text
    while rest:
        name = rest[:2] if rest[:2] in names else rest[:3]
        if name not in names:
            other = _CARD.match(rest)
            wrong = (
                f"{other[0]} is not in this deck of {game.deck.size}"
                if other
                else f"{rest!r} does not begin with a card"
            )
            raise HistoryError(f"{where}: {wrong}: write cards together, as AsTd", code="unreadable-cards")
        cards.append(names[name])
        rest = rest[len(name) :]
    return cards


def list_dealt_cards(history: History, game: Game) -> list[int]:
    """List every card that the history deals, in order.

    A card is dealt again only if the stub may be reshuffled and a seat has discarded the card (LU-11).

    Raises:
        HistoryError: a word is not a card, or a card is dealt that is in play already.
    """
    cards: list[int] = []
    in_play: dict[int, str] = {}
    reshuffles = resolve_options(game, history.options).get("short_deck") == "reshuffle"
    for action in history.actions:
        actor, word, *rest = (*action.split(), "", "")
        if actor == "d":
            for card in _parse_cards(action.rsplit(" ", 1)[-1], game, repr(action)):
                if card in in_play:
                    message = f"{action!r}: {format_card(card, game.deck)} is already dealt: a card is dealt only once"
                    raise HistoryError(message, code="card-twice", action=action)
                in_play[card] = rest[0]
                cards.append(card)
        elif reshuffles:
            discards = _parse_cards(rest[0], game, repr(action)) if word == DISCARD_WORD else ()
            folds = word == PHH_ACTIONS["fold"]
            gone = {card for card, owner in in_play.items() if card in discards or (folds and owner == actor)}
            in_play = {card: owner for card, owner in in_play.items() if card not in gone}
    return cards


def _verify_first_deal(history: History, game: Game) -> None:
    """Check that the first deals go where the rules deal, with as many cards.

    Raises:
        HistoryError: a deal is missing, goes elsewhere, or has too few or too many cards.
    """
    deals = deal_first_cards(game, len(history.antes), game.deck.cards)
    for place, (deal, action) in enumerate(zip_longest(deals, history.actions), start=1):
        if deal is None:
            return
        to, count = format_deal(deal, game).rsplit(" ", 1)[0], len(deal.cards)
        written = action or "missing"
        if not written.startswith(f"{to} "):
            raise HistoryError(
                f"action {place} is {written!r}: the rules deal {count} cards here, as '{to} ...'",
                code="wrong-deal",
                written=written,
                count=count,
                to=to,
            )
        written_count = len(_parse_cards(written.rsplit(" ", 1)[-1], game, repr(written)))
        if written_count != count:
            raise HistoryError(
                f"action {place} is {written!r}: {written_count} cards, but the rules deal {count}",
                code="wrong-card-count",
                written=written,
                written_count=written_count,
                count=count,
            )


def _reconstruct_deck(dealt: Sequence[int], game: Game) -> tuple[Sequence[int], Shuffle]:
    """Return a deck that deals ``dealt``, and a shuffle for its repeated cards."""
    first = list(dict.fromkeys(dealt))
    deck = first + [card for card in game.deck.cards if card not in first]
    again = [card for place, card in enumerate(dealt) if card in dealt[:place]]

    def shuffle(cards: Sequence[int]) -> list[int]:
        head = [card for card in dict.fromkeys(again) if card in cards]
        return head + [card for card in cards if card not in head]

    return deck, shuffle


def _format_legal_actions(legal: Sequence[Action]) -> list[str]:
    """Format the legal actions by their ids, which a history may have."""
    return [
        f"{DISCARD_WORD} and {action.discards} card{'s' * (action.discards > 1)}"
        if action.discards
        else DISCARD_WORD
        if action.id == STAND_ACTION
        else action.id
        for action in legal
    ]


def _resolve_action(word: str, cards: Sequence[int], legal: Sequence[Action], where: str) -> str:
    """Return the legal action that a word means: its own name, or PHH's."""
    by_word = {PHH_ACTIONS.get(action.id, action.id): action.id for action in legal if not action.discards}
    if word == DISCARD_WORD:
        matches = [
            action.id for action in legal if action.discards == len(cards) and (cards or action.id == STAND_ACTION)
        ]
        by_word = {DISCARD_WORD: matches[0]} if matches else {}
    if word not in by_word:
        legal_here = f"write {', '.join(_format_legal_actions(legal))}" if legal else "nobody is to act"
        raise HistoryError(f"{where}: not a legal action here: {legal_here}", code="illegal-now")
    return by_word[word]


def replay_history(history: History, deck_and_shuffle: tuple[Sequence[int], Shuffle] | None = None) -> Round:
    """Replay a history and check the results that it records.

    ``deck_and_shuffle``, if given, deals the round and shuffles its discards; it must deal the history's cards.

    Raises:
        HistoryError: the history does not follow the rules, or its settlements are not those of the rules.
        PitbossError: a wager, option, pay table or card in it is not valid.
    """
    if history.fair is not None and history.fair.missing_seats and not history.actions:
        raise HistoryError(
            describe_void(history.fair.round, history.fair.missing_seats) + "  No card was dealt", code="round-void"
        )
    game = load_game(history.variant)
    for selection in history.paytables:
        if selection.endswith(".toml"):
            message = f"a history names its pay tables by id, not by file like {selection!r}: include the table in it"
            raise HistoryError(message, code="pay-table-by-file", selection=selection)
    if history.deck and history.deck not in game.deck_backs:
        backs = " or ".join(repr(back) for back in game.deck_backs) or "left out: the game has one"
        raise HistoryError(
            f"_deck is {history.deck!r}: the deck of {game.id} is {backs}",
            code="unknown-deck",
            deck=history.deck,
            game=game.id,
        )
    meter = Meter(history.meter.meter_units, history.meter.reserve_units) if history.meter else None
    own = parse_paytables({"paytable": history.own_paytables}, game, "_own_paytables") if history.own_paytables else ()
    game_round = open_round(
        game,
        len(history.antes),
        options=history.options,
        paytables={**select_paytables(game, history.paytables), **{table.kind: table for table in own}},
        preset=history.preset,
        limits={bet: (limit.minimum_cents, limit.maximum_cents) for bet, limit in history.limits.items()},
        meter=meter,
    )
    for seat, cents in enumerate(history.antes):
        game_round = game_round.place_wager(Stake(seat, "main", cents))
    for wager in history.wagers:
        on = None if wager.on is None else wager.on - 1
        game_round = game_round.place_wager(Stake(wager.seat - 1, wager.bet, wager.cents, on))
    _verify_first_deal(history, game)
    deck, shuffle = deck_and_shuffle or _reconstruct_deck(list_dealt_cards(history, game), game)
    game_round = game_round.deal(deck, shuffle)
    for place, action in enumerate(history.actions, start=1):
        if not action.startswith("d "):
            game_round = _apply_action(game_round, action, shuffle)
        elif place in history.late:
            raise HistoryError(
                f"_late names action {place}, {action!r}: only a decision can time out",
                code="not-a-decision",
                action=action,
            )
    if max(history.late, default=0) > len(history.actions):
        raise HistoryError(
            f"_late names action {max(history.late)}, but there are only {len(history.actions)}",
            code="unknown-move",
            given=len(history.actions),
        )
    if history.awards:
        fixed = (FixedAward(each.seat - 1, each.meter_cents, each.short_cents) for each in history.awards)
        game_round = apply_fixed_awards(game_round, fixed)
    _verify_result(history, game_round)
    return game_round


def _apply_action(game_round: Round, action: str, shuffle: Shuffle) -> Round:
    match = re.fullmatch(r"p([1-9]) (\S+)(?: (\S+))?", action)
    if match is None:
        raise HistoryError(
            f"{action!r} is not a valid action: write it as 'p1 f', 'p1 sd 2s' or 'd dh p1 AsKd'",
            code="unreadable-move",
            action=action,
        )
    cards = _parse_cards(match[3] or "", game_round.game, repr(action))
    action_id = _resolve_action(match[2], cards, game_round.list_legal_actions(), repr(action))
    try:
        return game_round.decide(int(match[1]) - 1, action_id, cards, shuffle)
    except PitbossError as error:
        raise HistoryError.from_error(error, repr(action)) from None


def _verify_result(history: History, game_round: Round) -> None:
    if not game_round.is_closed:
        seat, decision = game_round.turn or (0, 0)
        question = game_round.game.decisions[decision].id
        message = f"the history ends too early: seat {seat + 1} must still answer {question}"
        raise HistoryError(message, code="history-too-short", seat=seat + 1)
    replay = build_history(game_round)
    for place, (written, played) in enumerate(zip(history.actions, replay.actions, strict=False), start=1):
        if written != played:
            raise HistoryError(
                f"action {place} is {written!r}{_describe_difference(written, played, game_round.game)}",
                code="other-move",
                written=written,
            )
    if len(history.actions) != len(replay.actions):
        raise HistoryError(
            f"the history has {len(history.actions)} actions, the rules give {len(replay.actions)}",
            code="history-too-long",
            given=len(history.actions),
        )
    if history.settlements:
        _verify_settlements(history.settlements, replay.settlements)


def _describe_difference(written: str, replayed: str, game: Game) -> str:
    """Describe what the rules give instead: an action, or only its card count."""
    (to, cards), (replayed_to, replayed_cards) = (text.rsplit(" ", 1) for text in (written, replayed))
    if to == replayed_to and to.startswith("d "):
        written_count, count = (len(_parse_cards(each, game, repr(written))) for each in (cards, replayed_cards))
        if written_count != count:
            return f": {written_count} cards, but the rules deal {count}"
    return f", the rules give {replayed!r}"


def _verify_settlements(written: Sequence[SettlementRecord], replayed: Sequence[SettlementRecord]) -> None:
    unmatched = list(written)
    for record in replayed:
        if record in unmatched:
            unmatched.remove(record)
            continue
        wager = (record.seat, record.bet, record.on)
        other = next((each for each in unmatched if (each.seat, each.bet, each.on) == wager), None)
        message = (
            f"p{record.seat} {record.bet}: the rules give {record.outcome}, net {record.net_cents} cents; "
            f"the history has {f'{other.outcome}, net {other.net_cents}' if other else 'no such settlement'}"
        )
        raise HistoryError(
            message,
            code="other-result",
            seat=record.seat,
            bet=record.bet,
            outcome=record.outcome,
            net_cents=record.net_cents,
        )
    for extra in unmatched:
        message = f"p{extra.seat} {extra.bet}: the history has {extra.outcome}, the rules give no such settlement"
        raise HistoryError(message, code="other-result", seat=extra.seat, bet=extra.bet, outcome=extra.outcome)

"""A round's history as TOML: written, read, and replayed to the same cent.

The form follows the Poker Hand History conventions (PHH; Juho Kim, Recording and Describing Poker Hands, arXiv
2312.11753) as far as they reach: ``variant``, ``antes``, and ``actions`` in order with cards written together:
``d dh p1 AsKd...`` deals a hand, ``d db 7c2d`` the community cards, ``p1 f`` folds, ``p1 cc`` checks, ``p1 sd 2s``
gives up cards (``p1 sd``: none).  What a house-banked game adds has words of its own (``d dh dealer ...``,
``d w1 7c``, ``p1 play``) or stands in fields that begin with an underscore.  Seats are p1, p2 ...; money is whole
cents, a meter 1/10,000 of a cent.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import tomli_w
from pydantic import ValidationError

from pitboss.cards import format_card
from pitboss.contract import Action, Game
from pitboss.core.errors import HistoryError, PitbossError
from pitboss.core.files import read_text
from pitboss.core.strict_model import first_error
from pitboss.core.version import __version__
from pitboss.games import load_game
from pitboss.meter import Meter
from pitboss.options import resolve_options
from pitboss.paytables import load_builtin_paytables, parse_paytables, select_paytables, to_document
from pitboss.table.domain.awards import awarded
from pitboss.table.domain.events import Dealt, Decided, EnvyPaid, FixedAward, Settled
from pitboss.table.domain.form import (
    AwardRecord,
    History,
    LimitRecord,
    MeterRecord,
    SettlementRecord,
    WagerRecord,
    describe_void,
)
from pitboss.table.domain.opening import open_round
from pitboss.table.domain.procedure import first_dealings
from pitboss.table.domain.round import Round
from pitboss.table.domain.stub import Shuffle
from pitboss.table.domain.wagers import Stake

_CARD = re.compile(r"[2-9TJQKA][shdc]|Jk[12]?")  # of any deck; a deck of 53 has Jk2s for the Joker and a deuce
_PHH_WORDS = {"fold": "f", "check": "cc"}
_GIVE_UP = "sd"
_STAND = "stand"


def parse_history(text: str, where: str = "the history") -> History:
    """Read a history from TOML.

    Raises:
        HistoryError: it is no TOML, or a field is missing, unknown or of a wrong kind.
    """
    try:
        return History.model_validate(tomllib.loads(text), by_alias=True, by_name=False)
    except ValidationError as error:
        raise HistoryError(f"{where}: {first_error(error)}") from None
    except (ValueError, RecursionError) as error:  # tomllib's own, a number of too many digits, too deep a nesting
        message = f"{where} is no TOML: {error}"
        raise HistoryError(message) from None


def read_history(path: Path) -> History:
    """Read a history from a file (raises as ``parse_history``, also where the file cannot be read)."""
    return parse_history(read_text(path, HistoryError), str(path))


def format_history(history: History) -> str:
    """Write a history as TOML; what stands at its default is left out.

    Reading it gives the same history, and writing that the same text.
    """
    return tomli_w.dumps(history.model_dump(by_alias=True, exclude_defaults=True), multiline_strings=False)


# From a round to its history.


def _cards_text(cards: Iterable[int], game: Game) -> str:
    return "".join(format_card(card, game.deck) for card in cards)


def _deal_text(event: Dealt, game: Game) -> str:
    cards = _cards_text(event.cards, game)
    match event.to:
        case "seat" if event.seat is not None:
            return f"d dh p{event.seat + 1} {cards}"
        case "dealer":
            return f"d dh dealer {cards}"
        case "community":
            return f"d db {cards}"
        case zone:
            return f"d {zone.lower()} {cards}"


def _decision_text(event: Decided, game: Game) -> str:
    if event.cards or event.action == _STAND:
        return f"p{event.seat + 1} {_GIVE_UP} {_cards_text(event.cards, game)}".rstrip()
    return f"p{event.seat + 1} {_PHH_WORDS.get(event.action, event.action)}"


def _action_texts(now: Round) -> Iterator[str]:
    for event in now.events:
        if isinstance(event, Dealt):
            yield _deal_text(event, now.game)
        elif isinstance(event, Decided):
            yield _decision_text(event, now.game)


def _settlement_records(now: Round) -> Iterator[SettlementRecord]:
    for event in now.events:
        if isinstance(event, Settled):
            on = None if event.on is None else event.on + 1
            yield SettlementRecord(
                seat=event.seat + 1, bet=event.bet, outcome=event.outcome, net_cents=event.net_cents, on=on
            )
        elif isinstance(event, EnvyPaid):
            yield SettlementRecord(
                seat=event.seat + 1,
                bet=event.bet,
                outcome=f"envy-{event.line}",
                net_cents=event.cents,
                on=event.hitter + 1,
            )


def _meter_record(now: Round) -> MeterRecord | None:
    if now.opening_meter is None or not now.on_meter:
        return None
    return MeterRecord(meter_units=now.opening_meter.units, reserve_units=now.opening_meter.reserve_units)


def history_of(now: Round, *, title: str = "", seed: int | None = None, deck: str = "") -> History:
    """Write down a round; ``deck`` says which of several decks was in play (LU-2), ``seed`` how it can be had again."""
    game = now.game
    built_in = {(table.kind, table.id): table for table in load_builtin_paytables(game)}
    others = [table for table in now.paytables.values() if not (table.default and table in built_in.values())]
    own = [table for table in others if built_in.get((table.kind, table.id)) != table]
    return History(
        variant=game.id,
        antes=[now.stake_cents(seat, "main") for seat in range(now.seats)],
        actions=list(_action_texts(now)),
        title=title,
        pitboss=__version__,
        seed=seed,
        deck=deck,
        preset=now.preset,
        limits={bet: LimitRecord(minimum_cents=low, maximum_cents=high) for bet, (low, high) in now.own_limits.items()},
        options={
            option.name: now.options[option.name]
            for option in game.options
            if now.options[option.name] != option.default
        },
        paytables=[f"{table.bet}={table.id}" for table in others if table not in own],
        meter=_meter_record(now),
        awards=[
            AwardRecord(seat=award.seat + 1, meter_cents=award.meter_cents, short_cents=award.short_cents)
            for award in now.awards
        ],
        own_paytables=[to_document(table) for table in own],
        wagers=[
            WagerRecord(
                seat=stake.seat + 1, bet=stake.bet, cents=stake.cents, on=None if stake.on is None else stake.on + 1
            )
            for stake in now.stakes
            if stake.bet != "main"
        ],
        settlements=list(_settlement_records(now)),
    )


# From a history to its round.


def _read_cards(text: str, game: Game, where: str) -> list[int]:
    names = {format_card(card, game.deck): card for card in game.deck.cards}
    cards: list[int] = []
    rest = text
    while rest:
        name = rest[:2] if rest[:2] in names else rest[:3]
        if name not in names:
            other = _CARD.match(rest)
            wrong = f"{other[0]} is not in this deck of {game.deck.size}" if other else f"{rest!r} begins with no card"
            message = f"{where}: {wrong}: write cards together, as AsTd"
            raise HistoryError(message)
        cards.append(names[name])
        rest = rest[len(name) :]
    return cards


def dealt_cards(history: History, game: Game) -> list[int]:
    """Return every card the history deals, in order.

    A card may stand again only where a stub may be renewed, once a seat has given it up (LU-11).

    Raises:
        HistoryError: a word is not a card, or a card is dealt that lies elsewhere.
    """
    cards: list[int] = []
    in_play: dict[int, str] = {}
    renews = _renews(history, game)
    for action in history.actions:
        actor, word, *rest = (*action.split(), "", "")
        if actor == "d":
            for card in _read_cards(action.rsplit(" ", 1)[-1], game, repr(action)):
                if card in in_play:
                    message = f"{action!r}: {format_card(card, game.deck)} is dealt already: a card is dealt once"
                    raise HistoryError(message)
                in_play[card] = rest[0]
                cards.append(card)
        elif renews:
            given = _read_cards(rest[0], game, repr(action)) if word == _GIVE_UP else ()
            folded = word == _PHH_WORDS["fold"]
            in_play = {
                card: owner for card, owner in in_play.items() if card not in given and not (folded and owner == actor)
            }
    return cards


def _verify_first_deal(history: History, game: Game) -> None:
    """Check that the history begins with the cards of the first deal: as many to each as the rules deal.

    Raises:
        HistoryError: a deal is missing, goes elsewhere, or has too few or too many cards.
    """
    wanted = first_dealings(game, len(history.antes), game.deck.cards)
    for place, (deal, action) in enumerate(zip_longest(wanted, history.actions), start=1):
        if deal is None:
            return
        to, count = _deal_text(deal, game).rsplit(" ", 1)[0], len(deal.cards)
        said = action or "missing"
        if not said.startswith(f"{to} "):
            raise HistoryError(f"action {place} is {said!r}: the rules deal {count} cards here, as '{to} ...'")
        dealt = len(_read_cards(said.rsplit(" ", 1)[-1], game, repr(said)))
        if dealt != count:
            raise HistoryError(f"action {place} is {said!r}: {dealt} cards, and the rules deal {count}")


def _renews(history: History, game: Game) -> bool:
    """Return whether cards given up may be dealt again in this history (LU-11)."""
    return resolve_options(game, history.options).get("short_deck") == "reshuffle"


def _deck_and_shuffle(dealt: Sequence[int], game: Game) -> tuple[Sequence[int], Shuffle]:
    """Return a deck that deals ``dealt``, and the shuffle that deals a card that stands in it again."""
    first = list(dict.fromkeys(dealt))
    deck = first + [card for card in game.deck.cards if card not in first]
    again = [card for place, card in enumerate(dealt) if card in dealt[:place]]

    def shuffle(cards: Sequence[int]) -> list[int]:
        head = [card for card in dict.fromkeys(again) if card in cards]
        return head + [card for card in cards if card not in head]

    return deck, shuffle


def _legal_words(legal: Sequence[Action]) -> list[str]:
    """Return the legal actions as a history writes them."""
    return [
        f"{_GIVE_UP} and {action.discards} card{'s' * (action.discards > 1)}"
        if action.discards
        else _GIVE_UP
        if action.id == _STAND
        else _PHH_WORDS.get(action.id, action.id)
        for action in legal
    ]


def _action_meant(word: str, cards: Sequence[int], legal: Sequence[Action], where: str) -> str:
    """Return the legal action a word means: its own name, or PHH's."""
    named = {_PHH_WORDS.get(action.id, action.id): action.id for action in legal if not action.discards}
    if word == _GIVE_UP:
        fitting = [action.id for action in legal if action.discards == len(cards) and (cards or action.id == _STAND)]
        named = dict.fromkeys([_GIVE_UP], fitting[0]) if fitting else {}
    if word not in named:
        legal_here = f"write {', '.join(_legal_words(legal))}" if legal else "nobody is to act"
        message = f"{where}: not a legal action here: {legal_here}"
        raise HistoryError(message)
    return named[word]


def replay(history: History, chance: tuple[Sequence[int], Shuffle] | None = None) -> Round:
    """Play a history again from its cards and actions, and check everything that it says came of them.

    With ``chance``, a deck and a shuffle of what is given up, from these, which must deal the history's cards.

    Raises:
        HistoryError: the history does not follow the rules, or its settlements are not what the rules give.
        PitbossError: a wager, option, pay table or card in it is not in order.
    """
    if history.fair is not None and history.fair.missing and not history.actions:
        raise HistoryError(describe_void(history.fair.round, history.fair.missing) + "  No card was dealt")
    game = load_game(history.variant)
    for selection in history.paytables:
        if selection.endswith(".toml"):
            message = f"a history names its pay tables by id, not by file as {selection!r}: write the table into it"
            raise HistoryError(message)
    if history.deck and history.deck not in game.deck_backs:
        backs = " or ".join(repr(back) for back in game.deck_backs) or "left out: the game has one"
        raise HistoryError(f"_deck is {history.deck!r}: the deck of {game.id} is {backs}")
    kept = history.meter
    meter = Meter(kept.meter_units, kept.reserve_units) if kept else None
    own = parse_paytables({"paytable": history.own_paytables}, game, "_own_paytables") if history.own_paytables else ()
    now = open_round(
        game,
        len(history.antes),
        options=history.options,
        paytables={**select_paytables(game, history.paytables), **{table.kind: table for table in own}},
        preset=history.preset,
        limits={bet: (own.minimum_cents, own.maximum_cents) for bet, own in history.limits.items()},
        meter=meter,
    )
    for seat, cents in enumerate(history.antes):
        now = now.wager(Stake(seat, "main", cents))
    for wager in history.wagers:
        now = now.wager(Stake(wager.seat - 1, wager.bet, wager.cents, None if wager.on is None else wager.on - 1))
    _verify_first_deal(history, game)
    deck, shuffle = chance or _deck_and_shuffle(dealt_cards(history, game), game)
    now = now.deal(deck, shuffle)
    for place, action in enumerate(history.actions, start=1):
        if not action.startswith("d "):
            now = _decided(now, action, shuffle)
        elif place in history.late:
            raise HistoryError(f"_late names action {place}, {action!r}: time runs out for a seat that has to decide")
    if max(history.late, default=0) > len(history.actions):
        raise HistoryError(f"_late names action {max(history.late)}, and there are {len(history.actions)}")
    if history.awards:
        fixed = (FixedAward(each.seat - 1, each.meter_cents, each.short_cents) for each in history.awards)
        now = awarded(now, fixed)
    _compare(history, now)
    return now


def _decided(now: Round, action: str, shuffle: Shuffle) -> Round:
    match = re.fullmatch(r"p([1-9]) (\S+)(?: (\S+))?", action)
    if match is None:
        message = f"{action!r} is no action: write as 'p1 f', 'p1 sd 2s' or 'd dh p1 AsKd'"
        raise HistoryError(message)
    cards = _read_cards(match[3] or "", now.game, repr(action))
    meant = _action_meant(match[2], cards, now.legal_actions(), repr(action))
    try:
        return now.decide(int(match[1]) - 1, meant, cards, shuffle)
    except PitbossError as error:
        message = f"{action!r}: {error}"
        raise HistoryError(message) from None


def _compare(history: History, now: Round) -> None:
    if not now.closed:
        seat, decision = now.turn or (0, 0)
        message = f"the history ends too early: p{seat + 1} still has to {now.game.decisions[decision].id}"
        raise HistoryError(message)
    again = history_of(now)
    for place, (written, played) in enumerate(zip(history.actions, again.actions, strict=False), start=1):
        if written != played:
            raise HistoryError(f"action {place} is {written!r}{_difference(written, played, now.game)}")
    if len(history.actions) != len(again.actions):
        message = f"the history has {len(history.actions)} actions, the rules give {len(again.actions)}"
        raise HistoryError(message)
    if history.settlements:
        _compare_settlements(history.settlements, again.settlements)


def _difference(written: str, played: str, game: Game) -> str:
    """Say what the rules give in the place of an action: of cards to the same place how many, if that differs."""
    (to, cards), (rightly_to, right) = (text.rsplit(" ", 1) for text in (written, played))
    if to == rightly_to and to.startswith("d "):
        dealt, count = (len(_read_cards(each, game, repr(written))) for each in (cards, right))
        if dealt != count:
            return f": {dealt} cards, and the rules deal {count}"
    return f", the rules give {played!r}"


def _compare_settlements(written: Sequence[SettlementRecord], played: Sequence[SettlementRecord]) -> None:
    left = list(written)
    for record in played:
        if record in left:
            left.remove(record)
            continue
        place = (record.seat, record.bet, record.on)
        said = next((each for each in left if (each.seat, each.bet, each.on) == place), None)
        message = (
            f"p{record.seat} {record.bet}: the rules give {record.outcome}, net {record.net_cents} cents; "
            f"the history says {f'{said.outcome}, net {said.net_cents}' if said else 'nothing of the kind'}"
        )
        raise HistoryError(message)
    for extra in left:
        message = f"p{extra.seat} {extra.bet}: the history says {extra.outcome}, the rules give nothing of the kind"
        raise HistoryError(message)

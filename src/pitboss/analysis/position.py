"""Which decision a person is at: told by the cards that lie before them, and checked by playing the round there.

A position is found by dealing it: the cards seen are laid where the game's own rules look for them, the rest of the
deck behind, and the round is played up to the decision.  So whatever the rules say happens there has happened.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.cards import FIRST_JOKER, Deck, format_card, format_cards, get_rank, make_mask, seeded_bits, shuffle_cards
from pitboss.contract import NO_DECISION, UNSETTLED, Action, Decision, Game, PayTable
from pitboss.core.errors import CardError, IllegalActionError
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options
from pitboss.paytables import compute_outcome_net

_MAX_PROBES = 200
_UNIT_CENTS = 100

NamedCards = Mapping[str, tuple[int, ...]]
"""Cards by what people call them: ``player``, ``dealer``, ``indicators`` ..."""


@dataclass(frozen=True, slots=True)
class Position:
    """A seat at a decision: its number, what it sees (the game's own view), and what it may do."""

    decision_index: int
    decision: Decision
    view: Any
    legal: tuple[Action, ...]


class _RoundProgress(NamedTuple):
    """How far a round was played: its state, the decision asked (NO_DECISION at its end), and how much is dealt."""

    state: Any
    decision_index: int
    dealt_cards: int


def list_card_names(game: Game) -> tuple[str, ...]:
    """Return what cards are called that a seat may see at some decision, its own first.

    >>> from pitboss.games import load_game
    >>> list_card_names(game_named("shifting-wilds"))
    ('player', 'community', 'indicators')
    """
    return tuple(dict.fromkeys(seen.group or seen.field for each in game.decisions for seen in each.view_fields))


def find_position(
    game: Game, paytables: Mapping[str, PayTable], options: Mapping[str, str], seen_cards: NamedCards
) -> Position:
    """Return the decision at which a seat sees the cards ``seen_cards`` and no others.

    After a draw ``player`` may be the cards held now, those kept, or the first ones: which of them is told by the cards
    of ``drew`` and ``discarded``.

    Raises:
        CardError: a card stands twice, or no decision sees so many cards.
        IllegalActionError: the round is over before it gets there, or no round ever does.
    """
    seen_cards = {name: cards for name, cards in seen_cards.items() if cards}
    for name in seen_cards:
        if name not in list_card_names(game):
            known = ", ".join(f"--{each}" for each in list_card_names(game))
            raise CardError(f"{game.id} has no {name} cards to be seen at a decision: give {known}")
    held = _resolve_held_cards(game, seen_cards)
    _verify_no_duplicates(game.deck, held)
    asked = _find_decision(game, held)
    wanted = _make_view_fields(game.decisions[asked], held)
    codes = encode_options(game, options)
    reached = _reach_decision(game, codes, asked, wanted)
    if reached.decision_index == NO_DECISION:
        raise IllegalActionError(_explain_finished_round(game, paytables, reached.state, codes))
    view = game.rules.view(reached.state)
    stub = game.deck.size - reached.dealt_cards - game.undrawable_cards
    allowed = game.rules.legal_actions(load_hand_tables(), view, asked, stub, codes)
    decision = game.decisions[asked]
    legal = tuple(action for index, action in enumerate(decision.actions) if allowed >> index & 1)
    return Position(asked, decision, view, legal)


def _resolve_held_cards(game: Game, seen_cards: NamedCards) -> NamedCards:
    """Return the cards with ``player`` as those held now: without the ones given up, with the ones drawn."""
    player, drew, gone = (set(seen_cards.get(name, ())) for name in ("player", "drew", "discarded"))
    if drew & gone:
        twice = format_card(min(drew & gone), game.deck)
        raise CardError(f"{twice} stands in --drew and in --discarded: a card is dealt once")
    if len(drew) < len(gone):
        raise CardError(f"--drew has {len(drew)} cards and --discarded {len(gone)}: each card given up is replaced")
    held_now = drew <= player and not gone & player
    kept_or_first = not drew & player and (gone <= player or not gone & player)
    if not (held_now or kept_or_first):
        raise CardError(
            "--player is what is held now, with all of --drew; or what was kept, without --drew and --discarded; "
            "or the first cards, with all of --discarded"
        )
    return {
        **seen_cards,
        "player": (*(card for card in seen_cards.get("player", ()) if card not in gone | drew), *sorted(drew)),
    }


def _verify_no_duplicates(deck: Deck, seen_cards: NamedCards) -> None:
    """Refuse a card that lies in two places; cards drawn are held too."""
    lies_in: dict[int, str] = {}
    for name, cards in seen_cards.items():
        for card in cards if name != "drew" else ():
            if card in lies_in:
                where = f"in --{lies_in[card]} and in --{name}" if lies_in[card] != name else f"twice in --{name}"
                raise CardError(f"{format_card(card, deck)} stands {where}: a card is dealt once")
            lies_in[card] = name


def _find_decision(game: Game, seen_cards: NamedCards) -> int:
    """Return the decision that sees as many cards of each name; of several the first.

    Raises:
        CardError: no decision does; it says what is wrong by the nearest: fewest names, then fewest cards.
    """
    faults = [list(_find_count_errors(decision, seen_cards)) for decision in game.decisions]
    asked = min(range(len(faults)), key=lambda each: (len(faults[each]), sum(off for off, _ in faults[each])))
    if faults[asked]:
        raise CardError(f"at {game.decisions[asked].id} {'; '.join(line for _, line in faults[asked])}")
    return asked


def _find_count_errors(decision: Decision, seen_cards: NamedCards) -> Iterator[tuple[int, str]]:
    """Yield for each name with too many or too few cards by how many, and how many lie there at the decision."""
    least: Counter[str] = Counter()
    most: Counter[str] = Counter()
    for seen in decision.view_fields:
        least[seen.group or seen.field] += seen.min_cards
        most[seen.group or seen.field] += seen.max_cards
    for name in {**most, **seen_cards}:
        count = len(seen_cards.get(name, ()))
        if not least[name] <= count <= most[name]:
            right = f"{least[name]}" if least[name] == most[name] else f"{least[name]} to {most[name]}"
            off = max(least[name] - count, count - most[name])
            yield off, f"--{name} is {right} card{'' if right == '1' else 's'}, not {count}"


def _make_view_fields(decision: Decision, seen_cards: NamedCards) -> dict[str, int]:
    """Return the set of cards in each field of the view; fields of one name take theirs in order."""
    left = {name: list(cards) for name, cards in seen_cards.items()}
    fields = {}
    for seen in decision.view_fields:
        cards = left.get(seen.group or seen.field, [])
        fields[seen.field] = make_mask(cards[: seen.max_cards])
        del cards[: seen.max_cards]
    return fields


def _reach_decision(game: Game, codes: Any, asked: int, wanted: Mapping[str, int]) -> _RoundProgress:
    """Play a round to the decision ``asked`` at which the fields ``wanted`` are seen, or to its end before that."""
    bits = seeded_bits(0)
    tried = set()
    for _ in range(_MAX_PROBES):
        probe = shuffle_cards(game.deck.cards, bits)
        for path in _list_action_paths(game, codes, probe, asked):
            if path in tried:
                continue
            tried.add(path)
            laid = _arrange_deck(game, wanted, probe, game.rules.view(_play_path(game, codes, probe, path).state))
            if laid:
                reached = _play_path(game, codes, laid, path)
                if reached.decision_index == NO_DECISION or _matches_view(game.rules.view(reached.state), wanted):
                    return reached
    raise IllegalActionError(_explain_unreachable(game, asked, some=bool(tried)))


def _explain_unreachable(game: Game, asked: int, *, some: bool) -> str:
    """Say why no round comes to a decision: none at all does, or ``some`` do, with other numbers of cards drawn."""
    decision = game.decisions[asked].id
    draws = ", ".join(
        f"{action.id} draws {action.draws} and gives up {action.discards}"
        for each in game.decisions[:asked]
        for action in each.actions
        if action.draws
    )
    why = f" with these cards: {draws or 'their numbers do not go together'}" if some else " with these options"
    return f"no round comes to {decision}{why}"


def _list_action_paths(game: Game, codes: Any, deck: Sequence[int], asked: int) -> Iterator[tuple[int, ...]]:
    """Yield each row of actions that leads this deck to the decision ``asked``."""
    paths: list[tuple[int, ...]] = [()]
    while paths:
        path = paths.pop()
        reached = _play_path(game, codes, deck, path)
        if reached.decision_index == asked:
            yield path
        elif reached.decision_index != NO_DECISION:
            paths += [(*path, action) for action in range(len(game.decisions[reached.decision_index].actions))]


def _arrange_deck(game: Game, wanted: Mapping[str, int], probe: Sequence[int], view: Any) -> tuple[int, ...] | None:
    """Lay the deck so that each card lies where the probe's deck has one seen in the same fields, if that can be.

    Fields overlap (a card drawn is held as well), so a card is known by the set of fields that hold it.
    """

    def kinds(fields: Mapping[str, int]) -> dict[int, frozenset[str]]:
        return {
            card: frozenset(name for name, cards in fields.items() if cards >> card & 1) for card in game.deck.cards
        }

    lying = kinds(dict(zip(view._fields, view, strict=True)))
    wanted_kinds = kinds(wanted)
    cards: dict[frozenset[str], list[int]] = {}
    for card, kind in wanted_kinds.items():
        cards.setdefault(kind, []).append(card)
    if Counter(lying.values()) != Counter(wanted_kinds.values()):
        return None
    return tuple(cards[lying[card]].pop() for card in probe)


def _play_path(game: Game, codes: Any, deck: Sequence[int], path: Sequence[int]) -> _RoundProgress:
    """Deal ``deck`` to one seat and take the actions of ``path``, giving up the cards that lie lowest in the deck."""
    rules, tables = game.rules, load_hand_tables()
    state = rules.deal(deck, 1, 0, 1)
    top, opened, actions = rules.count_dealt(1), False, list(path)
    while True:
        owed = rules.count_draws(tables, state, codes)
        if owed:
            state = rules.receive_draw(state, make_mask(deck[top : top + owed]))
            top += owed
        asked = rules.next_decision(tables, state, codes)
        if asked == NO_DECISION:
            dealers = rules.count_dealer_draws(state)
            if dealers:
                state = rules.receive_dealer_draw(state, make_mask(deck[top : top + dealers]))
                top += dealers
            elif opened:
                return _RoundProgress(state, NO_DECISION, top)
            else:
                state, opened = rules.show_dealer(state), True
        elif not actions:
            return _RoundProgress(state, asked, top)
        else:
            action = actions.pop(0)
            view = rules.view(state)
            held = [card for card in deck if view.player >> card & 1]
            state = rules.act(state, asked, action, make_mask(held[: game.decisions[asked].actions[action].discards]))


def _matches_view(view: Any, wanted: Mapping[str, int]) -> bool:
    """Tell whether the view has the cards wanted and none in other fields."""
    return all(cards == wanted.get(name, 0) for name, cards in zip(view._fields, view, strict=True))


def _explain_finished_round(game: Game, paytables: Mapping[str, PayTable], state: Any, codes: Any) -> str:
    """Say that nothing is left to decide, and what ``main`` nets; the cards seen settle it, or it would be asked."""
    settled = game.rules.settle(load_hand_tables(), state, codes)[0]
    if settled == UNSETTLED:
        return "nothing is left to decide with these cards"
    outcome = game.wagers[0].outcomes[settled]
    net = Fraction(compute_outcome_net(outcome, paytables, _UNIT_CENTS), _UNIT_CENTS)
    return f"nothing is left to decide with these cards: {game.wagers[0].name} ends in {outcome.name}, net {net}"


def format_view_cards(view: Any, decision: Decision, deck: Deck) -> dict[str, str]:
    """Return the cards of a view as people write them, by what they call them, the highest ranks of a field first.

    >>> from pitboss.games import load_game
    >>> game = game_named("wild-six-card")
    >>> format_view_cards(game.rules.view(game.rules.deal(range(54), 1, 0, 0)), game.decisions[0], game.deck)
    {'player': '6s 5s 4s 3s 2s'}
    """
    named: dict[str, list[int]] = {}
    for seen in decision.view_fields:
        held = [card for card in deck.cards if getattr(view, seen.field) >> card & 1]
        held.sort(key=lambda card: (card >= FIRST_JOKER, -get_rank(card), card))
        named.setdefault(seen.group or seen.field, []).extend(held)
    return {name: format_cards(cards, deck) for name, cards in named.items() if cards}

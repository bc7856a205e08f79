"""Positions: the decision that a seat is at, found from the cards it sees.

The cards seen are put where the game's own rules look for them, the rest of the deck behind them, and a round is played
up to the decision.  So the position is one that the rules really produce.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.analysis.single_round import ActionChoice, RoundProgress, play_round
from pitboss.builders import display_name
from pitboss.cards import FIRST_JOKER, Deck, format_card, format_cards, get_rank, make_mask, seeded_bits, shuffle_cards
from pitboss.contract import NO_DECISION, UNSETTLED, Action, Decision, Game, PayTable
from pitboss.core.errors import CardError, IllegalActionError
from pitboss.hands import load_hand_tables
from pitboss.options import encode_options
from pitboss.outcome_nets import compute_outcome_net
from pitboss.value_units import name_value_unit

_MAX_PROBES = 200
_UNIT_CENTS = 100

NamedCards = Mapping[str, tuple[int, ...]]
"""Cards by the name people give them: ``player``, ``dealer``, ``indicators`` ..."""


@dataclass(frozen=True, slots=True)
class Position:
    """A seat at a decision: its view of the cards and the legal actions.

    ``view`` is the game's own named tuple, and ``decision_index`` the number of the decision in the game.  ``taken``
    are the seat's actions at earlier decisions, None if they are not known.
    """

    decision_index: int
    decision: Decision
    view: Any
    legal: tuple[Action, ...]
    taken: tuple[str, ...] | None = None


def list_card_names(game: Game) -> tuple[str, ...]:
    """List the names of all cards that a seat may see, its own cards first.

    >>> from pitboss.games import load_game
    >>> list_card_names(load_game("shifting-wilds"))
    ('player', 'community', 'indicators')
    """
    return tuple(dict.fromkeys(seen.group or seen.field for each in game.decisions for seen in each.view_fields))


def find_position(
    game: Game,
    paytables: Mapping[str, PayTable],
    options: Mapping[str, str],
    seen_cards: NamedCards,
    taken: tuple[str, ...] | None = None,
) -> Position:
    """Find the decision at which a seat sees exactly the cards ``seen_cards``.

    After a draw ``player`` may be the cards held now, those not discarded, or the first ones; ``drew`` and
    ``discarded`` show which.  ``taken`` are the actions at earlier decisions, if they are known.

    Raises:
        CardError: a card occurs twice, or no decision shows this many cards.
        IllegalActionError: the round ends before this decision, or no round reaches it.
    """
    seen_cards = {name: cards for name, cards in seen_cards.items() if cards}
    verify_card_names(game, seen_cards)
    held = _resolve_held_cards(game, seen_cards)
    _verify_no_duplicates(game.deck, held)
    decision_index = _find_decision(game, held)
    fields = _make_view_fields(game.decisions[decision_index], held)
    codes = encode_options(game, options)
    progress = _reach_decision(game, codes, decision_index, fields, taken)
    if progress.decision_index == NO_DECISION:
        raise IllegalActionError(_explain_finished_round(game, paytables, progress.state, codes), code="round-decided")
    view = game.rules.view(progress.state)
    stub = game.deck.size - progress.dealt - game.undrawable_cards
    legal_bits = game.rules.legal_actions(load_hand_tables(), view, decision_index, stub, codes)
    decision = game.decisions[decision_index]
    legal_actions = tuple(action for index, action in enumerate(decision.actions) if legal_bits >> index & 1)
    return Position(decision_index, decision, view, legal_actions, taken)


def find_state(game: Game, options: Mapping[str, str], position: Position) -> Any:
    """Return a state of the rules in which the seat is at a position.

    The cards that the seat does not see are any.

    Raises:
        IllegalActionError: no round reaches the position.
    """
    wanted = dict(zip(position.view._fields, position.view, strict=True))
    codes = encode_options(game, options)
    return _reach_decision(game, codes, position.decision_index, wanted, position.taken).state


def verify_card_names(game: Game, names: Iterable[str]) -> None:
    """Check that a decision of the game shows cards of these names.

    Raises:
        CardError: none shows cards of a name.
    """
    for name in names:
        if name not in list_card_names(game):
            known = ", ".join(f"--{each}" for each in list_card_names(game))
            raise CardError(
                f"{game.id} shows no {name} cards at a decision: give {known}",
                code="unseen-cards",
                game=game.id,
                name=name,
            )


def _resolve_held_cards(game: Game, seen_cards: NamedCards) -> NamedCards:
    """Return the cards with ``player`` as the cards held now.

    They exclude the discards and include the cards drawn.
    """
    player, drew, discarded = (set(seen_cards.get(name, ())) for name in ("player", "drew", "discarded"))
    if drew & discarded:
        repeated = format_card(min(drew & discarded), game.deck)
        raise CardError(
            f"{repeated} is in --drew and in --discarded: a card is dealt only once",
            code="card-twice",
            repeated=repeated,
        )
    if len(drew) < len(discarded):
        raise CardError(
            f"--drew has {len(drew)} cards and --discarded {len(discarded)}: each card given up is replaced",
            code="unequal-draw",
            given=len(drew),
        )
    is_held_now = drew <= player and not discarded & player
    is_kept_or_first = not drew & player and (discarded <= player or not discarded & player)
    if not (is_held_now or is_kept_or_first):
        raise CardError(
            "--player must be the cards held now, with all of --drew; the cards not discarded, without --drew; "
            "or the first cards, with all of --discarded",
            code="unclear-hand",
        )
    return {
        **seen_cards,
        "player": (*(card for card in seen_cards.get("player", ()) if card not in discarded | drew), *sorted(drew)),
    }


def _verify_no_duplicates(deck: Deck, seen_cards: NamedCards) -> None:
    """Raise CardError if a card is in two places.

    Only drawn cards may be in ``player`` too.
    """
    name_of_card: dict[int, str] = {}
    for name, cards in seen_cards.items():
        for card in cards if name != "drew" else ():
            if card in name_of_card:
                other = name_of_card[card]
                where = f"twice in --{name}" if other == name else f"in --{other} and in --{name}"
                raise CardError(
                    f"{format_card(card, deck)} is {where}: a card is dealt only once",
                    code="card-twice",
                    card=format_card(card, deck),
                )
            name_of_card[card] = name


def _find_decision(game: Game, seen_cards: NamedCards) -> int:
    """Return the first decision that shows this many cards of each name.

    Raises:
        CardError: no decision does; the message is about the nearest one: fewest names wrong, then fewest cards.
    """
    errors = [list(_find_count_errors(decision, seen_cards)) for decision in game.decisions]
    nearest = min(range(len(errors)), key=lambda each: (len(errors[each]), sum(off for off, _ in errors[each])))
    if errors[nearest]:
        raise CardError(
            f"at the decision {game.decisions[nearest].id}, {'; '.join(line for _, line in errors[nearest])}",
            code="other-decision",
            decision=game.decisions[nearest].id,
        )
    return nearest


def _find_count_errors(decision: Decision, seen_cards: NamedCards) -> Iterator[tuple[int, str]]:
    """Yield an error for each name with too many or too few cards.

    An error is the difference and a message with the right number.
    """
    min_counts: Counter[str] = Counter()
    max_counts: Counter[str] = Counter()
    for seen in decision.view_fields:
        min_counts[seen.group or seen.field] += seen.min_cards
        max_counts[seen.group or seen.field] += seen.max_cards
    for name in {**max_counts, **seen_cards}:
        count = len(seen_cards.get(name, ()))
        if not min_counts[name] <= count <= max_counts[name]:
            low, high = min_counts[name], max_counts[name]
            right = f"{low}" if low == high else f"{low} to {high}"
            difference = max(low - count, count - high)
            yield difference, f"--{name} needs {right} card{'' if right == '1' else 's'}, not {count}"


def _make_view_fields(decision: Decision, seen_cards: NamedCards) -> dict[str, int]:
    """Return the set of cards in each field of the view.

    Fields with the same name take their cards in order.
    """
    remaining = {name: list(cards) for name, cards in seen_cards.items()}
    fields = {}
    for seen in decision.view_fields:
        cards = remaining.get(seen.group or seen.field, [])
        fields[seen.field] = make_mask(cards[: seen.max_cards])
        del cards[: seen.max_cards]
    return fields


def _reach_decision(
    game: Game, codes: Any, asked: int, wanted: Mapping[str, int], taken: tuple[str, ...] | None
) -> RoundProgress:
    """Play a round to the decision ``asked``, or to an earlier end.

    At the decision the view has the fields ``wanted``, and ``taken`` are the actions before it, if they are known.
    """
    bits = seeded_bits(0)
    tried = set()
    for _ in range(_MAX_PROBES):
        probe = shuffle_cards(game.deck.cards, bits)
        for path, names in _iter_action_paths(game, codes, probe, asked):
            if path in tried or (taken is not None and names != taken):
                continue
            tried.add(path)
            arranged = _arrange_deck(game, wanted, probe, game.rules.view(_play_path(game, codes, probe, path).state))
            if arranged:
                progress = _play_path(game, codes, arranged, path)
                if progress.decision_index == NO_DECISION or _matches_view(game.rules.view(progress.state), wanted):
                    return progress
    if taken and not tried:
        raise IllegalActionError(
            f"{' '.join(taken)} does not lead to {game.decisions[asked].id}: give the actions before it, in order",
            code="unreachable-position",
            taken=" ".join(taken),
        )
    raise IllegalActionError(_explain_unreachable(game, asked, some=bool(tried)), code="unreachable-position")


def _explain_unreachable(game: Game, asked: int, *, some: bool) -> str:
    """Explain why no round reaches a decision.

    Either none does at all, or ``some`` do, but with other numbers of cards drawn.
    """
    decision = game.decisions[asked].id
    draws = ", ".join(
        f"{action.id} draws {action.draws} and gives up {action.discards}"
        for each in game.decisions[:asked]
        for action in each.actions
        if action.draws
    )
    if not some:
        return f"no round reaches {decision} with these options"
    return f"no round reaches {decision} with these numbers of cards{f': {draws}' if draws else ''}"


def _iter_action_paths(
    game: Game, codes: Any, deck: Sequence[int], asked: int
) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Yield each sequence of actions that leads to a decision, by number and by id."""
    paths: list[tuple[tuple[int, ...], tuple[str, ...]]] = [((), ())]
    while paths:
        path, names = paths.pop()
        progress = _play_path(game, codes, deck, path)
        if progress.decision_index == asked:
            yield path, names
        elif progress.decision_index != NO_DECISION:
            actions = game.decisions[progress.decision_index].actions
            paths += [((*path, number), (*names, action.id)) for number, action in enumerate(actions)]


def _arrange_deck(game: Game, wanted: Mapping[str, int], probe: Sequence[int], view: Any) -> tuple[int, ...] | None:
    """Arrange the deck so that the fields of the view get the cards wanted.

    Each card takes the place of a card of ``probe`` that is in the same fields; return None if that is not possible.
    Fields overlap (a drawn card is held too), so the kind of a card is the set of fields that have it.
    """

    def kinds(fields: Mapping[str, int]) -> dict[int, frozenset[str]]:
        return {
            card: frozenset(name for name, cards in fields.items() if cards >> card & 1) for card in game.deck.cards
        }

    probe_kinds = kinds(dict(zip(view._fields, view, strict=True)))
    wanted_kinds = kinds(wanted)
    cards: dict[frozenset[str], list[int]] = {}
    for card, kind in wanted_kinds.items():
        cards.setdefault(kind, []).append(card)
    if Counter(probe_kinds.values()) != Counter(wanted_kinds.values()):
        return None
    return tuple(cards[probe_kinds[card]].pop() for card in probe)


def _play_path(game: Game, codes: Any, deck: Sequence[int], path: Sequence[int]) -> RoundProgress:
    """Deal ``deck`` to one seat and take the actions of ``path``.

    The held cards that come first in the deck are discarded.
    """
    actions = list(path)

    def follow(state: Any, decision_index: int) -> ActionChoice | None:
        if not actions:
            return None
        action, view = actions.pop(0), game.rules.view(state)
        held = [card for card in deck if view.player >> card & 1]
        return action, make_mask(held[: game.decisions[decision_index].actions[action].discards])

    return play_round(game, deck, codes, follow)


def _matches_view(view: Any, wanted: Mapping[str, int]) -> bool:
    """Tell whether the view has exactly the cards wanted."""
    return all(cards == wanted.get(name, 0) for name, cards in zip(view._fields, view, strict=True))


def _explain_finished_round(game: Game, paytables: Mapping[str, PayTable], state: Any, codes: Any) -> str:
    """Say that nothing is left to decide.

    Add what ``main`` nets if the cards seen settle it.
    """
    settled = game.rules.settle(load_hand_tables(), state, codes)[0]
    if settled == UNSETTLED:
        return "nothing is left to decide with these cards"
    outcome = game.main.outcomes[settled]
    net = Fraction(compute_outcome_net(outcome, paytables, _UNIT_CENTS), _UNIT_CENTS)
    ends = f"{game.main.name}: {display_name(outcome.name)}, net {float(net):+,g} in {name_value_unit(game)}"
    return f"nothing is left to decide with these cards: {ends}"


def format_view_cards(view: Any, decision: Decision, deck: Deck) -> dict[str, str]:
    """Format the cards of a view by the names that people give them.

    The highest ranks of a field come first.

    >>> from pitboss.games import load_game
    >>> game = load_game("wild-six-card")
    >>> format_view_cards(game.rules.view(game.rules.deal(range(54), 1, 0, 0)), game.decisions[0], game.deck)
    {'player': '6s 5s 4s 3s 2s'}
    """
    named: dict[str, list[int]] = {}
    for seen in decision.view_fields:
        held = [card for card in deck.cards if getattr(view, seen.field) >> card & 1]
        held.sort(key=lambda card: (card >= FIRST_JOKER, -get_rank(card), card))
        named.setdefault(seen.group or seen.field, []).extend(held)
    return {name: format_cards(cards, deck) for name, cards in named.items() if cards}

"""Learn the shape of a declared showdown.

Whose cards are private, which are public, and where do outcomes change?

The declaration (``contract.Showdown``) is three rules that ``settle`` uses too.  Which cards a rule reads is seen from
the fields of the state that it asks for, so no card can be overlooked.
"""

from bisect import bisect_right
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from pitboss.cards import SUIT_COUNT, format_cards, get_suit_ranks, make_mask, seeded_bits, shuffle_cards
from pitboss.contract import UNSETTLED, Game, RuleFunction
from pitboss.core.errors import PitbossError
from pitboss.engine.paths import Path, find_first_seen, follow_actions, list_paths
from pitboss.engine.places import PlaceGroup, find_known, learn_place_groups, split_known
from pitboss.engine.rule_errors import make_unsettled_error
from pitboss.engine.same_rule import is_same_rule
from pitboss.engine.showdown_outcomes import (
    Ending,
    NoCensusError,
    find_cuts,
    find_read_fields,
    list_strengths,
    make_ending,
    tabulate_outcomes,
)
from pitboss.hands import load_hand_tables

MOST_CARDS = 7
"""The largest private hands whose classes are listed: those of eight cards do not fit the memory."""

_MOST_LISTED, _LANE_BITS = 1 << 23, 63
_DEALS = 400
_BELOW, _EQUAL, _ABOVE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class ShowdownShape:
    """What the engine learned of a showdown.

    Groups are indexes into ``groups``: ``own`` is read by ``mine`` alone, ``hidden`` by ``theirs`` alone and never
    seen before the end; ``public[decision]`` are the others, by the first decision that sees them (the last entry:
    none), those that a leak shows among the first. ``blind`` says that ``mine`` reads no other cards; ``alike``
    says that ``theirs`` is the same function of the hidden cards as ``mine`` is of the player's. ``classes`` says
    that hands can be counted by classes (``census_classes``); then the player's own cards may limit the actions at
    the only decision, and ``limited`` says that they do.

    ``dealer_cuts`` are the strengths of the dealer's hand at which an outcome changes, ``cuts`` those and the ones of
    the player's.  ``outcomes[ending][player's class][dealer's class][below, equal, above]`` are main's outcomes, where
    a hand's class is the number of its cuts up to its strength, and the last index says how the dealer's hand compares
    with the player's.
    """

    groups: tuple[PlaceGroup, ...]
    own: int
    hidden: int
    blind: bool
    alike: bool
    classes: bool
    limited: bool
    public: tuple[tuple[int, ...], ...]
    endings: tuple[Ending, ...]
    cuts: tuple[int, ...]
    dealer_cuts: tuple[int, ...]
    outcomes: tuple[tuple[tuple[tuple[int, int, int], ...], ...], ...]


def learn_showdown(game: Game, options: Any, cards: Sequence[int], known: Sequence[int] = ()) -> ShowdownShape:
    """Learn the showdown that a game declares, and verify it on some deals.

    ``known`` are places of the deck that the seat knows before its first decision, beyond those that it sees.

    Raises:
        NoCensusError: the game declares none, or its decisions depend on cards, or cards are drawn, or an outcome
            depends on more than two strengths and the path.
        PitbossError: the declaration disagrees with ``settle``; the message has the deal.
    """
    if game.showdown is None:
        raise NoCensusError(f"{game.id} declares no showdown", code="no-showdown", game=game.id)
    groups = split_known(learn_place_groups(game), known)
    leaked = find_known(groups, known)
    paths, limited = _list_paths(game, options, groups, cards)
    if any(action.draws or action.discards for decision in game.decisions for action in decision.actions):
        raise NoCensusError(f"cards are drawn in {game.id}", code="no-showdown", game=game.id)
    bits = seeded_bits(1)
    decks = [shuffle_cards(cards, bits) for _ in range(_DEALS)]
    states = [[follow_actions(game, deck, path.actions) for path in paths] for deck in decks]
    mine = _find_read_groups(game.showdown.mine, options, groups, states)
    theirs = _find_read_groups(game.showdown.theirs, options, groups, states)
    seen = [0 if group in leaked else find_first_seen(paths, group) for group in range(len(groups))]
    own = sorted(mine - theirs)
    hidden = sorted(group for group in theirs - mine if seen[group] == len(game.decisions))
    if any(seen[group] < len(game.decisions) for group in set(range(len(groups))) - mine - theirs - leaked):
        raise NoCensusError(f"a seat of {game.id} sees cards that no hand has", code="no-showdown", game=game.id)
    _require_private_hands(game, paths, seen, own, hidden, leaked)
    public = tuple(
        tuple(group for group in sorted((mine | theirs | leaked) - {own[0], hidden[0]}) if seen[group] == decision)
        for decision in range(len(game.decisions) + 1)
    )
    classes = not any(public) and _can_be_classes(groups, cards, own[0], hidden[0])
    if limited and not classes:
        raise NoCensusError(
            f"the legal actions of {game.id} depend on cards, and some cards are public",
            code="no-showdown",
            game=game.id,
        )
    strengths = list_strengths(game.showdown, options, states)
    endings = tuple(
        make_ending(game.showdown, options, path.actions, state, strengths)
        for path, state in zip(paths, states[0], strict=True)
    )
    cuts, dealer_cuts = find_cuts(game.showdown, options, endings, states)
    outcomes = tuple(tabulate_outcomes(game.showdown, options, ending, cuts, dealer_cuts) for ending in endings)
    fields = groups[own[0]].fields, groups[hidden[0]].fields
    whole = not any(set(groups[group].fields) & set(groups[hidden[0]].fields) for group in leaked)
    alike = whole and is_same_rule(game.showdown.mine, game.showdown.theirs, *fields)
    hands, ranks = (own[0], hidden[0]), (mine == {own[0]}, alike)
    shape = ShowdownShape(groups, *hands, *ranks, classes, limited, public, endings, cuts, dealer_cuts, outcomes)
    for deck, each in zip(decks, states, strict=True):
        for index, state in enumerate(each):
            verify_outcome(game, options, shape, deck, index, state)
    return shape


def _list_paths(
    game: Game, options: Any, groups: Sequence[PlaceGroup], cards: Sequence[int]
) -> tuple[tuple[Path, ...], bool]:
    """List the paths of actions, and tell whether own cards limit the choice.

    They may at a single decision that is always asked: no deal need show every action there.

    Raises:
        NoCensusError: the decisions depend on cards in another way.
    """
    deals = list_paths(game, options, groups, cards)
    if len(game.decisions) == 1 and all(path.actions != (None,) for paths in deals for path in paths):
        paths = tuple(replace(deals[0][0], actions=(action,)) for action in range(len(game.decisions[0].actions)))
        return paths, any(len(each) < len(paths) for each in deals)
    if any([path.actions for path in other] != [path.actions for path in deals[0]] for other in deals):
        raise NoCensusError(f"which decisions {game.id} asks depends on cards", code="no-showdown", game=game.id)
    return deals[0], False


def _can_be_classes(groups: Sequence[PlaceGroup], cards: Sequence[int], *hands: int) -> bool:
    """Tell whether hands can be listed by classes up to suits.

    All four suits must be alike.
    """
    deck = make_mask(cards)
    alike = len({get_suit_ranks(deck, suit) for suit in range(SUIT_COUNT)}) == 1
    return alike and all(len(groups[hand].places) <= MOST_CARDS for hand in hands)


def explain_why_not_listed(shape: ShowdownShape, cards: int) -> str:
    """Explain why hands cannot be listed one by one; empty if they can."""
    if not shape.classes:
        return ""
    own, hidden = (len(shape.groups[group].places) for group in (shape.own, shape.hidden))
    most = max(own, hidden, key=lambda size: comb(cards, size))
    if comb(cards, most) > _MOST_LISTED:
        return f"the {comb(cards, most):,} hands of {most} cards are too many to list one by one"
    if comb(cards - own, hidden).bit_length() * (2 + len(shape.dealer_cuts)) > _LANE_BITS:
        return "the counts of the dealer's hands do not fit 64 bits"
    return "the player's cards limit the legal actions" if shape.limited else ""


def _require_private_hands(
    game: Game,
    paths: Sequence[Path],
    seen: Sequence[int],
    own: Sequence[int],
    hidden: Sequence[int],
    leaked: AbstractSet[int],
) -> None:
    """Require one private hand on each side, and one order of public cards.

    The path of actions must not change when the seat sees them.

    Raises:
        NoCensusError: a game has more or none, or another order.
    """
    if game.main.depends_on_colour:
        raise NoCensusError(f"the rules of {game.id} distinguish red and black cards", code="no-showdown", game=game.id)
    if len(own) != 1 or len(hidden) != 1:
        raise NoCensusError(
            f"{game.id} does not have one private hand on either side", code="no-showdown", game=game.id
        )
    if seen[own[0]]:
        raise NoCensusError(f"a seat of {game.id} sees its own cards late", code="no-showdown", game=game.id)
    if all(action is None for action in paths[0].actions):
        raise NoCensusError(f"{game.id} has no decision", code="no-showdown", game=game.id)
    for path in paths:
        for decision, action in enumerate(path.actions):
            shown = {group for group, first in enumerate(seen) if first <= decision}
            if action is not None and path.seen[decision] | leaked != shown:
                raise NoCensusError(
                    f"what a seat of {game.id} sees depends on what it did", code="no-showdown", game=game.id
                )


def _find_read_groups(
    rule: RuleFunction, options: Any, groups: Sequence[PlaceGroup], states: Sequence[Sequence[Any]]
) -> set[int]:
    """Return the groups whose cards are in the fields that a rule reads."""
    read = find_read_fields(rule, options, states)
    return {index for index, group in enumerate(groups) if read.intersection(group.fields)}


def verify_outcome(
    game: Game, options: Any, shape: ShowdownShape, deck: Sequence[int], ending: int, state: Any
) -> None:
    """Verify what was learned of an ending on one deal, whose state there is known.

    Raises:
        PitbossError: ``settle`` gives another outcome.
    """
    tables, showdown = load_hand_tables(), game.showdown
    if showdown is None:
        return
    mine, theirs = showdown.mine(tables, state, options), showdown.theirs(tables, state, options)
    order = _BELOW if theirs < mine else _EQUAL if theirs == mine else _ABOVE
    by_class = shape.outcomes[ending][bisect_right(shape.cuts, mine)]
    learned = by_class[bisect_right(shape.dealer_cuts, theirs)][order]
    settled = game.rules.settle(tables, state, options)[0]
    if settled == UNSETTLED:
        raise make_unsettled_error(game, game.main.id)
    if not settled == learned == showdown.outcome(state, mine, theirs, options):
        dealt = format_cards(deck[: game.rules.count_dealt(1)], game.deck)
        names = [game.main.outcomes[outcome].name for outcome in (learned, settled)]
        raise PitbossError(
            f"the showdown of {game.id} gives {names[0]} where settle gives {names[1]}, for the cards {dealt}: "
            "let settle call the rules of the showdown",
            code="showdown-differs",
            game=game.id,
            cards=dealt,
        )

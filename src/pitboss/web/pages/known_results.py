"""What an action at a table brings at once, as far as the open cards decide it."""

from typing import Any

from pitboss.cards import bit, format_card
from pitboss.contract import UNSETTLED, LegResult
from pitboss.hands import load_hand_tables
from pitboss.outcome_nets import compute_leg_net
from pitboss.table.round import Round
from pitboss.table.round.wagers import get_circle_name
from pitboss.table.session import TableSession
from pitboss.table.session.perspective import get_state_for_viewer
from pitboss.web.templating import format_money, format_suited


def describe_known_result(session: TableSession, seat: int | None, action: str) -> str:
    """Say what an action wins and returns, or which card of the dealer's it replaces.

    The game's rules settle it from the cards that the seat sees.  The text is "" if these do not decide it, or if the
    action only loses.
    """
    game_round = session.round
    if game_round is None or game_round.turn is None or seat is None or session.turn != seat:
        return ""
    game, (seat_index, at) = game_round.game, game_round.turn
    state = get_state_for_viewer(session, seat, seat) if game.decisions[at].shows_dealer else None
    actions = [each.id for each in game.decisions[at].actions]
    if state is None or action not in actions:  # not one button for several actions
        return ""
    after = game.rules.act(state, at, actions.index(action), 0)
    outcome = game.rules.settle(load_hand_tables(), after, game_round.option_codes)[0]
    if outcome == UNSETTLED:
        return _describe_replaced_cards(game_round, after)
    return _describe_outcome(game_round, seat_index, outcome)


def _describe_outcome(game_round: Round, seat_index: int, outcome: int) -> str:
    """Say what an outcome of main wins, and which chips come back."""
    stake = next(
        each.cents for each in game_round.stakes if each.seat == seat_index and each.bet == game_round.game.main.id
    )
    legs = game_round.game.main.outcomes[outcome].legs
    won = sum(compute_leg_net(leg, game_round.paytables, stake) for leg in legs if leg.result is LegResult.WIN)
    returned = [get_circle_name(leg.circle, game_round.game) for leg in legs if leg.result is LegResult.PUSH]
    said = [f"win {format_money(int(won))}"] if won else []
    return ", ".join([*said, *(f"your {name} back" for name in returned)])


def _describe_replaced_cards(game_round: Round, state: Any) -> str:
    """Say which card of the dealer his next one replaces, "" if none.

    Any card may stand for the one that comes: which card it replaces does not depend on it.
    """
    game = game_round.game
    if game.find_replaced_cards is None or not game.rules.count_dealer_draws(state):
        return ""
    shown = 0
    for cards in game.rules.view(state):
        shown |= cards
    coming = next(bit(card) for card in game.deck.cards if not shown >> card & 1)
    mask = game.find_replaced_cards(game.rules.receive_dealer_draw(state, coming), game_round.option_codes)
    replaced = " ".join(format_card(card, game.deck) for card in game.deck.cards if mask >> card & 1)
    return f"the dealer\N{RIGHT SINGLE QUOTATION MARK}s {format_suited(replaced)} is replaced" if replaced else ""

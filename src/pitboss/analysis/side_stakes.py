"""Stakes of side wagers per Ante, and which side wagers depend on the play."""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from pitboss.contract import Game, StakeConstraintKind, Wager
from pitboss.core.errors import UnknownNameError, WagerError
from pitboss.options import find_active_constraints, find_disabling_option, get_wager_status

MAX_STAKE = 1000
"""The most Antes on a side wager; with more, its pays might not fit the integers of the kernels."""

_STAKE = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18}|/[1-9][0-9]{0,17})?")


def is_stake(text: str) -> bool:
    """Tell whether a text is a stake, such as 1, 0.5 or 1/2.

    >>> is_stake("1/2"), is_stake("-1")
    (True, False)
    """
    return _STAKE.fullmatch(text) is not None


def depends_on_play(game: Game, wager: Wager, options: Mapping[str, str]) -> bool:
    """Tell whether the player's decisions affect a bet's outcome (SW-8, WJ-4).

    >>> from pitboss.games import load_game
    >>> game = load_game("shifting-wilds")
    >>> [wager.id for wager in game.wagers if depends_on_play(game, wager, {})]
    ['main', 'regular-bonus', 'bad-beat']
    """
    return wager is game.main or wager.census is None or options.get(wager.census_option) == "off"


def parse_side_stakes(game: Game, options: Mapping[str, str], words: Iterable[str]) -> dict[str, Fraction]:
    """Parse ``BET=STAKE`` words: side wagers and their stakes per Ante.

    A stake is written as 1, 0.5 or 1/2.

    Raises:
        WagerError: a word is not ``BET=STAKE``, a bet occurs twice, is main, is not offered, is more than 1,000 Antes,
            or breaks a constraint.
        UnknownNameError: the game has no bet of this name.
    """
    side_wagers = {wager.id: wager for wager in game.wagers[1:]}
    stakes: dict[str, Fraction] = {}
    for word in words:
        bet, _, stake = word.partition("=")
        if not is_stake(stake):
            raise WagerError(
                f"{word!r} is not a stake: write BET=STAKE in Antes, for example {next(iter(side_wagers))}=0.5",
                code="invalid-stake",
                word=word,
            )
        if bet == game.main.id:
            raise WagerError(
                f"{bet} is always one Ante: give stakes on {', '.join(side_wagers)}",
                code="fixed-stake",
                bet=bet,
                side_wagers=side_wagers,
            )
        if bet not in side_wagers:
            raise UnknownNameError("side wager", bet, side_wagers)
        if bet in stakes:
            raise WagerError(f"{bet} is staked twice: give one stake", code="stake-twice", bet=bet)
        stakes[bet] = Fraction(stake)
    for bet, staked in stakes.items():
        _verify_stake(game, side_wagers[bet], staked, options)
        _verify_constraints(game, side_wagers[bet], stakes, options)
    return stakes


def _verify_stake(game: Game, wager: Wager, stake: Fraction, options: Mapping[str, str]) -> None:
    """Raise WagerError if a wager is not offered or its stake is too high."""
    disabling_option = find_disabling_option(game, wager, options)
    if disabling_option:
        raise WagerError(
            f"{wager.id} is not offered with {disabling_option}",
            code="wager-off",
            wager=wager.id,
            disabling_option=disabling_option,
        )
    if stake > MAX_STAKE:
        raise WagerError(
            f"{wager.id}={stake} is too much: stake at most {MAX_STAKE:,} Antes",
            code="above-limit",
            wager=wager.id,
            stake=stake,
            most=MAX_STAKE,
        )


def _verify_constraints(game: Game, wager: Wager, stakes: Mapping[str, Fraction], options: Mapping[str, str]) -> None:
    """Raise WagerError if a stake breaks a constraint.

    A mandatory wager that is not among the stakes has one Ante.
    """
    stake, main = stakes[wager.id], game.main.id
    mandatory = {each.id for each in game.wagers if get_wager_status(game, each, options) == "mandatory"}
    for constraint in find_active_constraints(wager, options) if stake else ():
        other = stakes.get(constraint.bet, Fraction(constraint.bet in mandatory))
        other_name = "the Ante" if constraint.bet == main else constraint.bet
        if constraint.kind is StakeConstraintKind.AT_MOST and stake > other:
            raise WagerError(
                f"{wager.id}={stake} is more than {other_name}: it is at most {other} ({constraint.ruling})",
                code="above-other-stake",
                wager=wager.id,
                stake=stake,
                other_name=other_name,
                other=other,
                ruling=constraint.ruling,
            )
        if constraint.kind is StakeConstraintKind.AT_LEAST and stake < other:
            raise WagerError(
                f"{wager.id}={stake} is less than {other_name}: it is at least {other} ({constraint.ruling})",
                code="below-other-stake",
                wager=wager.id,
                stake=stake,
                other_name=other_name,
                other=other,
                ruling=constraint.ruling,
            )
        if constraint.kind is StakeConstraintKind.ONLY_WITH and not other:
            raise WagerError(
                f"{wager.id} is staked only with {constraint.bet}: add {constraint.bet}=1 ({constraint.ruling})",
                code="needs-other-wager",
                wager=wager.id,
                bet=constraint.bet,
                ruling=constraint.ruling,
            )


def select_played_stakes(game: Game, options: Mapping[str, str], stakes: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the stakes of those side wagers that depend on the play."""
    return {
        wager.id: stakes[wager.id]
        for wager in game.wagers
        if stakes.get(wager.id) and wager is not game.main and depends_on_play(game, wager, options)
    }

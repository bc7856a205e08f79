"""Stakes of side wagers beside one Ante, and which of them depend on what a player does."""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from pitboss.contract import Game, StakeConstraintKind, Wager
from pitboss.core.errors import UnknownNameError, WagerError
from pitboss.options import find_active_constraints, find_disabling_option, get_wager_status

MAX_STAKE = 1000
"""The most Antes on a side wager: what a stake pays must fit the integers that are counted with."""

_STAKE = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18}|/[1-9][0-9]{0,17})?")


def depends_on_play(wager: Wager, options: Mapping[str, str]) -> bool:
    """Tell whether what a player decides can change the outcome of a side wager (SW-8, WJ-4).

    >>> from pitboss.games import load_game
    >>> [wager.id for wager in game_named("shifting-wilds").wagers[1:] if depends_on_play(wager, {})]
    ['regular-bonus', 'bad-beat']
    """
    return wager.census is None or options.get(wager.census_option) == "off"


def parse_side_stakes(game: Game, options: Mapping[str, str], words: Iterable[str]) -> dict[str, Fraction]:
    """Read ``BET=STAKE`` words: side wagers and what is staked on each for every Ante, as 1, 0.5 or 1/2.

    Raises:
        WagerError: a word is not ``BET=STAKE``, a bet stands twice, is main, is not offered, is more than 1,000 Antes,
            or breaks a tie.
        UnknownNameError: the game has no such bet.
    """
    side = {wager.id: wager for wager in game.wagers[1:]}
    stakes: dict[str, Fraction] = {}
    for word in words:
        bet, _, stake = word.partition("=")
        if not _STAKE.fullmatch(stake):
            raise WagerError(f"{word!r} is not a stake: write BET=STAKE in Antes, as {next(iter(side))}=1 or =0.5")
        if bet == game.wagers[0].id:
            raise WagerError(f"{bet} is always one Ante: give stakes of {', '.join(side)}")
        if bet not in side:
            raise UnknownNameError("side wager", bet, side)
        if bet in stakes:
            raise WagerError(f"{bet} is staked twice: give one stake")
        stakes[bet] = Fraction(stake)
    for bet, placed in stakes.items():
        _verify_stake(game, side[bet], placed, options)
        _verify_constraints(game, side[bet], stakes, options)
    return stakes


def _verify_stake(game: Game, wager: Wager, stake: Fraction, options: Mapping[str, str]) -> None:
    """Check that a wager is offered, and a stake not too high (raises WagerError)."""
    off = find_disabling_option(game, wager, options)
    if off:
        raise WagerError(f"{wager.id} is not offered with {off}")
    if stake > MAX_STAKE:
        raise WagerError(f"{wager.id}={stake} is too much: stake at most {MAX_STAKE:,} Antes")


def _verify_constraints(game: Game, wager: Wager, stakes: Mapping[str, Fraction], options: Mapping[str, str]) -> None:
    """Check what ties a stake to the others; a mandatory wager that is not among them is staked too, at one Ante."""
    stake, main = stakes[wager.id], game.wagers[0].id
    mandatory = {each.id for each in game.wagers if get_wager_status(game, each, options) == "mandatory"}
    for tie in find_active_constraints(wager, options) if stake else ():
        other = stakes.get(tie.bet, Fraction(tie.bet in mandatory))
        the_other = "the Ante" if tie.bet == main else tie.bet
        if tie.kind is StakeConstraintKind.AT_MOST and stake > other:
            raise WagerError(f"{wager.id}={stake} is more than {the_other}: it is at most {other} ({tie.ruling})")
        if tie.kind is StakeConstraintKind.AT_LEAST and stake < other:
            raise WagerError(f"{wager.id}={stake} is less than {the_other}: it is at least {other} ({tie.ruling})")
        if tie.kind is StakeConstraintKind.ONLY_WITH and not other:
            raise WagerError(f"{wager.id} is staked only with {tie.bet}: add {tie.bet}=1 ({tie.ruling})")


def select_played_stakes(game: Game, options: Mapping[str, str], stakes: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return those stakes that the play may be chosen for: of wagers that depend on it."""
    return {
        wager.id: stakes[wager.id]
        for wager in game.wagers
        if stakes.get(wager.id) and wager is not game.wagers[0] and depends_on_play(wager, options)
    }

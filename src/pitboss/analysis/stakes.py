"""Stakes of side wagers beside one Ante, and which of them depend on what a player does."""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from pitboss.contract import Game, TieKind, Wager
from pitboss.core.errors import UnknownNameError, WagerError

_STAKE = re.compile(r"\d+(?:\.\d+|/[1-9]\d*)?")


def depends_on_play(wager: Wager, options: Mapping[str, str]) -> bool:
    """Tell whether what a player decides can change the outcome of a side wager (SW-8, WJ-4).

    >>> from pitboss.games import game_named
    >>> [wager.id for wager in game_named("shifting-wilds").wagers[1:] if depends_on_play(wager, {})]
    ['regular-bonus', 'bad-beat']
    """
    return wager.census is None or options.get(wager.census_needs) == "off"


def parse_stakes(game: Game, options: Mapping[str, str], written: Iterable[str]) -> dict[str, Fraction]:
    """Read ``BET=STAKE`` words: side wagers and what is staked on each for every Ante, as 1, 0.5 or 1/2.

    Raises:
        WagerError: a word is no ``BET=STAKE``, a bet stands twice, is main, is not offered, or is above what ties it.
        UnknownNameError: the game has no such bet.
    """
    side = {wager.id: wager for wager in game.wagers[1:]}
    stakes: dict[str, Fraction] = {}
    for word in written:
        bet, _, stake = word.partition("=")
        if not _STAKE.fullmatch(stake):
            raise WagerError(f"{word!r} is no stake: write BET=STAKE in Antes, as {next(iter(side))}=1 or =0.5")
        if bet == game.wagers[0].id:
            raise WagerError(f"{bet} is always one Ante: give stakes of {', '.join(side)}")
        if bet not in side:
            raise UnknownNameError("side wager", bet, side)
        if bet in stakes:
            raise WagerError(f"{bet} is staked twice: give one stake")
        stakes[bet] = Fraction(stake)
        _check(game, side[bet], stakes[bet], options)
    return stakes


def _check(game: Game, wager: Wager, stake: Fraction, options: Mapping[str, str]) -> None:
    if options.get(wager.switch) == "off":
        raise WagerError(f"{wager.id} is not offered with {wager.switch}=off")
    for tie in wager.ties:
        bound = tie.kind is TieKind.AT_MOST and tie.bet == game.wagers[0].id and options.get(tie.option) != "off"
        if bound and stake > 1:
            raise WagerError(f"{wager.id}={stake} is more than the Ante: it is at most 1 ({tie.ruling})")


def played_for(game: Game, options: Mapping[str, str], stakes: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return those stakes that the play may be chosen for: of wagers that depend on it."""
    return {
        wager.id: stakes[wager.id]
        for wager in game.wagers
        if stakes.get(wager.id) and wager is not game.wagers[0] and depends_on_play(wager, options)
    }

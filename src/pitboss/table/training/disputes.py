"""Disputes: what players claim, and whether it holds.

A claim is drawn from what a real round settled: an amount, a showdown, a dealer who does not qualify, a wager after a
fold, or envy.  The settlement says whether it holds, and by which clause.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from pitboss.builders import display_name, display_value
from pitboss.cards import draw_below, shuffle_cards
from pitboss.cards.shuffle import BitSource
from pitboss.contract import LegResult
from pitboss.core.money import format_dollars
from pitboss.hands import NO_HAND, format_hand, load_hand_tables
from pitboss.paytables import find_progressive_table
from pitboss.table.round import (
    CardsShown,
    DecisionMade,
    EnvyPaid,
    LegSettlement,
    Round,
    RoundClosed,
    RoundEvent,
    WagerSettled,
)
from pitboss.table.round.procedure import find_folded_seats
from pitboss.table.round.reasons import LOST_BY_FOLD
from pitboss.table.training.chip_questions import ChipQuestions
from pitboss.table.training.dealer_question import DealerQuestion
from pitboss.table.training.mispays import find_leg, list_mispays
from pitboss.table.training.procedure import cite_settlement, list_foreign_clauses, load_house_procedure
from pitboss.table.training.wild_cards import add_wild_cards

DISPUTE_CASE = "a dispute"

UPHOLD, REFUSE = "Uphold it", "Refuse it"

_NOT_QUALIFIED = "not-qualified"
_QUALIFY = "qualify"
_SHOWDOWN_WORDS = {"win", "tie", "lose"}


class DisputedClaim(NamedTuple):
    """A player's claim, whether it holds, the clause that decides, and why.

    Claims of one ``topic`` are about the same thing: one of them tells whether another holds.  ``circle`` names the
    circle that it is to, "" for none.  ``shown`` is what the dealer sees besides the layout: the display of a
    progressive.
    """

    kind: str
    topic: str
    bet: str
    seat: int
    event_count: int
    text: str
    holds: bool
    clause: str
    reason: str
    circle: str = ""
    shown: str = ""


class DisputedClaimCounts:
    """How many claims hold, and how many do not, by kind and circle.

    They are counted in rounds of a table.  A claim whose kind mostly holds there, or mostly does not, would tell its
    answer: of the commoner ones only as large a share is asked as makes both equally many.
    """

    def __init__(self, claims: Iterable[DisputedClaim] = ()) -> None:
        """Count claims."""
        self._counts = Counter((each.kind, each.circle, each.holds) for each in claims)

    def draw_if_asked(self, claim: DisputedClaim, bits: BitSource) -> bool:
        """Draw whether a claim is among those that are asked."""
        same, contrary = (self._count(claim, holds=holds) for holds in (claim.holds, not claim.holds))
        return draw_below(same + 1, bits) <= contrary

    def _count(self, claim: DisputedClaim, *, holds: bool) -> int:
        """Count the claims of a kind that hold, or do not, to this circle.

        Those to circles where one verdict alone is possible are counted together.
        """
        circles = {circle for kind, circle, _ in self._counts if kind == claim.kind}
        decided = {each for each in circles if not self._has_both(claim.kind, each)}
        counted = {claim.circle} if claim.circle not in decided else decided
        return sum(self._counts[claim.kind, each, holds] for each in counted)

    def _has_both(self, kind: str, circle: str) -> bool:
        return all(self._counts[kind, circle, holds] for holds in (True, False))


def build_disputes(
    played: Round, meter_bet: str, most: int, bits: BitSource, counts: DisputedClaimCounts
) -> tuple[DealerQuestion, ...]:
    """Build at most ``count`` disputes of a round, in order.

    By ``counts`` as many are right as wrong in many rounds, of each kind; no verdict in a round tells another.
    """
    claims = [each for each in draw_claims(played, meter_bet, bits) if counts.draw_if_asked(each, bits)]
    chosen = sorted(_take_turns(claims, bits)[:most], key=lambda each: (each.event_count, -each.seat))
    return tuple(_ask(played, each, bits) for each in chosen)


def draw_claims(played: Round, meter_bet: str, bits: BitSource) -> Iterator[DisputedClaim]:
    """Yield a claim of each topic of a round, right or wrong by a coin.

    None comes twice in the same words.  Whether the dealer qualifies is one topic of all seats, the others are of each.
    """
    topics: dict[tuple[int | None, str], list[DisputedClaim]] = {}
    said = set[str]()
    for claim in _ClaimBuilder(played, meter_bet).build():
        topics.setdefault((None if claim.topic == _QUALIFY else claim.seat, claim.topic), []).append(claim)
    for claims in topics.values():
        verdicts = sorted({each.holds for each in claims})
        holds = verdicts[draw_below(len(verdicts), bits)]
        alike = [each for each in claims if each.holds is holds]
        claim = alike[draw_below(len(alike), bits)]
        if claim.text not in said:
            said.add(claim.text)
            yield claim


def _take_turns(claims: Sequence[DisputedClaim], bits: BitSource) -> list[DisputedClaim]:
    """Return claims in an order drawn by bits; their kinds take turns."""
    kinds: dict[str, list[DisputedClaim]] = {}
    for place in shuffle_cards(range(len(claims)), bits):
        kinds.setdefault(claims[place].kind, []).append(claims[place])
    return [claim for turn in zip_longest(*kinds.values()) for claim in turn if claim]


def _ask(played: Round, claim: DisputedClaim, bits: BitSource) -> DealerQuestion:
    """Build the question whether a claim is upheld.

    The choices cite its clause, or one that decides nothing about it; where there is no other, they cite none.
    """
    others = [each for each in list_foreign_clauses(played, claim.bet, claim.seat) if each != claim.clause]
    right = claim.clause if others else ""
    cited = [right, *([others[draw_below(len(others), bits)]] if others else [])]
    texts = [_format_verdict(verdict, clause) for clause in cited for verdict in (UPHOLD, REFUSE)]
    choices = tuple(texts[place] for place in shuffle_cards(range(len(texts)), bits))
    return DealerQuestion(
        f"Seat {claim.seat + 1} says: “{claim.text}”{claim.shown} Do you uphold it?",
        _format_verdict(UPHOLD if claim.holds else REFUSE, right),
        DISPUTE_CASE,
        claim.clause,
        claim.event_count,
        choices,
        reason=claim.reason,
        seat=claim.seat,
    )


def _format_verdict(verdict: str, clause: str) -> str:
    return f"{verdict}: {clause}" if clause else verdict


class _ClaimBuilder:
    """Builds every claim of a round."""

    def __init__(self, played: Round, meter_bet: str) -> None:
        self._round, self._chips, self._meter_bet = played, ChipQuestions(played, meter_bet), meter_bet
        self._procedure = load_house_procedure(played)

    def build(self) -> Iterator[DisputedClaim]:
        """Yield every claim, right and wrong."""
        for place, event in enumerate(self._round.events):
            before = self._find_group_start(place)
            match event:
                case WagerSettled() if not self._chips.is_unclaimed(event, before):
                    yield from self._build_amounts(event, before)
                    yield from self._build_after_fold(event, before)
                    if event.bet == self._round.game.main.id:
                        yield from self._build_showdown(event, before)
                        yield from self._build_qualifying(event, before)
                case RoundClosed():
                    is_envy = (each for each, made in enumerate(self._round.events) if isinstance(made, EnvyPaid))
                    yield from self._build_envy(next(is_envy, before))

    def _find_group_start(self, place: int) -> int:
        """Return where a seat's wagers begin that are settled together."""
        events, start = self._round.events, place
        seat = getattr(events[place], "seat", None)
        while isinstance(event := events[start - 1], WagerSettled) and event.seat == seat:
            start -= 1
        return start

    def _build_amounts(self, event: WagerSettled, before: int) -> Iterator[DisputedClaim]:
        """Yield claims to the right amount, to a larger mispay, and to a push.

        Nobody claims less than is due: the dealer would pay the right amount, which is neither verdict.
        """
        returned = sum(leg.stake_cents for leg in event.legs) if event.bet == self._meter_bet else 0
        place = event.bet, event.seat, before
        for leg in event.legs:
            if not leg.stake_cents or leg.reason == LOST_BY_FOLD:
                continue
            name = self._chips.name_circle(event, leg)
            clause = cite_settlement(self._round, event, leg, is_folded=False)  # what it is paid, folded or not
            reason = self._explain(event, leg, returned)
            display = self._chips.describe_display(event)
            shown = f" {display}." if display else ""
            if event.bet != self._meter_bet:
                shown = f" ({format_dollars(leg.stake_cents)} on the circle.)"
            if leg.result is LegResult.WIN and leg.net_cents > 0:
                cents = leg.net_cents + returned
                mispays = list_mispays(self._round, event, leg, returned)
                for claimed in (cents, *[each for _, each in mispays if each > cents][:2]):
                    text, holds = f"You owe me {format_dollars(claimed)} on {name}.", claimed == cents
                    topic = f"{event.bet} on {event.on}: {name}"
                    yield DisputedClaim("amount", topic, *place, text, holds, clause, reason, name, shown)
            elif event.bet != self._meter_bet:
                text = f"My {name} pushes: leave it."
                pushes, topic = leg.shown_result is LegResult.PUSH, f"{event.bet} on {event.on}: {name}"
                yield DisputedClaim("push", topic, *place, text, pushes, clause, reason, name)

    def _explain(self, event: WagerSettled, leg: LegSettlement, returned: int) -> str:
        reason = self._chips.explain_pay(event, leg)
        if leg.result is LegResult.WIN and leg.net_cents:
            settled = f"it is paid {format_dollars(leg.net_cents + returned)}"
        else:
            settled = f"it {'pushes' if leg.result is LegResult.PUSH else 'loses'}"
        return add_wild_cards(f"{reason}: {settled}", self._round, event, leg)

    def _build_after_fold(self, event: WagerSettled, before: int) -> Iterator[DisputedClaim]:
        """Yield claims that a wager still stands after a fold.

        A wager that is settled at the fold neither stands nor is lost by it: nobody claims that.
        """
        if event.seat not in find_folded_seats(self._round.events[:before]) or event.on is not None:
            return
        earlier = (each for each in reversed(self._round.events[:before]) if not _is_of_hand(each, event.seat))
        is_at_fold = isinstance(next(earlier), DecisionMade)
        for leg in event.legs:
            if is_at_fold and leg.reason != LOST_BY_FOLD:
                continue
            if leg.stake_cents and (leg.reason == LOST_BY_FOLD or event.bet != self._round.game.main.id):
                name, stands = self._chips.name_circle(event, leg), leg.reason != LOST_BY_FOLD
                text = f"I folded, but my {name} is still in play."
                reason = "a fold does not touch it" if stands else "a fold loses it"
                clause = self._chips.cite(event, leg, before)
                yield DisputedClaim(
                    "fold", f"fold: {name}", event.bet, event.seat, before, text, stands, clause, reason, name
                )

    def _build_showdown(self, event: WagerSettled, before: int) -> Iterator[DisputedClaim]:
        """Yield the claim to the better hand, of a showdown that lies open.

        A tie is claimed only where the player does not win: nobody claims less than is due.
        """
        words = _SHOWDOWN_WORDS & set(event.outcome.split("-"))
        staked = (leg for leg in event.legs if leg.stake_cents)
        compared = [leg for leg in staked if "{showdown}" in find_leg(self._round, event, leg).reason]
        mine, _ = self._round.game.rules.evaluate_hands(
            load_hand_tables(), self._round.states[event.seat], self._round.option_codes
        )
        if len(words) == 1 and compared and mine != NO_HAND:
            leg, hand = compared[0], format_hand(mine)
            hand = f"{hand}," if "," in hand and not hand.endswith(",") else hand
            clause = self._chips.cite(event, leg, before)
            reason, place = add_wild_cards(leg.reason, self._round, event, leg), (event.bet, event.seat, before)
            for said, word in (("beats", "win"), *([] if "win" in words else [("ties with", "tie")])):
                text = f"My {hand} {said} your hand."
                yield DisputedClaim(said, "showdown", *place, text, word in words, clause, reason)

    def _build_qualifying(self, event: WagerSettled, before: int) -> Iterator[DisputedClaim]:
        """Yield claims that the dealer qualifies, and that the dealer does not."""
        if not self._procedure.qualify or "qualified" not in event.outcome:
            return
        fails = _NOT_QUALIFIED in event.outcome
        reason = self._explain_qualifying(event.seat, fails=fails)
        clause, place = self._procedure.qualify, (event.bet, event.seat, before)
        for text, holds in (("You do not qualify.", fails), ("You qualify.", not fails)):
            yield DisputedClaim(text, _QUALIFY, *place, text, holds, clause, reason)

    def _explain_qualifying(self, seat: int, *, fails: bool) -> str:
        """Say with which hand the dealer meets, or misses, what qualifies at this house."""
        played = self._round
        _, dealers = played.game.rules.evaluate_hands(load_hand_tables(), played.states[seat], played.option_codes)
        hand, lowest = format_hand(dealers).rstrip(","), played.options.get("dealer_qualifies", "")
        if lowest == "always":
            return f"the dealer has {hand}: every hand qualifies"
        if not lowest:  # a game in which the dealer always needs the same hand
            return f"the dealer has {hand}, which {'does not qualify' if fails else 'qualifies'}"
        return f"the dealer has {hand}: {display_value(lowest)} or higher {'is needed' if fails else 'qualifies'}"

    def _build_envy(self, before: int) -> Iterator[DisputedClaim]:
        """Yield claims to envy by seats that are owed it, and by others, the hitter too."""
        table = find_progressive_table(self._round.paytables)
        if table is None or not self._meter_bet or not table.envy:
            return
        owed = {(event.seat, event.hitter): event for event in self._round.events if isinstance(event, EnvyPaid)}
        hits = [
            event
            for event in self._round.events
            if isinstance(event, WagerSettled) and event.bet == self._meter_bet and event.net_cents > 0
        ]
        wagered = {stake.seat for stake in self._round.stakes if stake.bet == self._meter_bet}
        for hit in hits:
            for seat in range(self._round.seats):
                paid = owed.get((seat, hit.seat))
                whose = "my own" if seat == hit.seat else f"seat {hit.seat + 1}'s"
                text = f"Envy for {whose} {display_name(hit.outcome)}: you owe it to me."
                reason = _explain_envy(seat, hit, paid, pays=hit.outcome in table.envy, has_wager=seat in wagered)
                clause, topic = self._procedure.envy, f"envy for {hit.seat}"
                yield DisputedClaim("envy", topic, hit.bet, seat, before, text, paid is not None, clause, reason)


def _is_of_hand(event: RoundEvent, seat: int) -> bool:
    return isinstance(event, CardsShown | WagerSettled) and event.seat == seat


def _explain_envy(seat: int, hit: WagerSettled, paid: EnvyPaid | None, *, pays: bool, has_wager: bool) -> str:
    if paid:
        return f"it is paid {format_dollars(paid.cents)}"
    if not pays:
        return f"no envy is paid for a {display_name(hit.outcome)}"
    if seat == hit.seat:
        return "nobody is paid envy for the own hand"
    return "it is not due here" if has_wager else "the seat has no progressive wager"

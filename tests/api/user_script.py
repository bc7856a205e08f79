"""What an embedding program does with one import; `mypy --strict` reads it, and it runs from a built wheel.

It imports nothing but pitboss, and ends with status 0: `python user_script.py`.
"""

from fractions import Fraction

import pitboss as pb


def read_a_hand() -> None:
    hand: pb.Hand = pb.evaluate("As Kd Qh Jc Ts 2d")
    assert (hand.name, hand.category) == ("straight, ace high", "straight")
    assert hand > pb.evaluate("As Ad Ah Kc 9s")
    assert pb.evaluate_many([[12, 11, 10, 9, 8]])[0] == pb.evaluate("As Ks Qs Js Ts").strength


def read_a_sheet() -> None:
    game: pb.HouseGame = pb.game("shifting-wilds")
    sheet: pb.BetParSheet = game.par("blackjack-bonus")
    tables: list[pb.PayTableInput] = [game.paytables("blackjack-bonus")[0]]
    assert game.par("blackjack-bonus", paytables=tables).to_dict() == sheet.to_dict()
    edge: Fraction = sheet.house_edge
    assert edge == Fraction(2893, 270725)
    assert edge == -sum((row.net * row.deals for row in sheet.rows), Fraction(0)) / sheet.deals


def value_a_position() -> None:
    best: pb.ValuedChoice = pb.game("six-card").hint(player="As Kd 9h 7c 4s 2d", dealer="Qs Jd 3h")[0]
    assert (best.action, best.value, best.cost) == ("play", Fraction(-11638, 12341), Fraction(0))


def simulate_rounds() -> None:
    result: pb.SimulationResult = pb.game("six-card").simulate(1_000, "practical", seed=7, stakes={"main": 1})
    assert result.mean("main") == Fraction(3, 250)


def play_a_round() -> None:
    wagers: list[pb.WagerInputs] = [{"main": 10, "super": 10}]
    wagers.append({"main": 5, "super": 5, "multi-super": {0: 5}})
    table: pb.TableRound = pb.game("lunar").round(wagers=wagers, seed=1)
    while asked := table.decision:
        table.act(asked.legal[0])
    nets: tuple[int, ...] = table.nets_cents
    assert sum(each.net_cents for each in table.results) == sum(nets)


def read_an_error() -> str:
    try:
        pb.game("lunar").round(wagers={"main": 3})
    except pb.Error as error:
        return str(error)
    return ""


if __name__ == "__main__":
    read_a_hand()
    read_a_sheet()
    value_a_position()
    simulate_rounds()
    play_a_round()
    assert read_an_error() == "Ante of $3 is not allowed: stake $5 to $400 in steps of $1"

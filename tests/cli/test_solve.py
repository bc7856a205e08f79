"""``pitboss solve``: pieces shared out and taken up again where a solver has some, and plainly said where not."""

from fractions import Fraction

import pytest

import pitboss.cli.solve
from cli.conftest import Invoke
from pitboss.tasks import Executor


def test_a_solver_of_one_piece_says_that_nothing_is_shared(invoke: Invoke) -> None:
    for words in (["--workers", "2"], ["--resume"]):
        status, out, err = invoke("solve", "wild-six-card", *words)
        assert (status, err.count("\n")) == (0, 1)
        assert err.startswith("wild-six-card is solved as a whole, on all cores")
        sheet = invoke("par", "wild-six-card", "--bet", "main").out
        total = out.removeprefix(sheet)
        net = Fraction(-4340402594837, 158469182611740)
        deals = int(total.split()[1].replace(",", ""))
        assert total == f"All {deals:,} deals together: {int(net * deals):,} Poker bets\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--cluster", "tcp://127.0.0.1:9"],
            "wild-six-card is solved as a whole, on all cores of this machine: leave",
        ),
        (["--cluster", "tcp://127.0.0.1:9", "--workers", "2"], "--workers and --cluster exclude each other"),
        (["--workers", "0"], "--workers: "),
    ],
)
def test_what_cannot_be_shared_is_refused(words: list[str], said: str, invoke: Invoke) -> None:
    status, out, err = invoke("solve", "wild-six-card", *words)
    assert (status, out) == (2, "")
    assert said in err


def test_pieces_are_given_to_those_named_and_those_done_are_told(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    executors: list[Executor] = []
    monkeypatch.setattr(pitboss.cli.solve, "get_solution", lambda *_arguments, executor: executors.append(executor))
    monkeypatch.setattr(pitboss.cli.solve, "count_finished_shards", lambda *_arguments: (5, 13))
    assert invoke("solve", "wild-six-card", "--workers", "3", "--resume").err == "5 of 13 shards are done\n"
    assert invoke("solve", "wild-six-card", "--cluster", "tcp://10.0.0.1:8786").err == ""
    assert executors == [Executor(workers=3), Executor(cluster="tcp://10.0.0.1:8786")]

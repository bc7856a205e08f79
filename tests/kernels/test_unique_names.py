"""Kernels of one closure, compiled in processes of their own and loaded side by side, keep to their own functions."""

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.bytecode import FunctionIdentity

from pitboss.kernels import unique_names

MODULE = """
import sys
import numpy as np
from pitboss.kernels.compile import kernel, kernel_helper

STEPS = tuple((7 * number + 3, number % 5 + 1) for number in range(40))

def build(number):
    # Long, and called in two places: so it stays a function of its own, which the linker finds by its name.
    @kernel_helper
    def settle(value):
        total = number
        for step in range(value & 15):
            for factor, shift in STEPS:
                total = (total * factor + (value >> shift)) % 1_000_003
        return total * 10 + number

    @kernel
    def play(values):
        total = 0
        for each in range(len(values)):
            total += settle(values[each])
            if total & 1:
                total += settle(values[each] + each)
        return total % 10, total

    return play

def settle_plainly(number, value):
    total = number
    for step in range(value & 15):
        for factor, shift in STEPS:
            total = (total * factor + (value >> shift)) % 1_000_003
    return total * 10 + number

def play_plainly(number, values):
    total = 0
    for each, value in enumerate(values):
        total += settle_plainly(number, value)
        if total & 1:
            total += settle_plainly(number, value + each)
    return total % 10, total

for word in sys.argv[1:]:
    values = np.arange(100, 120)
    assert tuple(build(int(word))(values)) == play_plainly(int(word), values.tolist()), word
"""


def run(path: Path, *numbers: str) -> None:
    done = subprocess.run(
        [sys.executable, str(path), *numbers],
        env=os.environ | {"PITBOSS_CACHE": str(path.parent / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.more
@pytest.mark.compiled
def test_kernels_compiled_apart_and_loaded_together_run_their_own_functions(tmp_path: Path) -> None:
    module = tmp_path / "closures.py"
    module.write_text(MODULE, encoding="utf-8")
    for number in ("1", "2", "3"):
        run(module, number)
    assert len(list((tmp_path / "cache" / "kernels").glob("*/play.*.kernel"))) == 3
    run(module, "1", "2", "3")
    run(module, "3", "2", "1")


def number_next(sender: int) -> None:
    os.write(sender, json.dumps(next(vars(FunctionIdentity)["_unique_ids"])).encode())


def test_processes_forked_from_one_number_their_functions_from_different_places() -> None:
    numbers = [next(vars(FunctionIdentity)["_unique_ids"])]
    for _ in range(2):
        receiver, sender = os.pipe()
        child = multiprocessing.get_context("fork").Process(target=number_next, args=(sender,))
        child.start()
        child.join()
        numbers.append(json.loads(os.read(receiver, 100)))
        os.close(receiver)
        os.close(sender)
    assert len({number >> 32 for number in numbers}) == 3


def test_numbers_start_where_no_process_counts_to() -> None:
    unique_names.number_from_a_new_place()
    first, second = (next(vars(FunctionIdentity)["_unique_ids"]) for _ in range(2))
    assert second == first + 1
    assert first > 1 << 32

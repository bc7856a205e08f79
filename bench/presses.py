"""Waits at a table in a browser: ``python -m bench.presses [GAME ...]``, no part of ``make bench``.

For each game ``pitboss serve`` starts in a process of its own, with what is cached, and a headless Chromium of the size
of a phone sits down, at once or ``--after`` some seconds, and plays with the coach on.  Two waits are printed, in
milliseconds: from the press of a button to the frame that shows the new table, and from the deal to the values on the
buttons; of the latter the first, of a server that has just started, and the median of the others.
"""

import argparse
import shutil
import statistics
import sys
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from bench.serving import serving
from pitboss.games import load_games

PHONE: ViewportSize = {"width": 390, "height": 844}
ROUNDS = 12
COUNT_MS = 120_000
WATCH = """
  window.waits = { presses: [], values: [] };
  let pressed = 0, dealt = 0;
  const painted = (tell) => requestAnimationFrame(() => setTimeout(() => tell(performance.now())));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("#wagers button.primary, #decision button");
    if (!button) return;
    pressed = event.timeStamp;
    if (button.form.id === "wagers") dealt = pressed;
  }, true);
  document.addEventListener("htmx:afterSwap", (event) => {
    if (pressed && event.detail.requestConfig.verb === "post") {
      const from = pressed;
      pressed = 0;
      painted((now) => waits.presses.push(now - from));
    }
    if (dealt && document.querySelector("#decision .worth")) {
      const from = dealt;
      dealt = 0;
      painted((now) => waits.values.push(now - from));
    }
  });
"""


def play(page: Page, game: str, rounds: int) -> dict[str, list[float]]:
    """Play rounds as the coach says; return the waits."""
    page.goto("/")
    page.locator(f"button[value={game}]").last.click()
    for _ in range(rounds):
        page.get_by_role("button", name="Place and deal").click()
        while True:
            page.locator("#decision button, #wagers").first.wait_for()
            page.wait_for_timeout(100)
            if not page.locator("#decision").count():
                break
            page.locator("#decision .worth").first.wait_for(timeout=COUNT_MS)
            choose(page)
    return dict(page.evaluate("waits"))


def choose(page: Page) -> None:
    """Press the best choice, with the cards that the coach gives up, and wait for the new table."""
    before = page.evaluate("waits.presses.length")
    for box in page.locator(".give input").all():
        if not box.is_checked():
            box.locator("xpath=..").click()
    page.locator("#decision button", has_text="best").first.click()
    page.wait_for_function("before => waits.presses.length > before", arg=before)


def measure(browser: Browser, game: str, rounds: int, after: float) -> dict[str, list[float]]:
    """Start a server and play at it, ``after`` seconds later."""
    with serving("") as (address, _), browser.new_context(viewport=PHONE, base_url=address) as context:
        context.add_cookies([{"name": "pitboss-look", "value": "system.two.normal.before", "url": address}])
        context.add_init_script(WATCH)
        page = context.new_page()
        page.wait_for_timeout(1_000 * after)
        return play(page, game, rounds)


def main() -> None:
    """Measure the games named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(load_games()))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--after", type=float, default=0, metavar="SECONDS")
    asked: Any = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        sys.stdout.write("game              presses    p50    p95   longest   first values   others\n")
        for game in asked.games:
            waits = measure(browser, game, asked.rounds, asked.after)
            presses, (first, *others) = waits["presses"], waits["values"]
            p50, p95 = np.percentile(presses, [50, 95])
            sys.stdout.write(
                f"{game:16} {len(presses):8} {p50:6.0f} {p95:6.0f} {max(presses):9.0f} {first:14.0f}"
                f" {statistics.median(others or [first]):8.0f}\n"
            )
        browser.close()


if __name__ == "__main__":
    main()

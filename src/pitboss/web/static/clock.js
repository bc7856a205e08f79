// Count down the time left, and announce it once when little is left.
"use strict";

const NEAR = 10;
const known = new WeakMap(); // the end of each clock by this page's time, and whether it was announced

function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const { deadline, left: given } = clock.dataset;
    let each = known.get(clock);
    if (each?.deadline !== deadline) {
      each = { deadline, up: performance.now() + 1000 * Number(given), announced: false };
      known.set(clock, each);
    }
    const left = Math.max(0, Math.ceil((each.up - performance.now()) / 1000));
    clock.querySelector("[data-shows-left]").textContent = `${left} s`;
    clock.classList.toggle("late", left <= NEAR);
    if (left <= NEAR && !each.announced && clock.classList.contains("mine")) {
      clock.querySelector("[data-tells]").textContent = `${left} seconds left`;
      each.announced = true;
    }
  }
}
setInterval(tick, 250);

// The time that is left, counted down by the second; told aloud once, when little of it is left.
"use strict";

const NEAR = 10;
const known = new WeakMap(); // when a clock's time is up, as this page counts it, and whether that was told

function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const { deadline, left: given } = clock.dataset;
    let each = known.get(clock);
    if (each?.deadline !== deadline) {
      each = { deadline, up: performance.now() + 1000 * Number(given), told: false };
      known.set(clock, each);
    }
    const left = Math.max(0, Math.ceil((each.up - performance.now()) / 1000));
    clock.querySelector("[data-shows-left]").textContent = `${left} s`;
    clock.classList.toggle("late", left <= NEAR);
    if (left <= NEAR && !each.told && clock.classList.contains("mine")) {
      clock.querySelector("[data-tells]").textContent = `${left} seconds left`;
      each.told = true;
    }
  }
}
setInterval(tick, 250);

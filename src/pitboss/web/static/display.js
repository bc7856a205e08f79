// The public display: the amount rolls to its new value, a win stays for a while, and a lost connection is said.
"use strict";

const ROLL_MS = 2000;
const WIN_MS = 30000;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const figure = () => document.querySelector(".jackpot[data-cents]");

let shown = Number(figure()?.dataset.cents); // the cents on the screen
let rolling = 0; // the number of the latest roll: an older one stops

function roll() {
  const now = figure();
  const end = Number(now?.dataset.cents);
  const number = ++rolling;
  if (!now || Number.isNaN(shown) || shown === end || still.matches) {
    shown = end;
    return;
  }
  const from = shown;
  const began = performance.now();
  const step = (at) => {
    if (number !== rolling || !now.isConnected) return;
    const part = Math.max(0, Math.min(1, (at - began) / ROLL_MS));
    shown = Math.round(from + (end - from) * (1 - (1 - part) ** 3));
    now.textContent = dollars.format(shown / 100);
    if (part < 1) requestAnimationFrame(step);
  };
  step(began);
}

// A win is there as long as its round, and for half a minute at least.
const wins = new Map(); // each announcement by its award, and when it came
function announce() {
  const place = document.getElementById("amount");
  const here = new Set();
  for (const each of place.querySelectorAll("[data-win]")) {
    here.add(each.dataset.win);
    if (!wins.has(each.dataset.win)) wins.set(each.dataset.win, { since: performance.now(), node: each.cloneNode(true) });
  }
  for (const [award, { since, node }] of wins) {
    const left = WIN_MS - (performance.now() - since);
    if (here.has(award) || left <= 0) continue;
    const again = node.cloneNode(true);
    place.querySelector(".lights")?.before(again);
    setTimeout(() => again.remove(), left);
  }
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "amount" && !document.getElementById("amount")) return;
  roll();
  announce();
});
document.addEventListener("DOMContentLoaded", announce);

const lost = (is) => {
  document.querySelector(".lost").hidden = !is;
  document.querySelector(".sign").classList.toggle("old", is);
};
document.addEventListener("htmx:sseError", () => lost(true));
document.addEventListener("htmx:sseOpen", () => lost(false));

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-fills-screen]")) document.documentElement.requestFullscreen();
});

// A table in the browser: chips on circles, keys, and where the focus goes next.  field and report are pitboss.js's.
"use strict";

const colours = [500, 100, 25, 5, 1];
const fields = (ids) => ids.split(" ").map(field);
const parse = (text) => Number(text.replace(/[$,\s]/g, "")) || 0;
const dollars = (input) => parse(input.value);
const isExact = ({ dataset }) => dataset.least === dataset.most;
const written = (cents) => `$${(cents / 100).toLocaleString("en-US")}`;

// Say on the button what the wagers cost in all, and whether they are those of the last time: nothing else tells that
// wagers lie in the circles again by themselves.
function sayTotal(total) {
  const place = document.querySelector("[data-says-total]");
  if (!place) return;
  const isAgain = place.hasAttribute("data-again") && stakes().every((input) => dollars(input) === parse(input.defaultValue));
  place.textContent = total ? `${written(total)} in all${isAgain ? ", as last time" : ""}` : "no wagers yet";
}

// Draw a chip on every circle whose field holds a stake.
function draw() {
  sayTotal(sumStakes());
  for (const place of document.querySelectorAll("[data-stakes]")) {
    const stake = fields(place.dataset.stakes).reduce((sum, input) => sum + dollars(input), 0);
    place.replaceChildren();
    if (stake > 0) {
      const chip = document.createElement("span");
      chip.className = `chip c${colours.find((value) => value <= stake) ?? 1}`;
      chip.textContent = stake.toLocaleString("en-US");
      place.append(chip);
    }
  }
}
document.addEventListener("htmx:load", draw);

// Keep stakes that are not sent yet when another player's move redraws the table.
const storedStakes = `stakes ${location.pathname}`;
let placed = JSON.parse(sessionStorage.getItem(storedStakes)) ?? { round: "", stakes: [] }; // a setting loads the page again
const roundShown = () => document.querySelector("#wagers [name=round]")?.value ?? "";
const stakes = () => Array.from(document.querySelectorAll("input.stake"));
const snapshot = () => stakes().map((input) => [input.name, input.value]);

function place() {
  placed = { round: roundShown(), stakes: snapshot() };
  sessionStorage.setItem(storedStakes, JSON.stringify(placed));
  draw();
}

function put(kept) {
  const values = new Map(kept);
  for (const input of stakes()) input.value = values.get(input.name) ?? input.value;
}

function putBack() {
  if (placed.round && placed.round === roundShown()) put(placed.stakes);
  draw();
}
document.addEventListener("htmx:afterSwap", putBack);
document.addEventListener("DOMContentLoaded", putBack);
document.addEventListener("input", (event) => event.target.matches("input.stake") && place());

// Add up the wagers, with these changes, in cents.  A stake lies on as many circles as its field says.
function sumStakes(next = new Map()) {
  return stakes().reduce((sum, input) => sum + Math.round(100 * (next.get(input) ?? dollars(input))) * Number(input.dataset.circles), 0);
}

// Why a chip cannot be placed, or null: a line, and the cents that are missing if it is for want of chips.
function fault(next) {
  for (const input of stakes()) {
    const { most, label } = input.dataset;
    const cents = Math.round(100 * (next.get(input) ?? dollars(input)));
    if (cents > Number(most)) return { line: `${label} takes ${isExact(input) ? "exactly" : "at most"} ${written(most)}.`, missing: 0 };
  }
  const total = sumStakes(next);
  const chips = Number(field("wagers").dataset.chips);
  if (total <= chips) return null;
  return { line: `These wagers cost ${written(total)}, and you have ${written(chips)}.`, missing: total - chips };
}

// Offer so many dollars of chips at one press, or with 0 those without which there is no wager, if any.
function offerChips(amount) {
  const offer = field("buys");
  if (!offer) return;
  const least = amount || Number(offer.dataset.least);
  offer.hidden = !least;
  offer.elements.dollars.value = least;
  offer.querySelector("button").textContent = `Buy ${written(100 * least)} of chips`;
}
const offeredChips = () => (field("buys")?.hidden === false ? Number(field("buys").elements.dollars.value) : 0);

// Bring a refusal into view, which is at the top of the bar, and above the bar the circle that it names.
function showRefused() {
  const bar = document.querySelector("#table .bar");
  const said = bar?.querySelector(":scope > [role=alert]") ?? bar?.querySelector("[data-says-why]:not(:empty)");
  if (!said) return;
  bar.scrollTop = 0;
  const spots = Array.from(document.querySelectorAll(".own .spot:has(.stake, [data-adds-to])"));
  const named = spots.filter((each) => said.textContent.includes(each.querySelector(".tag").textContent));
  if (!named.length) return;
  document.documentElement.style.scrollPaddingBottom = `${window.innerHeight - measureRoom()}px`;
  named[0].scrollIntoView({ block: "nearest" });
}
document.addEventListener("htmx:afterSettle", ({ detail }) => detail.requestConfig?.verb === "post" && showRefused());

// A refusal stays until the next press, also when news draw the table again; with another step it is over.
let refused = null;
document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
  if (target.id !== "table") return;
  const alert = detail.requestConfig.verb === "get" && document.querySelector(".bar > [role=alert]:not([data-passes])");
  const why = detail.requestConfig.verb === "get" && document.querySelector("[data-says-why]:not(:empty)");
  refused = { step: target.dataset.step, chips: (alert || why) && offeredChips(), alert: alert && alert.cloneNode(true), why: why && Array.from(why.cloneNode(true).childNodes) };
});
document.addEventListener("htmx:afterSwap", () => {
  const table = field("table");
  const { step, chips, alert, why } = refused ?? {};
  refused = null;
  if (!table || step !== table.dataset.step) return;
  if (alert && !table.querySelector(".bar > [role=alert]")) table.querySelector(".bar .ask").after(alert);
  if (why) table.querySelector("[data-says-why]")?.replaceChildren(...why);
  if (chips) offerChips(chips);
});

// Who asks for the guide again is led to it once the page is there.
document.addEventListener("submit", ({ submitter }) => submitter?.name === "again" && sessionStorage.setItem("guide", "again"));
window.addEventListener("load", () => {
  if (sessionStorage.getItem("guide") !== "again") return;
  sessionStorage.removeItem("guide");
  field("guide")?.focus({ preventScroll: true });
  field("guide")?.scrollIntoView({ block: "center" });
});

// What was on the circles before each change of this round, newest last.
let before = { round: "", stakes: [] };

function change(next) {
  const wrong = fault(next);
  const why = document.querySelector("[data-says-why]");
  why.textContent = wrong?.line ?? "";
  document.querySelector(".bar > [role=alert]")?.remove(); // it was about other wagers
  offerChips(25 * Math.ceil((wrong?.missing ?? 0) / 2500)); // in the same steps as the server's (round_purchase)
  if (wrong) return showRefused();
  if (before.round !== roundShown()) before = { round: roundShown(), stakes: [] };
  before.stakes.push(snapshot());
  for (const [input, amount] of next) input.value = amount ? String(amount) : "";
  place();
}

const changes = {
  clear: () => change(new Map(stakes().map((input) => [input, 0]))),
  double: () => change(new Map(stakes().map((input) => [input, (isExact(input) ? 1 : 2) * dollars(input)]))),
  rebet: () => change(new Map(stakes().map((input) => [input, parse(input.defaultValue)]))),
  undo: () => {
    const last = before.round === roundShown() && before.stakes.pop();
    if (!last) return;
    put(last);
    document.querySelector("[data-says-why]").textContent = "";
    offerChips(0);
    place();
  },
};

document.addEventListener("click", (event) => {
  const circle = event.target.closest("[data-adds-to]");
  if (circle) {
    const chip = Number(document.querySelector("input[name=chip]:checked")?.value ?? 5);
    const add = (input) => (isExact(input) && !dollars(input) ? input.dataset.most / 100 : dollars(input) + chip);
    const places = fields(circle.dataset.addsTo);
    change(new Map(places.map((input) => [input, add(input)])));
    const all = places.reduce((sum, input) => sum + Math.round(100 * dollars(input)), 0);
    const said = `${circle.querySelector(".tag").textContent}: a chip on each of ${places.length} other seats, ${written(all)} in all.`;
    document.querySelector("[data-says-spread]").textContent = places.length > 1 ? said : "";
  }
  changes[event.target.closest("[data-changes]")?.dataset.changes]?.();
});

// A field that is wrong is seen, also in a form that is folded up.
document.addEventListener("invalid", ({ target }) => target.closest("details")?.setAttribute("open", ""), true);

// Where one card is discarded, choosing another one takes the first choice back.
document.addEventListener("change", ({ target }) => {
  const others = target.checked ? target.closest("[data-only-one]")?.querySelectorAll("input:checked") : [];
  for (const input of others ?? []) input.checked = input === target;
  if (target.matches(".own .hand input")) document.querySelector(".bar > [role=alert]")?.remove(); // it was about other cards
});

// A touch on a word says what it means, in the dialog of the pays; without scripts it leads to the page of words.
document.addEventListener("click", (event) => {
  const word = event.target.closest("a.word");
  if (!word) return;
  event.preventDefault();
  htmx.ajax("GET", `/words/${word.hash.slice(1)}`, { target: "#pays" });
});

// A touch on a circle has loaded the pays of its wager.
document.addEventListener("htmx:afterSwap", ({ target }) => target.id === "pays" && !target.open && target.showModal());

// The height of the screen that the bar leaves to the felt: all of it where the bar is at the side of it.
function measureRoom() {
  const [bar, felt] = ["#table .bar", "#table .felt"].map((each) => document.querySelector(each));
  const isBeside = bar.getBoundingClientRect().left >= felt.getBoundingClientRect().right - 1;
  return window.innerHeight - (isBeside ? 0 : bar.offsetHeight);
}

// The bar lies over the end of the page.  When the next step begins, bring one's hand into view above it, with the dealer's
// cards and the results if there is room; before any cards that is the circles, unless a guide above them is to be read
// first.  When the bar grows, as with words of the coach, keep in view what was.
let stepShown = "";
let roomShown = 0;

// Where there are results or a guide, the cards go before them: return where the view begins, from above the dealer's
// cards down to one's own, and where what it should show ends.  No card is cut: where not all fit, it begins at the next
// row of cards.  A guide is shown whole if it can be; if not, its button is not cut.
function frameCards(felt, room) {
  const place = (each) => each.getBoundingClientRect();
  const own = place(document.querySelector(".own .held"));
  const first = place(document.querySelector(".own .results li") ?? document.querySelector(".own .says")).bottom;
  const rows = Array.from(document.querySelectorAll(".zone .hand"), (each) => place(each).top - 4);
  const tops = [place(felt).top, ...rows.sort((one, other) => one - other)];
  const fits = (end) => tops.slice(0, 2).find((top) => end - top <= room);
  const guide = document.querySelector(".mine #guide");
  const read = guide ? place(guide).bottom + 4 : first;
  const whole = tops.find((top) => read - top <= room);
  if (guide && whole !== undefined) return { start: whole, end: read };
  const button = guide ? place(guide.querySelector("button")) : null;
  const from = fits(first) ?? tops.find((top) => own.bottom - top <= room) ?? own.top - 4;
  const isCut = button && button.top - from < room && button.bottom - from > room;
  const start = isCut ? button.top - room : from;
  return { start, end: first - start <= room ? first : own.bottom };
}

function showStep() {
  const [table, bar, felt] = ["#table", "#table .bar", "#table .felt"].map((each) => document.querySelector(each));
  const shown = document.querySelector(".own .mine:has(.hand)") ?? document.querySelector(".own .circles");
  if (!table || !bar || !felt || !shown) return;
  const room = measureRoom();
  const { top, bottom } = shown.getBoundingClientRect();
  const cards = document.querySelector(".own .held") && document.querySelector(".own .results, .mine #guide") ? frameCards(felt, room) : null;
  const end = cards?.end ?? bottom;
  const isNew = table.dataset.step !== stepShown;
  const isCovered = room < roomShown && end > room && end <= roomShown + 1;
  stepShown = table.dataset.step;
  roomShown = room;
  document.documentElement.style.scrollPaddingBottom = `${window.innerHeight - room}px`;
  if (document.querySelector(".zone #guide") || (!isNew && !isCovered)) return;
  const start = felt.getBoundingClientRect().top;
  const first = cards ? cards.start : bottom - start <= room ? start : bottom - top <= room ? Math.max(start, bottom - room) : top;
  if (first < 0 || bottom > room) window.scrollBy(0, first);
}
document.addEventListener("htmx:afterSettle", showStep);
document.addEventListener("htmx:oobAfterSwap", showStep);
window.addEventListener("load", showStep);

// Mark the bar and the coach's words where more of them is below, results that the bar covers, and the seats where more
// are to their right.
function markBelow() {
  const bar = document.querySelector("#table .bar");
  const results = document.querySelector(".own .results");
  if (bar && results) {
    const { top, bottom } = results.getBoundingClientRect();
    const room = measureRoom();
    results.style.setProperty("--bar", `${window.innerHeight - room}px`);
    results.toggleAttribute("data-below", top < room && bottom - room > 12);
  }
  for (const each of document.querySelectorAll("#table .bar, .reviewed")) {
    each.toggleAttribute("data-more", each.scrollHeight - each.clientHeight - each.scrollTop > 4);
  }
  for (const each of document.querySelectorAll(".felt .seats")) {
    each.toggleAttribute("data-more", each.scrollWidth - each.clientWidth - each.scrollLeft > 4);
  }
}
for (const event of ["htmx:afterSettle", "htmx:oobAfterSwap", "scroll", "toggle"]) document.addEventListener(event, markBelow, true);
for (const event of ["load", "resize"]) window.addEventListener(event, markBelow);

// Keys: a letter presses the button that shows it, a digit takes a chip or marks a card, Space presses the next step.
let byKey = false;
document.addEventListener("pointerdown", () => (byKey = false));
document.addEventListener("keydown", (event) => {
  byKey = true;
  const { altKey, ctrlKey, metaKey, repeat, target } = event;
  const busy = target.matches("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");
  if (document.documentElement.dataset.keys === "off" || altKey || ctrlKey || metaKey || repeat || busy) return;
  if (document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  if (key === " " && !target.matches("body, main, .question")) return;
  const next = key === " " ? ".bar .choices .primary" : /^[a-z]$/.test(key) ? `.bar [data-key="${key}"]` : "";
  const numbered = /^[1-9]$/.test(key) && document.querySelectorAll(".rack input, .own .hand input")[Number(key) - 1];
  const pressed = (next && document.querySelector(next)) || numbered;
  if (!pressed || pressed.disabled) return;
  event.preventDefault();
  pressed.click();
});

// After a key, the focus goes to the next question, although the button that was pressed is gone: Tab leads to its first
// answer, and Space pressed twice takes none.
document.addEventListener("htmx:afterSettle", () => {
  if (byKey && document.activeElement === document.body) {
    document.querySelector(".bar .question")?.focus({ preventScroll: true });
  }
});

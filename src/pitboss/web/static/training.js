// Dealer training in the browser: chips cut from the tray, the clocks, and the seat that is asked about.

// The payout: how many chips of each kind, and the field with its amount.
const tray = document.querySelector("[data-tray]");
const amount = tray?.form.elements.dollars; // none in an exam: there the chips are counted
const cut = new Map();
const trayChips = Array.from(tray?.querySelectorAll("[data-chip]") ?? [], (each) => Number(each.dataset.chip));
const worth = (dollars) => `$${dollars.toLocaleString("en-US")}`;
const face = (dollars) => (dollars < 1000 ? String(dollars) : `${dollars / 1000}K`);
const most = 8; // chips drawn of a stack; the number below it says how many there are

function element(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function drawPayout() {
  const stacks = trayChips.filter((dollars) => cut.get(dollars)).reverse();
  tray.querySelector("[name=cut]").value = stacks.map((dollars) => `${cut.get(dollars)}x${dollars}`).join(" ");
  const place = tray.querySelector("[data-payout]");
  const held = document.activeElement?.dataset.takes;
  place.replaceChildren(
    ...stacks.map((dollars) => {
      const count = cut.get(dollars);
      const stack = element("button", "stack-of");
      stack.type = "button";
      stack.dataset.takes = dollars;
      stack.setAttribute("aria-label", `Put back one of ${count} chips of ${worth(dollars)}`);
      const pile = element("span", "pile");
      for (let each = 0; each < Math.min(count, most); each++) pile.append(element("span", `chip c${dollars}`, face(dollars)));
      const counted = element("span", "count", String(count));
      counted.append(element("span", "worth", ` x ${worth(dollars)}`)); // on a phone the chip alone says it
      stack.append(pile, counted);
      return stack;
    }),
  );
  if (stacks.length) {
    const clears = element("button", "clears", "Clear");
    clears.type = "button";
    clears.dataset.clears = "";
    place.append(clears);
  }
  if (held) (place.querySelector(`[data-takes="${held}"]`) ?? tray.querySelector(`[data-chip="${held}"]`)).focus();
  const total = stacks.reduce((sum, dollars) => sum + dollars * cut.get(dollars), 0);
  const counts = stacks.map((dollars) => `${cut.get(dollars)} x ${worth(dollars)}`).join(", ");
  tray.querySelector("[data-cut]").textContent = total ? `Payout: ${amount ? worth(total) : counts}` : "";
  return total;
}

function change(dollars, by) {
  cut.set(dollars, Math.max(0, (cut.get(dollars) ?? 0) + by));
  const total = drawPayout();
  if (amount) amount.value = String(total || "");
}

function clear() {
  cut.clear();
  drawPayout();
}

document.addEventListener("click", (event) => {
  const { dataset } = event.target.closest("button") ?? event.target;
  if (dataset.chip) change(Number(dataset.chip), 1);
  else if (dataset.takes) change(Number(dataset.takes), -1);
  else if ("clears" in dataset) {
    clear();
    if (amount) amount.value = "";
    tray.querySelector("[data-chip]").focus();
  }
});
amount?.addEventListener("input", clear); // a typed amount is not cut
document.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, metaKey, repeat, target } = event;
  if (!tray || document.documentElement.dataset.keys === "off" || altKey || ctrlKey || metaKey || repeat || target.matches("input, select, textarea")) return;
  const dollars = trayChips[Number(event.key) - 1];
  if (dollars) change(dollars, 1);
  // Enter pays what is cut, also after a click on a chip; a button that was reached by keyboard is pressed by it.
  const presses = target.closest("button, a, summary") && (!target.closest("[data-chip]") || target.matches(":focus-visible"));
  if (event.key !== "Enter" || presses || !tray.querySelector("[name=cut]").value) return;
  event.preventDefault();
  tray.form.requestSubmit(tray.form.querySelector("[value=pay]"));
});

// The seat that is asked about, or that of the last step, comes into view above the bar with the question; where the
// seats are not in a row to scroll, all of them do as far as they fit.
addEventListener("load", () => {
  const seat = document.querySelector(".drill .seat.turn") ?? document.querySelector(".drill .seat[data-last-seat]");
  seat?.scrollIntoView({ block: "nearest", inline: "center" });
  const row = document.querySelector(".drill .seats");
  const bar = document.querySelector(".bar.wide");
  const shown = row && row.scrollWidth <= row.clientWidth ? row : seat;
  if (!shown || !bar) return;
  const { top, bottom } = shown.getBoundingClientRect();
  const hidden = bottom + 8 - bar.getBoundingClientRect().top;
  if (hidden > 0) scrollBy(0, Math.max(0, Math.min(hidden, top - 8)));
});

// The clock of an exam: when it is over, the server shows the certificate.
const clock = document.querySelector("[data-ends-in]");
if (clock) {
  const end = performance.now() + 1000 * Number(clock.dataset.endsIn);
  let told = false;
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    clock.querySelector("[data-shows-left]").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.classList.toggle("late", left <= 60);
    if (left <= 60 && !told) {
      clock.querySelector("[data-tells]").textContent = `${left} seconds left`;
      told = true;
    }
    if (performance.now() < end + 300) return;
    clearInterval(timer);
    location.assign(clock.dataset.then);
  }, 250);
}

// The clock of a drill counts up, and pauses when the question has taken as long as counts.  Whoever closes it has it closed in later drills too.
const pace = document.querySelector("[data-elapsed]");
if (pace) {
  const closed = "pitboss-clock-closed";
  pace.open = localStorage.getItem(closed) === null;
  pace.addEventListener("toggle", () => (pace.open ? localStorage.removeItem(closed) : localStorage.setItem(closed, "")));
  const shownAt = performance.now();
  setInterval(() => {
    if (!pace.open) return;
    const counted = Math.min((performance.now() - shownAt) / 1000, Number(pace.dataset.pausesIn));
    const seconds = Math.floor(Number(pace.dataset.elapsed) + counted);
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const shown = [...(hours ? [hours, String(minutes).padStart(2, "0")] : [minutes]), String(seconds % 60).padStart(2, "0")];
    pace.querySelector("[data-shows-elapsed]").textContent = shown.join(":");
    const dealt = Number(pace.dataset.dealt ?? 0);
    if (dealt) pace.querySelector("[data-shows-pace]").textContent = String(Math.floor((3600 * dealt) / Math.max(1, seconds)));
  }, 1000);
}

// A certificate is printed by its button.
document.querySelector("[data-prints]")?.addEventListener("click", () => print());

// What was opened below the layout stays open at the next question.
const openParts = new Set(JSON.parse(sessionStorage.getItem("pitboss-open-parts") ?? "[]"));
for (const part of document.querySelectorAll("details[data-stays-open]")) {
  part.open = openParts.has(part.id);
  part.addEventListener("toggle", () => {
    if (part.open) openParts.add(part.id);
    else openParts.delete(part.id);
    sessionStorage.setItem("pitboss-open-parts", JSON.stringify([...openParts]));
  });
}

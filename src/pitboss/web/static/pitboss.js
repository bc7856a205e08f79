// What a page does by itself: chips on circles.  Everything else is forms, and pages sent by the server.
"use strict";

const colours = [500, 100, 25, 5, 1];
const field = (id) => document.getElementById(id);
const dollars = (input) => Number(input.value.replace(/[$,\s]/g, "")) || 0;

// A chip on every circle whose field holds a stake.
function draw() {
  for (const place of document.querySelectorAll("[data-shows]")) {
    const stake = dollars(field(place.dataset.shows));
    place.replaceChildren();
    if (stake > 0) {
      const chip = document.createElement("span");
      chip.className = `chip c${colours.find((value) => value <= stake) ?? 1}`;
      chip.textContent = stake.toLocaleString("en-US");
      place.append(chip);
    }
  }
}

document.addEventListener("click", (event) => {
  const circle = event.target.closest("[data-adds-to]");
  if (circle) {
    const input = field(circle.dataset.addsTo);
    const chip = document.querySelector("input[name=chip]:checked");
    input.value = String(dollars(input) + Number(chip ? chip.value : 5));
    draw();
  }
  if (event.target.closest("[data-clears]")) {
    for (const input of document.querySelectorAll("input.stake")) input.value = "";
    draw();
  }
});
// Another game, bet or pay table is another form.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-asks]")) {
    for (const input of document.querySelectorAll("[name^=pay-]")) input.disabled = true;
    event.target.form.submit();
  }
});
document.addEventListener("input", (event) => event.target.matches("input.stake") && draw());
document.addEventListener("htmx:load", draw);
document.addEventListener("DOMContentLoaded", draw);

// Short sounds for cards, chips and a win, for who asked for them.  They are made here, and begin with a gesture.
"use strict";

let audio = null;
for (const gesture of ["pointerdown", "keydown"]) {
  document.addEventListener(gesture, () => (audio ??= new AudioContext()).resume(), true);
}

// A node whose sound begins `after` seconds from now and dies away in `length` seconds.
function fade(source, after, length, volume) {
  const gain = audio.createGain();
  const start = audio.currentTime + after;
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(gain).connect(audio.destination);
  return start;
}

function tone(frequency, after, length, volume) {
  const source = audio.createOscillator();
  source.frequency.value = frequency;
  const start = fade(source, after, length, volume);
  source.start(start);
  source.stop(start + length);
}

// A card that slides: noise in a narrow band.
function slide(after) {
  const length = 0.07;
  const source = audio.createBufferSource();
  source.buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  source.buffer.getChannelData(0).forEach((_, at, data) => (data[at] = Math.random() * 2 - 1));
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = 2600;
  source.connect(band);
  source.start(fade(band, after, length, 0.12));
}

const sounds = {
  cards: (count) => Array.from({ length: Math.min(count, 7) }, (_, at) => slide(at * 0.09)),
  chip: () => [tone(2100, 0, 0.05, 0.05), tone(2900, 0.03, 0.05, 0.04)],
  win: () => [523, 659, 784].map((frequency, at) => tone(frequency, at * 0.09, 0.3, 0.06)),
};
function play(name, count) {
  if (!audio || audio.state === "closed" || document.hidden) return;
  sounds[name](count);
  document.dispatchEvent(new CustomEvent("pitboss:sound", { detail: name }));
}

// Before table.js draws the circle anew, and the chip that was pressed is gone.
document.addEventListener("click", ({ target }) => target.closest("[data-adds-to]") && play("chip"), true);

// What lies face up, and which step it is: more cards were dealt or turned, or the round was won.
const look = () => ({
  step: document.querySelector("#table")?.dataset.step ?? "",
  cards: document.querySelectorAll(".zone .card use:not([href$='#back']), .own .held .card use:not([href$='#back'])").length,
  won: document.querySelector(".own .says strong")?.textContent.startsWith("+") ?? false,
});
let seen = null;
window.addEventListener("load", () => (seen = look()));
document.addEventListener("htmx:afterSettle", () => {
  const now = look();
  if (seen && now.step !== seen.step) {
    if (now.cards > seen.cards || !document.querySelector(".own .says strong")) play("cards", Math.max(1, now.cards - seen.cards));
    if (now.won) play("win");
    seen = now;
  }
});

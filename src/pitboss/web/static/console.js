// The consoles of the progressive: their forms give commands by the API, and a line says what happened.
"use strict";

// Log out a console, and clear it, when nobody has touched it for the idle time of a session.  The server cannot do this:
// events redraw the console, which keeps the session alive.  All tabs of a browser count together.
const touched = "touched";
for (const kind of ["DOMContentLoaded", "pointerdown", "keydown"]) {
  document.addEventListener(kind, () => {
    if (document.querySelector("[data-idle]")) localStorage.setItem(touched, String(Date.now()));
  });
}
setInterval(() => {
  const out = document.querySelector("[data-idle]");
  if (!out || Date.now() - Number(localStorage.getItem(touched)) < 1000 * Number(out.dataset.idle)) return;
  document.getElementById("main").replaceChildren();
  const gone = () => location.assign(out.dataset.then);
  fetch("/api/session", { method: "DELETE", headers: { "X-CSRF-Token": out.dataset.token } }).then(gone, gone);
}, 5000);

// Ask for a hidden password twice: the token that sets it works only once.
document.addEventListener("input", (event) => {
  const again = event.target.form?.querySelector("[data-same-as]");
  if (again) {
    const same = again.value === again.form.elements[again.dataset.sameAs].value;
    again.setCustomValidity(same ? "" : "This is not the password above: write the same password twice");
  }
});

// A form with data-api is an API command: its fields become JSON, where "proof.name" is the name within proof.
const keys = new WeakMap(); // the key of each form whose command has no answer yet: sent again unchanged, it is the same command

// People write dollars, commands take cents.
function inCents(text, empty) {
  if (!text.trim()) return Number(empty);
  const [, sign, dollars, cents = ""] = /^(-?)\$?([0-9,]+)(?:\.([0-9]{1,2}))?$/.exec(text.trim());
  return Number(`${sign}${dollars.replaceAll(",", "")}${cents.padEnd(2, "0")}`);
}

// A form for settings sends what was changed in it.
function isChanged(input) {
  if (input.matches("select")) return !input.selectedOptions[0].defaultSelected;
  return input.value !== input.defaultValue;
}

function body(form) {
  const said = Object.create(null);
  for (const input of form.querySelectorAll("[name]")) {
    if (input.matches(":disabled")) continue;
    if (input.type === "checkbox" && !input.checked && !("list" in input.dataset)) continue;
    const path = input.name.split(".");
    const last = path.pop();
    if ("changed" in input.dataset && !isChanged(input)) continue;
    const place = path.reduce((at, part) => (at[part] ??= Object.create(null)), said);
    if ("list" in input.dataset) {
      place[last] ??= [];
      if (input.checked) place[last].push(JSON.parse(input.value));
    } else {
      place[last] = "cents" in input.dataset ? inCents(input.value, input.dataset.empty) : "json" in input.dataset ? JSON.parse(input.value || "null") : input.value;
    }
  }
  return JSON.stringify(said);
}

// Why a command was refused, "" after one that was not.
function refuse(form, line) {
  const alert = form.querySelector("[role=alert]");
  if (!alert) return;
  alert.hidden = !line;
  alert.textContent = line;
}

// A refusal as a sentence (pitboss.js).  A person's name that it begins with stays as it is.
function phrase({ detail, fields }) {
  const first = detail.split(" ", 1)[0];
  return Object.values(fields).includes(first) ? first + sentence(detail.slice(first.length)) : sentence(detail);
}

async function send(form) {
  const [method, address] = form.dataset.api.split(" ");
  const said = body(form);
  const text = `${form.dataset.api} ${said}`;
  const before = keys.get(form);
  if (form.querySelector("[data-changed]") && !said.includes('"changes":')) return refuse(form, "Nothing is different: change a setting first.");
  const key = before && before.text === text ? before.key : crypto.randomUUID();
  keys.set(form, { key, text });
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  if (form.dataset.token) headers["X-CSRF-Token"] = form.dataset.token;
  if (form.dataset.pdf) headers.Accept = "application/pdf, application/json";
  const answer = await fetch(address, { method, headers, body: method === "DELETE" ? undefined : said });
  if (answer.status < 500) keys.delete(form); // a refused command may be given again: the server would answer its key as before
  if (!answer.ok) return refuse(form, phrase(await answer.json()));
  for (const each of document.querySelectorAll("form[data-api]")) refuse(each, ""); // they may not be true any more
  if (unfinished === form) unfinished = null;
  form.reset();
  if (form.dataset.pdf) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = form.dataset.pdf;
    link.click();
  }
  const told = answer.headers.get("Content-Type") === "application/json" ? await answer.json() : {};
  tell(form, [fill(form.dataset.says ?? "", told), ...(told.warnings ?? []), ...(told.advice ?? []).map((each) => `Advice: ${each.reason}.`)].filter(Boolean).join(" "), told.half_code);
  if ("once" in form.dataset) finish(form);
  if (form.dataset.next) lead(form, { ...JSON.parse(said), ...told });
  if (form.dataset.then) location.assign(form.dataset.then);
  if ("again" in form.dataset) {
    if (document.getElementById("console")) document.body.dispatchEvent(new Event("changed"));
    else location.reload();
  }
}

// A form may lead to a second one, which shows and sends what the first was answered.
let unfinished = null; // the second form, until it is done
function lead(form, told) {
  const next = document.getElementById(form.dataset.next);
  for (const each of next.querySelectorAll("[data-needs]")) each.hidden = each.disabled = !told[each.dataset.needs];
  for (const each of next.querySelectorAll("[data-from]")) {
    each[each.matches("input") ? "value" : "textContent"] = told[each.dataset.from];
  }
  const picture = next.querySelector("[data-qr]");
  picture.setAttribute("viewBox", `0 0 ${told.qr_size} ${told.qr_size}`);
  picture.querySelector(".dark").setAttribute("d", told.qr_path);
  form.hidden = true;
  next.hidden = false;
  for (const each of document.querySelectorAll("[data-unfinished]")) each.hidden = false;
  next.querySelector("input:not([type=hidden], :disabled)").focus();
  unfinished = next;
}
addEventListener("beforeunload", (event) => unfinished && event.preventDefault());

// What happened, in the words of the form: "{entries}" stands for that field of the answer.
const worded = (value) => (typeof value === "number" ? value.toLocaleString("en-US") : String(value));
const fill = (words, told) => words.replace(/\{(\w+)\}/g, (_all, name) => worded(told[name]));

// The form's own place for it stays until the next command; else the head of the page shows it, also after a reload.
function tell(form, line, half) {
  const own = form.querySelector("output");
  if (own && half) own.replaceChildren(...line.split(half).flatMap((part, place) => (place ? [code(half), part] : [part])));
  else if (own) own.textContent = line;
  else if (form.dataset.then || ("again" in form.dataset && !document.getElementById("console"))) sessionStorage.setItem("told", line);
  else show(line);
}
function code(text) {
  const made = document.createElement("code");
  made.textContent = text;
  return made;
}

// What was commanded once and for all is asked no more; what it was answered stays.
function finish(form) {
  for (const each of form.parentElement.querySelectorAll("label, button, details, .soft")) each.remove();
}

function show(line) {
  const place = document.getElementById("told");
  if (!place) return;
  place.hidden = !line;
  place.textContent = line;
}
document.addEventListener("DOMContentLoaded", () => {
  show(sessionStorage.getItem("told") ?? "");
  sessionStorage.removeItem("told");
});

// A redraw of the console leaves a form for the same command as it is: somebody may be writing in it, pressing its
// button, waiting for its answer or reading why it was refused.
Idiomorph.defaults.callbacks.beforeNodeMorphed = (before, now) =>
  !(before instanceof HTMLFormElement && before.dataset.api && before.dataset.api === now.dataset.api);

document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-api]")) {
    event.preventDefault();
    send(event.target).catch(() => {
      refuse(event.target, "No answer: the connection is lost. Press again: the command runs only once.");
    });
  }
});

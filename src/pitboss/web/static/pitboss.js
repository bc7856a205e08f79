// What the pages do in the browser.  Everything else is forms and pages from the server; table.js places the chips.
"use strict";

const field = (id) => document.getElementById(id);

// Also keep other input that is not sent yet.
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, each) =>
  !each.closest("[data-stays]") ||
  !(["selected", "checked"].includes(name) || (name === "value" && each.matches("input") && each.value !== each.defaultValue));

// Another game, bet or pay table needs another form: drop the choices that follow it.
document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-asks]")) return;
  const asks = Array.from(event.target.form.querySelectorAll("[data-asks]"));
  const after = asks.slice(asks.indexOf(event.target) + 1);
  for (const input of [...after, ...event.target.form.querySelectorAll("[name^=pay-], [name=beside]")]) input.disabled = true;
  event.target.form.submit();
});

// The query of a PAR sheet, without unchanged pays; the URL holds it, for a reload or a link.
function asked(form) {
  const query = new URLSearchParams(new FormData(form));
  for (const input of form.querySelectorAll("[data-printed]")) {
    if (input.value.trim() === input.dataset.printed) query.delete(input.name);
  }
  if (!query.get("beside")) query.delete("beside");
  const own = query.getAll("own").filter((text) => text.trim());
  query.delete("own");
  own.forEach((text) => query.append("own", text));
  return query;
}
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-prices]")) history.replaceState(history.state, "", `?${asked(event.target.form)}`);
});

// A slider beside a pay goes through round pays, and follows what is typed.
const steps = (slider) => slider.dataset.steps.split(" ");
const amount = (text) => text.split(":").map(Number).reduce((over, under) => over / under);
document.addEventListener("input", (event) => {
  const { form, dataset, value } = event.target;
  if (dataset.slides) {
    form.elements[dataset.slides].value = steps(event.target)[value];
    history.replaceState(history.state, "", `?${asked(form)}`);
  } else follow(event.target);
});
function follow(input) {
  const slider = Array.from(input.form?.elements ?? []).find((each) => each.dataset.slides === input.name);
  if (!slider || Number.isNaN(amount(input.value))) return;
  const far = steps(slider).map((step) => Math.abs(amount(step) - amount(input.value)));
  slider.value = far.indexOf(Math.min(...far));
}
document.querySelectorAll("[data-printed]").forEach(follow);
// A slider below a curve goes from point to point.
document.addEventListener("input", (event) => {
  if (!event.target.matches("[data-picks]")) return;
  const figure = event.target.closest("figure");
  const points = Array.from(figure.querySelectorAll("circle"));
  points.forEach((point, at) => point.classList.toggle("picked", at === Number(event.target.value)));
  figure.querySelector("output").textContent = points[event.target.value].textContent;
});

// Put texts into the empty fields for one's own: from files, or the pays that are shown.  An only field is filled anew.
function keep(name, texts) {
  const all = Array.from(document.querySelectorAll(`textarea[name=${name}]`));
  const empty = all.filter((each) => all.length === 1 || !each.value.trim());
  texts.slice(0, empty.length).forEach((text, at) => (empty[at].value = text));
  field(name).open = true;
  empty[0]?.dispatchEvent(new Event("input", { bubbles: true }));
}
document.addEventListener("change", async (event) => {
  if (!event.target.matches("[data-reads]")) return;
  keep(event.target.dataset.reads, await Promise.all(Array.from(event.target.files, (file) => file.text())));
  event.target.value = "";
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-keeps]");
  if (button) keep(button.dataset.keeps, [button.closest("details").querySelector("pre").textContent]);
});

// Cards to click on: one goes into the field that was last in use, or the next if that is full, and out of the field
// that it is in.
let into = null;
const jokers = /(?<![^\s,;])joker(?:\s*([12]))?(?![^\s,;])/gi;
const listed = (input) => input.value.replace(jokers, "Jk$1").split(/[\s,;]+/).filter(Boolean);
const cardFields = () => Array.from(document.querySelectorAll("[data-cards]"));
const letters = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
const plain = (card) => card.toLowerCase().replace(/^10/, "t").replace(/[♠♥♦♣]/, (suit) => letters[suit]);
const same = (one, other) => plain(one) === plain(other);
// A field that has enough for its first decision passes the card on, to the next one that has not; once all have, each
// takes as many as any decision shows, and no field takes more.
function chooseField() {
  const fields = cardFields();
  const last = into?.isConnected ? into : fields[0];
  const at = fields.indexOf(last);
  const inTurn = [...fields.slice(at), ...fields.slice(0, at)];
  const takes = (most) => inTurn.find((each) => listed(each).length < Number(each.dataset[most] ?? Infinity));
  return takes("enough") ?? takes("most");
}
function press() {
  const used = cardFields().flatMap(listed);
  for (const button of document.querySelectorAll("[data-card]")) {
    button.setAttribute("aria-pressed", String(used.some((each) => same(each, button.dataset.card))));
  }
}
document.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-cards]")) into = event.target;
});
document.addEventListener("input", (event) => event.target.matches("[data-cards]") && press());
document.addEventListener("reset", () => setTimeout(press)); // the fields are empty after the event
document.addEventListener("DOMContentLoaded", press);
document.addEventListener("click", (event) => {
  const name = event.target.closest("[data-card]")?.dataset.card;
  if (!name) return;
  const holds = (input) => listed(input).some((each) => same(each, name));
  const input = cardFields().find(holds) ?? chooseField();
  if (!input) return;
  into = input;
  input.value = (holds(input) ? listed(input).filter((each) => !same(each, name)) : [...listed(input), name.replace(/^T/, "10")]).join(" ");
  input.dispatchEvent(new Event("input", { bubbles: true }));
});
// From the first change of a position on, its old values are marked until the new ones come.
const recounts = () => document.querySelector("[data-recounts]");
document.addEventListener("input", (event) => {
  const values = recounts();
  if (values && event.target.form?.id === values.dataset.recounts) values.setAttribute("aria-busy", "true");
});
document.addEventListener("htmx:afterSwap", (event) => event.target === recounts() && event.target.removeAttribute("aria-busy"));
// On a phone the answer is below the cards to click on: bring it into view once a clicked card makes a position.
let clicked = false;
document.addEventListener("input", (event) => (clicked = !event.isTrusted));
document.addEventListener("htmx:afterSettle", () => {
  const answer = clicked && recounts()?.querySelector(".notice[role=status]");
  if (!answer) return;
  clicked = false;
  answer.scrollIntoView({ block: "nearest" });
});
for (const failed of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failed, () => recounts()?.removeAttribute("aria-busy"));
}
// Another game begins with an example of its own, at the top of its page: the fragment of the form leads to the answer.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-starts]")) location.assign(`${new URL(event.target.form.action).pathname}?game=${event.target.value}`);
});

// Copy an address.  A page that came over plain HTTP has no clipboard: there the older way copies what is selected.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const input = field(button.dataset.copies);
  input.focus();
  input.select();
  const isCopied = await (navigator.clipboard?.writeText(input.value) ?? Promise.reject()).then(
    () => true,
    () => document.execCommand("copy"),
  );
  button.parentElement.querySelector("[role=status]").textContent = isCopied ? "Copied." : "Selected: copy it now.";
});

// Who looks at another tab meanwhile sees it in this one's title.
const title = document.title;
function call(line) {
  if (document.hidden) document.title = `${line} · ${title}`;
}
document.addEventListener("visibilitychange", () => (document.title = title));

function save(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
}

// A drawing as PNG, since few messengers show an SVG; without script, or in doubt, the link gives the SVG itself.
async function saveDrawing(link) {
  const drawing = new Image();
  drawing.src = link.href;
  await drawing.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * drawing.naturalWidth;
  canvas.height = 2 * drawing.naturalHeight;
  canvas.getContext("2d").drawImage(drawing, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((file) => save(file, link.dataset.png));
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-png]");
  if (!link) return;
  event.preventDefault();
  saveDrawing(link).catch(() => location.assign(link.href));
});

// A report may take minutes: say so, and why, until it is there.
async function download(button) {
  const { form, formAction, dataset } = button;
  const said = field("making");
  const own = Array.from(said.children).find((each) => each.dataset.of === dataset.file) ?? document.createElement("p");
  own.dataset.of = dataset.file;
  said.append(own);
  const say = (line, bad = false) => {
    said.hidden = false;
    own.className = bad ? "notice bad" : "notice";
    own.textContent = line;
  };
  say(`${dataset.file} ${said.dataset.why}`);
  button.disabled = true;
  try {
    const answer = await fetch(`${formAction}?${asked(form)}`, { headers: { Accept: "*/*" } });
    if (!answer.ok) return say(sentence((await answer.json()).detail), true);
    save(await answer.blob(), answer.headers.get("Content-Disposition").split('"')[1]);
    say(`${dataset.file} ${said.dataset.made}`);
    call(`${dataset.file} is ready`);
  } catch {
    say("No answer: the connection is lost. Ask again when it is back.", true);
  } finally {
    button.disabled = false;
  }
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-file]");
  if (button) {
    event.preventDefault();
    download(button);
  }
});

// Keep opened details open when the table is redrawn.
const opened = new Set();
const reopen = () => opened.forEach((each) => field(each)?.setAttribute("open", ""));
document.addEventListener("click", (event) => {
  const details = event.target.closest("summary")?.parentElement;
  if (details?.id && !opened.delete(details.id)) opened.add(details.id);
});
document.addEventListener("htmx:afterSwap", reopen);
document.addEventListener("htmx:afterSettle", reopen);

// Show in the bar why a command failed.  What is about the connection goes when the table is drawn again; a refusal
// stays until the next press (table.js).
function report(line, passes = false) {
  const bar = field("table")?.querySelector(".bar");
  if (!bar) return;
  const alert = bar.querySelector("[role=alert]") ?? document.createElement("p");
  alert.className = "notice bad";
  alert.setAttribute("role", "alert");
  alert.textContent = line;
  alert.toggleAttribute("data-passes", passes);
  if (!alert.isConnected) (bar.querySelector(".ask") ?? bar.lastElementChild).after(alert);
}

// Report a lost connection, and reload the table when it is back.  A form's key makes it safe to send it again.
document.addEventListener("htmx:sendError", (event) => {
  if (event.detail.requestConfig?.verb === "post") report("No answer: the connection is lost. Press again when it is back: the command runs only once.", true);
});
const catchUp = () => field("table-news")?.dispatchEvent(new Event("sse:changed"));
window.addEventListener("online", catchUp);

// Draw each state of a table once: the answer to a command brings the state that the stream of news announces too, a
// moment later.  If it does not come in that moment, do not wait for it.
const ANSWER_MILLISECONDS = 400;
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  const told = elt.id === "table-news" && Number(requestConfig.triggeringEvent?.detail?.data);
  const isNew = () => told > Number(field("table").dataset.sequence);
  if (!told || (isNew() && !document.querySelector("#table form.htmx-request"))) return;
  event.preventDefault();
  setTimeout(() => isNew() && catchUp(), ANSWER_MILLISECONDS);
});

// Say at once when the server is gone, and catch up when it is back: its stream of news ends and begins again.
let isGone = false;
document.addEventListener("htmx:sseError", (event) => {
  if (event.detail.source.readyState !== EventSource.CONNECTING) return; // it answers, and refuses the stream
  isGone = true;
  report("The server does not answer. The table goes on when it is back.", true);
});
document.addEventListener("htmx:sseOpen", () => {
  if (isGone) catchUp();
  isGone = false;
});

// A refusal as pages show it: a sentence, although programs are answered without its capital letter and its full stop.
const sentence = (line) => line.replace(/^[a-z](?=[a-z]*[,:;]?(\s|$))/, (letter) => letter.toUpperCase()).replace(/[^.?!…]$/, "$&.");

// The refusal by any part of the server, or {} for an answer of a proxy.
function problem(request) {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return {};
  }
}

// A part that asks on by itself asks again after what passes, so that it never stands still; else it says why it stops.
const asksOn = (part) => part.matches('[hx-get][hx-trigger*="load"]');
const PASSING = [429, 502, 503, 504];
const SECONDS_UNTIL_AGAIN = 3;
function askAgain(part) {
  setTimeout(() => part.isConnected && htmx.ajax("GET", part.getAttribute("hx-get"), { source: part }), 1_000 * SECONDS_UNTIL_AGAIN);
}
document.addEventListener("htmx:sendError", ({ target }) => asksOn(target) && askAgain(target));
function giveUp(part, line) {
  part.classList.add("notice", "bad");
  part.setAttribute("role", "alert");
  part.textContent = line;
}

// Is it a part of a page, or a page with the part that is wanted of it?
const hasPart = (html, wanted) => !/<html/i.test(html) || Boolean(wanted && new DOMParser().parseFromString(html, "text/html").querySelector(wanted));

// Only swap in parts of a page: for any other refusal, leave the page as it is and say why.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, serverResponse, target, xhr: request } = event.detail;
  const html = request.getResponseHeader("Content-Type")?.startsWith("text/html");
  const asker = requestConfig.elt;
  if (request.status < 400 || (html && hasPart(serverResponse, asker.getAttribute("hx-select")))) return;
  event.detail.shouldSwap = false;
  const { code, detail } = problem(request);
  if (asksOn(asker) && PASSING.includes(request.status) && code !== "job-lost") return askAgain(asker);
  const line = sentence(detail ?? "") || `The server answers ${request.status}: press again in a moment. The command runs only once.`;
  if (requestConfig.verb === "post") report(line);
  if (target.matches("[aria-live]")) target.textContent = line;
  else if (asksOn(asker)) giveUp(asker, line);
});

// Drop an answer that a later one has overtaken.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, serverResponse } = event.detail;
  const sequence = target.id === "table" && /data-sequence="(\d+)"/.exec(serverResponse)?.[1];
  if (sequence && Number(sequence) < Number(target.dataset.sequence)) event.detail.shouldSwap = false;
});

// A region that is narrower than its table says so.
const widths = new ResizeObserver((entries) => entries.forEach(({ target }) => markMore(target.closest(".scroll"))));
function markMore(region) {
  region?.toggleAttribute("data-more", region.scrollWidth > region.clientWidth + 1);
}
function watchWidths() {
  for (const region of document.querySelectorAll(".scroll")) {
    markMore(region);
    widths.observe(region);
    if (region.firstElementChild) widths.observe(region.firstElementChild);
  }
}
document.addEventListener("DOMContentLoaded", watchWidths);
document.addEventListener("htmx:afterSettle", watchWidths);

// In a grid of links one is reached by Tab, the others by the arrow keys.
const grids = () => document.querySelectorAll("[data-grid]");
function rove() {
  for (const grid of grids()) {
    const links = Array.from(grid.querySelectorAll("a"));
    if (links.filter((each) => each.tabIndex === 0).length <= 1) continue;
    const first = links.find((each) => each.hasAttribute("aria-current")) ?? links[0];
    links.forEach((each) => (each.tabIndex = each === first ? 0 : -1));
  }
}
document.addEventListener("DOMContentLoaded", rove);
document.addEventListener("htmx:afterSettle", rove);
document.addEventListener("keydown", (event) => {
  const [down, across] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
  const cell = event.target.closest?.("[data-grid] td");
  if (!cell || event.ctrlKey || event.altKey || event.metaKey || !(down || across)) return;
  event.preventDefault();
  const rows = Array.from(cell.closest("tbody").rows);
  let [row, column] = [cell.parentElement.sectionRowIndex, cell.cellIndex];
  do {
    row += down;
    column += across;
  } while (rows[row]?.cells[column] && !rows[row].cells[column].querySelector("a"));
  const link = rows[row]?.cells[column]?.querySelector("a");
  if (!link) return;
  cell.querySelector("a").tabIndex = -1;
  link.tabIndex = 0;
  link.focus();
});

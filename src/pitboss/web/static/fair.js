// A provably fair round in the browser: hand in the hash of a seed with the wagers, check and store the house's receipt,
// and only then show the seed.  docs/fair-shuffle.md defines the bytes.

const AGAIN = 3_000; // milliseconds until a missing receipt is requested again, or a seed sent again
const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

// Hand in the hash of a seed, and store the house's commitment so far.
async function bind(input) {
  const { seedOf: place, commitment, houseKey: key, game } = input.dataset;
  let [entry] = fairReceipts.list(fairReceipts.name(place, ""));
  if (!entry) {
    const [table, round, seat] = place.split("/");
    const seed = fairShuffle.hexadecimal(crypto.getRandomValues(new Uint8Array(32)));
    const hash = await fairShuffle.hashSeed({ table, round }, seat, seed);
    entry = { seed, hash, commitment, key, game, at: Date.now() };
    fairReceipts.store(place, entry);
  }
  input.value = entry.hash;
}

// Return what is wrong with a receipt, or ""; `kept` is the entry stored when this browser handed in the seat's hash.
export async function findFault(receipt, place, version, kept) {
  const [table, round, seat] = place.split("/");
  const { seats } = receipt;
  if (receipt.version !== version) return `its version is ${receipt.version}, not ${version}`;
  if (receipt.table !== table || String(receipt.round) !== round) return "it is for another table or round";
  if (String(receipt.seat) !== seat) return "it is for another seat";
  if (!Array.isArray(seats) || seats.some((each) => each.hash !== "" && !isHash(each.hash))) return "its seats are not in order";
  if (seats.some((each, at) => at > 0 && each.seat <= seats[at - 1].seat)) return "its seats are not in order";
  if (!kept) return "the house names a hash for your seat that this browser did not hand in";
  if (receipt.game !== kept.game) return "it is for another game";
  if (receipt.commitment !== kept.commitment) return "the house has changed its commitment since you wagered";
  if (receipt.key !== kept.key) return "its key is not the one that the page showed when you wagered";
  if ((await fairShuffle.isSigned(receipt)) === false) return "its signature is not valid";
  return "";
}

const lines = new Map(); // the line shown at each form, which a redraw of the table loses

function say(place, line) {
  lines.set(place, line);
  const alert = formOf(place)?.querySelector("[role=alert]");
  if (!alert) return;
  alert.hidden = !line;
  alert.textContent = line;
}

const formOf = (place) => document.querySelector(`[data-shows-seed="${place}"]`);

// Get the receipt, check it, store it, and only then show the seed.
async function show(form) {
  const { showsSeed: place, receipt: address, version } = form.dataset;
  let said;
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    said = await answer.text();
  } catch {
    say(place, "No receipt came from the house, so your seed is not shown yet. This page keeps asking.");
    askAgain(place);
    return;
  }
  let fault = "it cannot be read";
  let kept;
  try {
    const receipt = JSON.parse(said);
    const own = receipt.seats.find((each) => each.seat === receipt.seat);
    kept = fairReceipts.list(fairReceipts.name(place, own.hash))[0];
    fault = await findFault(receipt, place, version, kept);
  } catch {
    // an unreadable receipt is a fault
  }
  if (fault) {
    say(place, `The house's receipt is wrong: ${fault}. Your seed was not shown, and the round will be void.`);
    return;
  }
  const { name: _, ...entry } = kept;
  fairReceipts.store(place, { ...entry, receipt: said });
  say(place, "");
  askAgain(place); // if the form is still there then, the seed was lost in transit
  const drawn = formOf(place); // the table may have been redrawn meanwhile
  if (!drawn) return;
  drawn.elements.seed.value = kept.seed;
  drawn.requestSubmit();
}

const asked = new Set(); // forms that this page has answered, so that a redraw does not send one twice

const timers = new Map();

function askAgain(place) {
  clearTimeout(timers.get(place));
  const forget = () => {
    asked.delete(place);
    look();
  };
  timers.set(place, setTimeout(forget, AGAIN));
}

function look() {
  if (!crypto.subtle) return; // plain HTTP from another machine: the seat hands in no seed, and trusts the other seeds
  for (const input of document.querySelectorAll("[data-seed-of]")) bind(input);
  for (const form of document.querySelectorAll("[data-shows-seed]")) {
    const { showsSeed: place } = form.dataset;
    if (asked.has(place)) {
      say(place, lines.get(place));
    } else {
      asked.add(place);
      show(form);
    }
  }
}
for (const news of ["htmx:load", "htmx:afterSettle"]) document.addEventListener(news, look);
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", look);
else look();

// The button does not send the seed itself: it requests the receipt again.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!form.dataset.showsSeed || form.elements.seed.value) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    show(form);
  },
  true,
);

// Download a receipt that this browser has stored, instead of the house's copy.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-kept]");
  const kept = link && fairReceipts.list(fairReceipts.name(link.dataset.kept, "")).find((each) => each.receipt);
  if (!kept) return;
  event.preventDefault();
  fairReceipts.save(kept.receipt, link.download);
});

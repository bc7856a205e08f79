// The files of a provably fair round, read and checked in form: its record (TOML) and a receipt (JSON).
// docs/fair-shuffle.md says what they must have.
"use strict";

const exports = {}; // smol-toml, which is loaded next, is a CommonJS file

const fairFiles = (() => {
  const MOST_BYTES = 1_000_000; // of a file; no round has more
  const HIGHEST = BigInt(Number.MAX_SAFE_INTEGER);
  const RECEIPT_FIELDS = ["version", "game", "table", "round", "seat", "commitment", "seats", "key", "signature"];

  // A text that is no record or receipt, said in one line.
  class Refusal extends Error {
    constructor(line) {
      super(line);
      this.line = line;
    }
  }
  function require(condition, line) {
    if (!condition) throw new Refusal(line);
  }

  const isText = (value, most = Infinity) => typeof value === "string" && /^[ -~]+$/.test(value) && value.length <= most;
  const isDigits = (value, count) => typeof value === "string" && new RegExp(`^[0-9a-f]{${count}}$`).test(value);
  const isNumber = (value, low, high = HIGHEST) => typeof value === "bigint" && low <= value && value <= high;
  const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
  const isAscending = (numbers) => numbers.every((number, at) => at === 0 || numbers[at - 1] < number);

  // Read a file as text.
  async function readFile(file) {
    require(file.size <= MOST_BYTES, `${file.name} has ${file.size.toLocaleString("en-US")} bytes: no round's file and no receipt has more than ${MOST_BYTES.toLocaleString("en-US")}.`);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      throw new Refusal(`${file.name} is not a text (UTF-8): choose the file that the table gives.`);
    }
  }

  function parseToml(text) {
    try {
      return exports.parse(text, { integersAsBigInt: true, maxDepth: 100 });
    } catch (error) {
      const at = error.line ? `line ${error.line}, column ${error.column}` : "at its end";
      throw new Refusal(`This is not a round's file: it is not TOML (${at}).`);
    }
  }

  // Read the record of a round from its TOML.  The parser gives whole numbers as BigInt, so 1.0 is not taken for 1.
  function readRecord(text) {
    require(text.length <= MOST_BYTES, "This is too large to be a round's file.");
    const record = parseToml(text);
    const { variant, antes, actions, _fair: fair, _options: options = {} } = record;
    require(isText(variant) && Array.isArray(antes) && Array.isArray(actions), "This is not a round's file: it has no variant, antes and actions.");
    require(fair !== undefined, "This round's shuffle was not provably fair: its file has no part _fair, so there is nothing to check.");
    require(isTable(fair), "This is not a round's file: _fair is not a table.");
    require(fair.version === fairShuffle.VERSION, `This round was shuffled by the method ${fair.version ?? "of no name"}: this page checks ${fairShuffle.VERSION} only.`);
    const wrong = (name) => `This is not a valid round's file: ${name} is missing or has a wrong form.`;
    require(antes.every((ante) => isNumber(ante, 0n)), wrong("antes"));
    require(actions.every((action) => isText(action)), wrong("actions"));
    for (const name of ["_settlements", "_awards"]) require(Array.isArray(record[name] ?? []), wrong(name));
    require(isTable(options), wrong("_options"));
    require(isText(fair.table) && /^[a-z0-9-]{1,32}$/.test(fair.table), wrong("_fair.table"));
    require(isNumber(fair.round, 1n), wrong("_fair.round"));
    require(isDigits(fair.commitment, 64), wrong("_fair.commitment"));
    require((fair.secret ?? "") === "" || isDigits(fair.secret, 64), wrong("_fair.secret"));
    require(Array.isArray(fair.seats) && fair.seats.length >= 1 && fair.seats.length <= 6, wrong("_fair.seats"));
    for (const seat of fair.seats) {
      require(isTable(seat) && isNumber(seat.seat, 1n, 6n), wrong("a seat of _fair.seats"));
      require(seat.hash === undefined || isDigits(seat.hash, 64), wrong(`the hash of seat ${seat.seat}`));
      require(seat.seed === undefined || isText(seat.seed, 128), wrong(`the seed of seat ${seat.seat}`));
    }
    const seats = fair.seats.map((each) => ({ ...each, seat: Number(each.seat) }));
    return { ...record, options, fair: { ...fair, round: Number(fair.round), seats } };
  }

  // The numbers and names of a JSON text must be written in the one form that every reader reads alike.
  function isPlain(text, value) {
    const bare = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, name) => (name ? JSON.stringify(JSON.parse(name)) : ""));
    return bare === JSON.stringify(value);
  }

  // Read a receipt from its JSON.
  function readReceipt(text) {
    require(text.length <= MOST_BYTES, "This is too large to be a receipt.");
    let receipt;
    try {
      receipt = JSON.parse(text);
    } catch {
      throw new Refusal("This is not a receipt: it is not JSON. Paste all of it, from { to }.");
    }
    require(isTable(receipt) && "commitment" in receipt && "signature" in receipt, "This is not a receipt: it has no commitment and signature.");
    require(receipt.version === fairShuffle.VERSION, `This receipt is of the method ${receipt.version ?? "of no name"}: this page checks ${fairShuffle.VERSION} only.`);
    require(isPlain(text, receipt), "This is not a valid receipt: a field stands in it twice, or a number is not written in digits alone.");
    const wrong = (name) => `This is not a valid receipt: ${name} is missing or has a wrong form.`;
    const other = Object.keys(receipt).find((name) => !RECEIPT_FIELDS.includes(name));
    require(other === undefined, `This is not a valid receipt: it has another field, ${JSON.stringify(other)}.`);
    const isWhole = (value, high) => Number.isSafeInteger(value) && value >= 1 && value <= high;
    require(isText(receipt.game), wrong("game"));
    require(isText(receipt.table) && /^[a-z0-9-]{1,32}$/.test(receipt.table), wrong("table"));
    require(isWhole(receipt.round, Number.MAX_SAFE_INTEGER), wrong("round"));
    require(isWhole(receipt.seat, 6), wrong("seat"));
    require(isDigits(receipt.commitment, 64), wrong("commitment"));
    const { seats } = receipt;
    require(Array.isArray(seats) && seats.length >= 1 && seats.length <= 6, wrong("seats"));
    for (const each of seats) {
      require(isTable(each) && Object.keys(each).sort().join() === "hash,seat" && isWhole(each.seat, 6), wrong("a seat of seats"));
      require(each.hash === "" || isDigits(each.hash, 64), wrong(`the hash of seat ${each.seat}`));
    }
    require(isAscending(seats.map((each) => each.seat)), "This is not a valid receipt: its seats are not in ascending order, each once.");
    require(isDigits(receipt.key, 64), wrong("key"));
    require(isDigits(receipt.signature, 128), wrong("signature"));
    require(!fairShuffle.isWeakKey(receipt.key), "This is not a valid receipt: any signature can hold under its key.");
    return receipt;
  }

  return { Refusal, require, isDigits, isAscending, readFile, readRecord, readReceipt };
})();

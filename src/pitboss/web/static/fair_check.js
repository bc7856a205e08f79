// The check of a provably fair round: its record against itself, and against a receipt.  docs/fair-shuffle.md defines
// when a record holds and keeps to a receipt.  The games come from the page: { id, name, size, deal, shortDeck, reserve }.
"use strict";

const fairCheck = (() => {
  const { Refusal, require, isDigits, isAscending, readRecord, readReceipt } = fairFiles;
  const RECEIPT_CHECKS = ["receipt", "before", "seats", "own", "signature", "key"];

  const join = (items) => items.join(", ").replace(/, ([^,]*)$/, " and $1");
  const seatsOf = (seats) => `seat${seats.length > 1 ? "s" : ""} ${join(seats.map((each) => each.seat))}`;
  const lacking = ({ seats }) => seats.filter((each) => each.hash && !each.seed);

  // The cards: [{ to, cards }] for each deal among the actions.
  const listNames = (size) => [..."shdc"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit)).concat(
    { 52: [], 53: ["Jk"], 54: ["Jk1", "Jk2"] }[size],
  );
  function parseCards(word, names, action) {
    const length = (at) => (word.startsWith("Jk", at) && names.includes("Jk1") ? 3 : 2);
    const cards = [];
    for (let at = 0; at < word.length; at += length(at)) cards.push(word.slice(at, at + length(at)));
    const other = cards.find((card) => !names.includes(card));
    require(other === undefined && cards.length, `"${action}": ${other === undefined ? "no card stands there" : `${other} is not a card of this deck`}.`);
    return cards;
  }
  const isDeal = (action) => action.startsWith("d ");
  function parseDeal(action, names) {
    const words = action.split(" ");
    return { to: words.slice(1, -1).join(" "), cards: parseCards(words.at(-1), names, action) };
  }

  // Where each card of the first deal goes.
  const listPlaces = (game, players) =>
    game.deal.flatMap(({ to, cards }) => (to === "seat" ? players.map((player) => `dh ${player}`) : [to]).flatMap((place) => Array(cards).fill(place)));

  function requirePlaces(actions, deals, game, players) {
    const stranger = actions.find((action) => /^p\d+$/.test(action.split(" ")[0]) && !players.includes(action.split(" ")[0]));
    require(!stranger, `"${stranger}": there is no such player: the file names ${players.length} seats.`);
    const all = [...players.map((player) => `dh ${player}`), "dh dealer", "db", "w1", "w2"];
    const nowhere = deals.find(({ to }) => !all.includes(to));
    require(!nowhere, `Cards are dealt to "${nowhere?.to}", which is no place at the table.`);
    const places = deals.flatMap(({ to, cards }) => cards.map(() => to));
    const due = listPlaces(game, players);
    const at = due.findIndex((place, at) => places[at] !== place);
    require(at < 0, `Card ${at + 1} goes to "${places[at] ?? "nobody"}", and the first deal of ${game.name} gives it to "${due[at]}".`);
  }

  function requireOrder(dealt, deck) {
    require(dealt.length <= deck.length, `${dealt.length} cards are dealt, and the deck has ${deck.length}.`);
    const at = dealt.findIndex((card, at) => card !== deck[at]);
    require(at < 0, `Card ${at + 1} dealt is ${dealt[at]}, and card ${at + 1} of the deck is ${deck[at]}.`);
  }

  // Play the round again where cards may come back: those that other seats gave up, behind the rest, in the second order.
  function requireReplay(actions, names, { deck, second }, reserve) {
    let rest = deck;
    const hands = new Map();
    const givenUp = []; // { to, card }
    const putBack = new Set();
    const handOf = (to) => hands.get(to) ?? [];
    function deal(action) {
      const { to, cards } = parseDeal(action, names);
      if (to !== "dh dealer" && rest.length < cards.length + reserve) {
        const back = new Set(givenUp.filter((each) => each.to !== to && !putBack.has(each.card)).map((each) => each.card));
        rest = [...rest, ...second.filter((card) => back.has(card))];
        back.forEach((card) => putBack.add(card));
      }
      const due = rest.slice(0, cards.length);
      require(due.join("") === cards.join(""), `"${action}": the next cards of the deck are ${due.join(" ") || "none"}.`);
      rest = rest.slice(cards.length);
      hands.set(to, [...handOf(to), ...cards]);
    }
    function giveUp(to, cards, action) {
      for (const card of cards) {
        require(handOf(to).includes(card), `"${action}": the seat does not hold ${card}.`);
        hands.set(to, handOf(to).filter((each) => each !== card));
        givenUp.push({ to, card });
      }
    }
    for (const action of actions) {
      const [player, word, ...cards] = action.split(" ");
      if (isDeal(action)) deal(action);
      else if (word === "sd" && cards.length) giveUp(`dh ${player}`, parseCards(cards.join(""), names, action), action);
      else if (word === "f" && !cards.length) giveUp(`dh ${player}`, handOf(`dh ${player}`), action);
    }
  }

  // Check the cards of a played round; return what is said of them, and the deck.
  async function checkCards(record, games) {
    const { variant, actions, options, fair } = record;
    require(actions.length, "No card was dealt, though every seat showed its seed: the house may not call such a round off.");
    const game = games.find((each) => each.id === variant);
    require(game, `This page does not know the game ${variant}: the cards are not checked.`);
    require(!game.shortDeck || ["reshuffle", "refuse"].includes(options.short_deck ?? game.shortDeck), "_options.short_deck is neither reshuffle nor refuse.");
    const names = listNames(game.size);
    const drawn = await fairShuffle.drawDecks(fair, fair.secret, fair.seats, game.size);
    const deck = drawn.deck.map((code) => names[code]);
    const players = fair.seats.map((_, at) => `p${at + 1}`);
    const deals = actions.filter(isDeal).map((action) => parseDeal(action, names));
    requirePlaces(actions, deals, game, players);
    const dealt = deals.flatMap(({ cards }) => cards);
    const returns = game.shortDeck && (options.short_deck ?? game.shortDeck) === "reshuffle";
    if (returns) requireReplay(actions, names, { deck, second: drawn.second.map((code) => names[code]) }, game.reserve);
    else requireOrder(dealt, deck);
    const back = dealt.length - new Set(dealt).size;
    const again = back ? `, ${back} of them for the second time, after other seats gave them up` : "";
    return { text: `All ${dealt.length} cards dealt are the deck's, in its order${again}.`, more: deck.join(" ") };
  }

  const holds = (name, text, more = "") => ({ name, holds: true, text, more });
  const fails = (name, text) => ({ name, holds: false, text, more: "" });
  const leaves = (name, text) => ({ name, holds: null, text, more: "" });

  function checkSeats({ antes, variant, fair }, games) {
    const game = games.find((each) => each.id === variant);
    const said = `Round ${fair.round} of table ${fair.table}, ${game?.name ?? variant}: ${seatsOf(fair.seats)}.`;
    if (!isAscending(fair.seats.map((each) => each.seat))) return fails("record", `${said} The seats are not in ascending order, each once.`);
    if (fair.seats.length !== antes.length) return fails("record", `${said} ${antes.length} have placed an Ante, and ${fair.seats.length} are named.`);
    return holds("record", said);
  }

  async function checkCommitment({ fair }) {
    if (!fair.secret) return fails("commitment", "The house never showed its secret, so nothing can be checked.");
    const found = await fairShuffle.commit(fair, fair.secret);
    if (found !== fair.commitment) return fails("commitment", `The secret in the file has the hash ${found}, and the commitment is ${fair.commitment}.`);
    return holds("commitment", `The hash of the secret is the commitment: ${found}`);
  }

  async function checkSeeds({ fair }) {
    const shown = fair.seats.filter((each) => each.seed);
    for (const { seat, seed, hash } of shown) {
      if (!hash) return fails("seeds", `Seat ${seat} has a seed but no hash.`);
      if ((await fairShuffle.hashSeed(fair, seat, seed)) !== hash) return fails("seeds", `The seed of seat ${seat} does not have the hash that seat ${seat} handed in.`);
    }
    const missing = lacking(fair);
    const text = shown.length ? `Each seed has its hash: ${seatsOf(shown)}.` : "No seat has shown a seed.";
    if (missing.length) return holds("seeds", `${text} The seed of ${seatsOf(missing)} was never shown, so the round is void.`);
    return holds("seeds", shown.length ? text : "No seat added a seed: the house alone chose this deck.");
  }

  async function checkDeck(record, games) {
    const { fair } = record;
    if (lacking(fair).length) {
      const filled = ["actions", "_settlements", "_awards"].find((name) => record[name]?.length);
      if (filled) return fails("deck", `The round is void, and yet ${filled} is not empty.`);
      return holds("deck", "The round is void: no card was dealt, and all wagers were returned.");
    }
    if (!fair.secret) return leaves("deck", "Without the house's secret the deck cannot be computed.");
    try {
      const { text, more } = await checkCards(record, games);
      return holds("deck", text, more);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return fails("deck", error.line);
    }
  }

  // What of a receipt is compared with the record; `own` is the entry that this browser stored before the cards, if any.
  const isStored = (receipt, own) => Boolean(own?.receipt) && JSON.parse(own.receipt).signature === receipt.signature;

  function checkRound(receipt, { variant, fair }, own) {
    const pairs = { game: variant, table: fair.table, round: fair.round };
    const other = Object.keys(pairs).find((name) => receipt[name] !== pairs[name]);
    if (other) return fails("receipt", `This is the receipt of another round: of ${other} ${receipt[other]}, and the file of ${other} ${pairs[other]}.`);
    if (own?.receipt && !isStored(receipt, own)) return fails("receipt", "This browser stores another receipt of this round, which has another signature.");
    return holds("receipt", `It is seat ${receipt.seat}'s receipt of this round${own?.receipt ? ", as this browser stored it" : ""}.`);
  }

  function checkBefore(receipt, { fair }, own) {
    if (receipt.commitment !== fair.commitment) return fails("before", `The house committed to ${receipt.commitment}, and the file has the commitment ${fair.commitment}.`);
    if (own && own.commitment !== fair.commitment) return fails("before", `This browser noted the commitment ${own.commitment} before you wagered, and the file has ${fair.commitment}.`);
    return holds("before", own ? "The commitment is that of the receipt, and the one that this browser noted before you wagered." : "The commitment of the file is that of the receipt.");
  }

  function checkBound(receipt, { fair }) {
    const [bound, recorded] = [receipt.seats, fair.seats].map((seats) => new Map(seats.map(({ seat, hash }) => [seat, hash ?? ""])));
    for (const seat of [...bound.keys(), ...recorded.keys()]) {
      if (!recorded.has(seat)) return fails("seats", `Seat ${seat} stands in the receipt, and not in the file.`);
      if (!bound.has(seat)) return fails("seats", `Seat ${seat} stands in the file, and not in the receipt.`);
      if (bound.get(seat) !== recorded.get(seat)) return fails("seats", `Seat ${seat} has one hash in the receipt, and another one in the file.`);
    }
    if (fair.seats.length !== receipt.seats.length || !isAscending(fair.seats.map((each) => each.seat))) return fails("seats", "The seats of the file are not in the order of the receipt, each once.");
    return holds("seats", `The same ${seatsOf(fair.seats)}, each with the same hash or without one.`);
  }

  function checkOwn(receipt, { fair }, own) {
    const { seat } = receipt;
    const bound = receipt.seats.find((each) => each.seat === seat);
    if (!bound?.hash) return fails("own", `The receipt binds its own seat ${seat} to no seed.`);
    const listed = fair.seats.find((each) => each.seat === seat);
    if (listed?.hash !== bound.hash) return fails("own", `The file does not bind seat ${seat} to the hash of the receipt.`);
    if (!listed.seed) return leaves("own", `The file says that seat ${seat} never showed its seed. Only you know whether it did.`);
    if (own && own.seed !== listed.seed) return fails("own", `The seed of seat ${seat} is not the one that this browser made.`);
    return holds("own", `The seed of seat ${seat} is in the deck${own ? ", and it is the one that this browser made" : ""}: ${listed.seed}`);
  }

  async function checkSignature(receipt) {
    const signed = await fairShuffle.isSigned(receipt);
    if (signed === null) return leaves("signature", "This browser cannot check signatures (Ed25519): take a newer one, or pitboss verify.");
    if (!signed) return fails("signature", "The signature is not valid: something in the receipt was changed, or another key signed it.");
    return holds("signature", `The signature of seat ${receipt.seat}'s receipt is valid under its key.`);
  }

  function checkKey(receipt, noted, own) {
    const by = noted.trim();
    if (by && !isDigits(by, 64)) return fails("key", "The key that you noted is not one: it has 64 digits, 0 to 9 and a to f.");
    if (by && by !== receipt.key) return fails("key", `The receipt names the key ${receipt.key}, which is not the one you noted.`);
    if (own && own.key !== receipt.key) return fails("key", `The receipt names the key ${receipt.key}, and this browser noted ${own.key} before you wagered.`);
    if (by) return holds("key", `The key is the one you noted: ${receipt.key}`);
    if (own) return holds("key", `The key is the one that this browser noted before you wagered: ${receipt.key}`);
    return leaves("key", `The receipt names the key ${receipt.key}: compare it with a note of your own.`);
  }

  // Check texts, "" for a receipt or key that is not given; stored: what this browser stored of the receipt's seat.
  // Return { refused, findings: [{ name, holds, text, more }] }, where holds is null for what could not be checked.
  async function check(recordText, receiptText, noted, games, findStored = () => undefined) {
    let record;
    let receipt;
    let refused = "";
    try {
      record = readRecord(recordText);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { refused: error.line, findings: [] };
    }
    const findings = [checkSeats(record, games), await checkCommitment(record), await checkSeeds(record), await checkDeck(record, games)];
    try {
      receipt = receiptText.trim() ? readReceipt(receiptText) : undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      findings.push(fails("receipt", error.line));
    }
    if (!receipt) {
      const open = RECEIPT_CHECKS.filter((name) => findings.every((each) => each.name !== name));
      return { refused, findings: [...findings, ...open.map((name) => leaves(name, "There is no receipt to check it with."))], record };
    }
    const own = findStored(receipt);
    findings.push(checkRound(receipt, record, own), checkBefore(receipt, record, own), checkBound(receipt, record));
    findings.push(checkOwn(receipt, record, own), await checkSignature(receipt), checkKey(receipt, noted, own));
    return { refused, findings, record, receipt, stored: isStored(receipt, own) };
  }

  // What to make of all findings together: { state: "good", "bad" or "open", line }.
  function judge({ refused, findings, record, receipt, stored }) {
    if (refused) return { state: "bad", line: refused };
    const failed = findings.filter((each) => each.holds === false);
    if (failed.length) return { state: "bad", line: `Do not trust this round: ${failed.length} of ${findings.length} checks ${failed.length > 1 ? "fail" : "fails"}, as marked below.` };
    if (!receipt) return { state: "open", line: "The file agrees with itself. Without a receipt that proves little: the house could have written all of it after the cards." };
    if (findings.some((each) => each.name === "signature" && each.holds === null)) return { state: "open", line: "What this browser can check holds. It cannot check the signature: take a newer browser, or pitboss verify." };
    if (lacking(record.fair).length) return { state: "open", line: `Round ${record.fair.round} is void, and the file keeps to your receipt. It does not show who withheld a seed.` };
    const proviso = stored ? "" : ", if you had this receipt before the cards";
    return { state: "good", line: `All holds. This round was dealt from the deck that the house, you and the other seats were bound to before anybody could know it${proviso}.` };
  }

  return { check, judge };
})();

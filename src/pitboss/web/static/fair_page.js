// The page on which a round is checked: files are chosen, dropped or pasted, and each check is shown on its line.
"use strict";

(() => {
  const { Refusal, readFile } = fairFiles;
  const form = document.getElementById("check");
  const { record: recordFile, stored, receipt, key } = form.elements;
  const receiptFile = form.elements["receipt-file"];
  const verdict = document.getElementById("verdict");
  const games = JSON.parse(form.dataset.games);
  const WORDS = new Map([[true, "✓ Holds"], [false, "✗ Fails"], [null, "- Not checked"]]);
  let recordText = "";
  let automatic = ""; // the receipt that this page filled in by itself, which another round's replaces

  // The rounds of which this browser stores a receipt, newest first.
  function listStored() {
    try {
      return fairReceipts.list("fair ").filter((each) => each.receipt).sort((one, other) => other.at - one.at);
    } catch {
      return []; // a page from the disk may have no storage
    }
  }
  const placeOf = ({ name }) => name.split(" ")[1]; // table/round/seat
  const findStored = ({ table, round, seat, seats }) => {
    const hash = seats.find((each) => each.seat === seat)?.hash;
    return listStored().find((each) => placeOf(each) === `${table}/${round}/${seat}` && each.hash === hash);
  };

  function fill(entry) {
    stored.value = entry?.name ?? "";
    receipt.value = entry?.receipt ?? "";
  }
  function fillRound(place) {
    fill(listStored().find((each) => placeOf(each).startsWith(`${place}/`)));
    automatic = receipt.value;
  }

  // Show the findings on their lines; a line without one goes back to what it was.
  function show(findings) {
    for (const line of document.querySelectorAll("[data-check]")) {
      const found = findings.find((each) => each.name === line.dataset.check);
      line.dataset.state = found ? String(found.holds) : "";
      line.querySelector(".mark").textContent = found ? WORDS.get(found.holds) : "";
      line.querySelector(".found").textContent = found?.text ?? "";
      const more = line.querySelector(".more");
      if (!more) continue;
      more.hidden = !found?.more;
      more.querySelector("code").textContent = found?.more ?? "";
    }
  }
  function say(state, line) {
    verdict.dataset.state = state;
    verdict.textContent = line;
  }

  let latest = 0; // the number of the check that was begun last: an older one that ends later is not shown
  async function check() {
    const number = ++latest;
    if (!recordText || !crypto.subtle) return;
    const run = () => fairCheck.check(recordText, receipt.value, key.value, games, findStored);
    let found = await run();
    if (found.record && (!receipt.value.trim() || receipt.value === automatic)) {
      const { table, round } = found.record.fair;
      const before = receipt.value;
      fillRound(`${table}/${round}`);
      if (receipt.value !== before) found = await run();
    }
    if (number !== latest) return;
    show(found.findings);
    const { state, line } = fairCheck.judge(found);
    say(state, line);
  }

  function put(text) {
    stored.value = "";
    receipt.value = text;
  }

  // Show no findings, and why.
  function leave(state, line) {
    latest++;
    show([]);
    say(state, line);
  }

  // Take files.  One that is dropped may be either: a receipt begins with a brace, and a round's file never does.
  const isReceipt = (text) => text.trimStart().startsWith("{");
  async function take(files, isForReceipt = isReceipt) {
    try {
      for (const file of files) {
        const text = await readFile(file);
        if (isForReceipt(text)) put(text);
        else recordText = text;
      }
      if (recordText) await check();
      else if (files.length) leave("open", "The receipt is there. Choose the round's file too.");
      verdict.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      leave("bad", error.line);
    }
  }

  // Fetch the round's file from the house, for a guest who comes from the table.
  async function fetchRecord(address) {
    const answer = await fetch(address).catch(() => undefined);
    if (recordText) return; // a file was chosen meanwhile
    if (answer?.ok) {
      recordText = await answer.text();
      return check();
    }
    document.getElementById("own-files").open = true;
    leave("open", `The house does not give this round's file${answer ? "" : ": the connection is lost"}. Choose your own.`);
  }

  recordFile.addEventListener("change", () => {
    recordText = "";
    take(recordFile.files);
  });
  receiptFile.addEventListener("change", () => take(receiptFile.files, () => true));
  for (const input of [receipt, key]) input.addEventListener("input", check);
  stored.addEventListener("change", () => {
    fill(listStored().find((each) => each.name === stored.value));
    check();
  });
  document.getElementById("save").addEventListener("click", () => {
    const entry = listStored().find((each) => each.name === stored.value);
    if (entry) fairReceipts.save(entry.receipt, `${placeOf(entry).replaceAll("/", "-")}-receipt.json`);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  });

  for (const entry of listStored()) {
    const [table, round, seat] = placeOf(entry).split("/");
    const game = games.find((each) => each.id === entry.game)?.name ?? entry.game;
    stored.append(new Option(`${new Date(entry.at).toLocaleString()}: ${game}, table ${table}, round ${round}, seat ${seat}`, entry.name));
  }
  document.getElementById("own-receipts").hidden = stored.options.length < 2;
  if (form.dataset.place) fillRound(form.dataset.place);
  if (form.dataset.history && crypto.subtle) fetchRecord(form.dataset.history);
  if (!crypto.subtle) say("bad", "This browser computes no hashes on a page that came over plain http from another machine. Save the page, and open it from the disk.");
})();

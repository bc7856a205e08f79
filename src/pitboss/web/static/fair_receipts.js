// What this browser stores of its provably fair rounds: seeds, receipts, and what the house had committed to by then.
"use strict";

const fairReceipts = (() => {
  const MOST = 100; // maximum rounds that are stored

  // The stored entry of a round: { seed, hash, commitment, key, game, at, receipt }, named by table, round, seat and hash,
  // so that two tabs that each handed in a hash both find the one that counts.
  const name = (place, hash) => `fair ${place} ${hash}`;
  const list = (start) =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => ({ name: key, ...JSON.parse(localStorage.getItem(key)) }));

  function store(place, entry) {
    localStorage.setItem(name(place, entry.hash), JSON.stringify(entry));
    const oldest = list("fair ").sort((one, other) => other.at - one.at);
    for (const each of oldest.slice(MOST)) localStorage.removeItem(each.name);
  }

  // Save a receipt as a file, as it was stored.
  function save(receipt, file) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([receipt], { type: "application/json" }));
    link.download = file;
    link.click();
  }

  return { name, list, store, save };
})();

// The method of the provably fair shuffle: bytes, hashes, decks and signatures.  docs/fair-shuffle.md defines them.
"use strict";

const fairShuffle = (() => {
  const VERSION = "pitboss-fair-2";
  const utf8 = new TextEncoder();
  const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const octets = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

  // Concatenate fields, each after its length in eight bytes, big-endian.
  function pack(fields) {
    const parts = fields.map((field) => (typeof field === "string" ? utf8.encode(field) : field));
    const packed = new Uint8Array(parts.reduce((size, part) => size + 8 + part.length, 0));
    const view = new DataView(packed.buffer);
    let at = 0;
    for (const part of parts) {
      view.setBigUint64(at, BigInt(part.length));
      packed.set(part, at + 8);
      at += 8 + part.length;
    }
    return packed;
  }

  // Pack fields after those that bind them to a purpose, table and round; a place is { table, round }.
  const bind = (purpose, { table, round }, ...fields) => pack([VERSION, purpose, table, String(round), ...fields]);
  const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const commit = async (place, secret) => hexadecimal(await sha256(bind("house", place, octets(secret))));
  const hashSeed = async (place, seat, seed) => hexadecimal(await sha256(bind("seat", place, String(seat), seed)));

  // The key of a deck; of a seat without a seed, the seed is "".
  async function deriveKey(place, secret, seats) {
    const sorted = [...seats].sort((one, other) => one.seat - other.seat);
    const salt = await sha256(bind("seeds", place, ...sorted.map(({ seat, seed }) => pack([String(seat), seed ?? ""]))));
    const material = await crypto.subtle.importKey("raw", octets(secret), "HKDF", false, ["deriveBits"]);
    const method = { name: "HKDF", hash: "SHA-256", salt, info: bind("deck", place) };
    return new Uint8Array(await crypto.subtle.deriveBits(method, material, 256));
  }

  // A block of ChaCha20's key stream under a nonce of zeros (RFC 8439, 2.3), which Web Crypto does not have.
  function computeBlock(key, counter) {
    const words = new DataView(key.buffer, key.byteOffset, 32);
    const start = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...Array(8).keys(), counter, 0, 0, 0);
    for (let at = 0; at < 8; at++) start[4 + at] = words.getUint32(4 * at, true);
    const state = start.slice();
    const add = (to, from, mixed, bits) => {
      state[to] += state[from];
      const word = state[mixed] ^ state[to];
      state[mixed] = (word << bits) | (word >>> (32 - bits));
    };
    const mix = (a, b, c, d) => (add(a, b, d, 16), add(c, d, b, 12), add(a, b, d, 8), add(c, d, b, 7));
    for (let round = 0; round < 10; round++) {
      for (let at = 0; at < 4; at++) mix(at, 4 + at, 8 + at, 12 + at);
      for (let at = 0; at < 4; at++) mix(at, 4 + ((at + 1) % 4), 8 + ((at + 2) % 4), 12 + ((at + 3) % 4));
    }
    const block = new DataView(new ArrayBuffer(64));
    state.forEach((word, at) => block.setUint32(4 * at, word + start[at], true));
    return new Uint8Array(block.buffer);
  }
  function* stream(key) {
    for (let counter = 0; ; counter++) yield* computeBlock(key, counter);
  }

  // A number below a limit of at most 54: as many of the lowest bits of a byte as it needs, the next byte if it is too high.
  function draw(bytes, limit) {
    const mask = (1 << (32 - Math.clz32(limit - 1))) - 1;
    for (;;) {
      const number = bytes.next().value & mask;
      if (number < limit) return number;
    }
  }
  function shuffle(bytes, size) {
    const codes = [...Array(size).keys()];
    for (let last = size - 1; last > 0; last--) {
      const chosen = draw(bytes, last + 1);
      [codes[last], codes[chosen]] = [codes[chosen], codes[last]];
    }
    return codes;
  }

  // The deck of a round, and the second order, in which cards come back.
  async function drawDecks(place, secret, seats, size) {
    const bytes = stream(await deriveKey(place, secret, seats));
    return { deck: shuffle(bytes, size), second: shuffle(bytes, size) };
  }

  // The bytes of a receipt that the house signs.
  function signedBytes(receipt) {
    const listed = receipt.seats.map((each) => pack([String(each.seat), each.hash]));
    return bind("receipt", receipt, String(receipt.seat), receipt.game, receipt.commitment, ...listed);
  }

  // Is it a key that no private key has?  Under some of them a signature holds for anything.
  function isWeakKey(key) {
    const prime = 2n ** 255n - 19n;
    const y = BigInt(`0x${hexadecimal(octets(key).reverse())}`) & (2n ** 255n - 1n);
    const square = (y * y) % prime;
    const ofOrder8 = (121666n * (2n * square - 1n) - 121665n * square * square) % prime === 0n;
    return y >= prime || [0n, 1n, prime - 1n].includes(y) || ofOrder8;
  }

  // Is a receipt signed under the key that it names?  null: this browser does not have Ed25519.
  async function isSigned(receipt) {
    if (isWeakKey(receipt.key)) return false;
    try {
      const key = await crypto.subtle.importKey("raw", octets(receipt.key), "Ed25519", false, ["verify"]);
      return await crypto.subtle.verify("Ed25519", key, octets(receipt.signature), signedBytes(receipt));
    } catch (error) {
      return error.name === "NotSupportedError" ? null : false;
    }
  }

  return { VERSION, hexadecimal, octets, commit, hashSeed, deriveKey, computeBlock, stream, draw, drawDecks, signedBytes, isWeakKey, isSigned };
})();

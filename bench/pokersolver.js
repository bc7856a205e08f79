// Solves the hands given on standard input as {"hands": [["As", ...], ...], "game": "standard", "runs": 3} and writes
// {"seconds": [...], "solved": [[name, description, [rank, ...]], ...]}; ranks are 2..14, an ace below a deuce is 1.
'use strict';

const { Hand } = require('pokersolver');
const { hands, game, runs } = JSON.parse(require('fs').readFileSync(0, 'utf8'));

let solved;
const seconds = [];
for (let run = 0; run < runs; run += 1) {
  const start = process.hrtime.bigint();
  solved = hands.map((cards) => Hand.solve(cards, game));
  seconds.push(Number(process.hrtime.bigint() - start) / 1e9);
}
const shown = solved.map((hand) => [hand.name, hand.descr, hand.cards.map((card) => card.rank + 1)]);
process.stdout.write(JSON.stringify({ seconds, solved: shown }));

/**
 * A program that joins until a worker is there, and then ends in the middle of a stream, without a
 * word to the join or its worker: for the test that it does end.
 */

import { int32Table } from "./int32_table.ts";
import { turns } from "../running/until.ts";
import { createEngine, fromBatches, join } from "../../../mod.ts";

const engine = createEngine({ device: "cpu", threads: 2 });
const keys = int32Table(65_536);
const endless = function* () {
  for (;;) yield keys;
};
const joined = fromBatches(endless(), { engine, schema: keys.schema })
  .pipeThrough(join(fromBatches(keys, { engine }), { on: "key" }));
let numBatches = 0;
for await (const _ of joined) {
  // A worker starts after some milliseconds of work, and does its share from then on.
  await turns(2);
  if (++numBatches === 200) break;
}
const left = fromBatches(endless(), { engine, schema: keys.schema })
  .pipeThrough(join(fromBatches(keys, { engine }), { on: "key" })).getReader();
for (let batch = 0; batch < 100; batch++) await left.read();
console.log(JSON.stringify({ numBatches }));

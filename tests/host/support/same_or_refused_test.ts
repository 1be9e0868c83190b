import { assertEquals, assertRejects } from "@std/assert";
import { FileError } from "../../../base/errors/file_error.ts";
import {
  assertSameOrRefused,
  changedNumber,
  type Mutant,
  NUMBER_CHANGES,
  problemOf,
} from "../../support/files/same_or_refused.ts";
import { SeededRandom } from "../../support/random/seeded_random.ts";

const rows = ["a", "b", "c"];

/** A count of rows that was changed, in front of the rows. */
function mutate(random: SeededRandom): Mutant<number, string[]> {
  const { change, value } = changedNumber(random, rows.length);
  return { input: value, right: rows, kinds: [change], what: `count, ${rows.length} -> ${value}` };
}

/** A reader that passes over counts that are too large, and names those that are negative. */
function read(count: number): Promise<string[]> {
  if (count >= 0) return Promise.resolve([...rows]);
  return Promise.reject(new FileError("a.txt", `says ${count} rows`));
}

const kinds: readonly string[] = NUMBER_CHANGES;
const property = { draws: 40, kinds, mutate, read, refusal: /^a\.txt: / };

Deno.test("a reader that gives the same rows or refuses holds, and how often is counted", async () => {
  const { same, refused, messages } = await assertSameOrRefused(property);
  assertEquals(same + refused >= 40, true);
  assertEquals([...messages], [["a.txt: says -# rows", refused]]);
});

Deno.test("other rows, a refusal that explains nothing, and an outcome that never comes fail", async () => {
  const wrong: Record<string, Partial<typeof property>> = {
    "other rows, and no word of it": { read: () => Promise.resolve(["a", "b"]) },
    "has words that are not ours": {
      read: () => Promise.resolve([...new Uint32Array(-1)].map(String)),
    },
    "says nothing": { read: () => Promise.reject(new Error("")) },
    "does not say": { read: () => Promise.reject(new Error("b.txt: broken")) },
    "No draw was refused": { read: () => Promise.resolve(rows) },
    "No draw was read to the same rows": { read: () => read(-1) },
    "Never drawn: a flag": { kinds: ["a flag"] },
  };
  for (const [message, part] of Object.entries(wrong)) {
    await assertRejects(() => assertSameOrRefused({ ...property, ...part }), Error, message);
  }
});

Deno.test("words of V8, of Rust and of the runtime are no refusal", () => {
  const empty = new DataView(new ArrayBuffer(0));
  const foreign = [
    () => empty.getInt32(0),
    () => new Uint8Array(-1),
    () => new Uint8Array(2 ** 53),
    () => new Int32Array(new ArrayBuffer(3)),
    () => new Int32Array(new ArrayBuffer(8), 2),
    () => new Uint8Array(new ArrayBuffer(8), 0, 9),
    () => new Uint8Array(1).set([1, 2]),
    () => [].at(0)!["x"],
    () => JSON.parse("{"),
    () => JSON.parse(""),
    () => BigInt(1.5),
    () => "x".repeat(-1),
    () => new Array(-1),
    () => Deno.readFileSync("none"),
    () => {
      throw new WebAssembly.RuntimeError("unreachable");
    },
    () => {
      throw new Error("called `Result::unwrap()` on an `Err` value");
    },
  ];
  for (const work of foreign) {
    let error: unknown;
    try {
      work();
    } catch (caught) {
      error = caught;
    }
    assertEquals(problemOf(error) === undefined, false, String(error));
  }
  assertEquals(problemOf(new FileError("a.parquet", "is corrupt: 3 rows, not 4")), undefined);
});

Deno.test("a number becomes another one, in each of the five ways", () => {
  const random = new SeededRandom(5);
  for (const value of [0, 1, 17, 2 ** 31 - 1]) {
    const drawn = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const { change, value: other } = changedNumber(random, value);
      drawn.add(change);
      assertEquals([other === value, Number.isInteger(other)], [false, true]);
    }
    assertEquals(
      [...drawn].sort(),
      NUMBER_CHANGES.filter((one) => value > 0 || one !== "zero").sort(),
    );
  }
});

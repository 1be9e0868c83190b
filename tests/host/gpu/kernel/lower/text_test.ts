import { assertEquals } from "@std/assert";
import type { i32, View } from "../../../../../gpu/kernel/language/row_function.ts";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { col, defineStringOp } from "../../../../../mod.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

const advanced = defineStringOp({
  name: "advanced",
  kind: "measure",
  args: { at: "i32", count: "i32" },
  row(text: View, { at, count }: { at: i32; count: i32 }): i32 {
    return text.advance(at, count);
  },
});

const counted = defineStringOp({
  name: "counted",
  kind: "measure",
  args: { start: "i32", stop: "i32" },
  row(text: View, { start, stop }: { start: i32; stop: i32 }): i32 {
    return text.sub(start, stop).length;
  },
});

/** Kernels of WebAssembly, whatever the number of rows. */
const kernels = () => new HostKernels({ minWasmRows: 1 });

/** Text with characters of all sizes: mostly ASCII, or mostly not, or of one size. */
function randomRow(random: SeededRandom): string {
  const letters = random.pick([
    ["a"],
    ["é"],
    ["一"],
    ["🙂"],
    ["a", "b", "c", "é"],
    ["a", "é", "一", "🙂"],
  ]);
  const size = random.below(random.pick([4, 20, 40, 200]));
  return Array.from({ length: size }, () => random.pick(letters)).join("");
}

const isRest = (byte: number | undefined) => byte !== undefined && byte >= 0x80 && byte < 0xc0;

/** The position so many characters further on: byte by byte, where each that begins none counts. */
function advance(bytes: Uint8Array, from: number, count: number): number {
  let at = Math.min(Math.max(from, 0), bytes.length);
  for (let i = 0; i < count && at < bytes.length; i++) {
    const isInside = isRest(bytes[at]);
    at++;
    while (!isInside && isRest(bytes[at])) at++;
  }
  for (let i = 0; i > count && at > 0; i--) {
    at--;
    while (at > 0 && isRest(bytes[at])) at--;
  }
  return at;
}

Deno.test("advance() moves over characters of all sizes, from wherever it begins", () =>
  forSeeds(30, (random) => {
    const rows = Array.from({ length: 60 }, () => random.chance(0.1) ? null : randomRow(random));
    const sizes = () => random.below(random.pick([3, 20, 70, 1000])) - random.below(4);
    const at = rows.map(() => random.chance(0.5) ? 0 : sizes());
    const count = rows.map(() => random.chance(0.2) ? -sizes() : sizes());
    const places = (at: readonly number[], count: readonly number[]) =>
      rows.map((row, i) =>
        row === null ? null : advance(new TextEncoder().encode(row), at[i]!, count[i]!)
      );
    const columns = { text: rows, at, count };
    const byRow = advanced(col("text"), col("at"), col("count"));
    assertEquals(evaluateExpr(byRow, columns, { kernels: kernels() }), places(at, count));
    const end = 1 << 30;
    const forward = [[0, 1], [0, 7], [0, 8], [0, 9], [0, 40], [1, 3], [5, 8], [2, end]] as const;
    const back = [[3, -2], [end, -1], [end, -8], [end, -9], [end, -40], [20, -4]] as const;
    for (const [from, by] of [...forward, ...back]) {
      const wanted = places(rows.map(() => from), rows.map(() => by));
      assertEquals(
        evaluateExpr(advanced(col("text"), from, by), columns, { kernels: kernels() }),
        wanted,
      );
    }
  }));

Deno.test("the length of a part of a text is the number of bytes that begin a character", () =>
  forSeeds(30, (random) => {
    const rows = Array.from({ length: 60 }, () => random.chance(0.1) ? null : randomRow(random));
    const edge = () => rows.map(() => random.below(random.pick([3, 20, 400])));
    const [start, stop] = [edge(), edge()];
    const lengths = rows.map((row, i) =>
      row === null
        ? null
        : new TextEncoder().encode(row).subarray(start[i], Math.max(start[i]!, stop[i]!))
          .filter((byte) => !isRest(byte)).length
    );
    const columns = { text: rows, start, stop };
    const part = counted(col("text"), col("start"), col("stop"));
    assertEquals(evaluateExpr(part, columns, { kernels: kernels() }), lengths);
    const whole = rows.map((row) => row === null ? null : [...row].length);
    assertEquals(evaluateExpr(col("text").length(), columns, { kernels: kernels() }), whole);
  }));

import { assertEquals } from "@std/assert";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { expr } from "../../../../../mod.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

Deno.test("a search from the end finds the last place of needles of all sizes", () =>
  forSeeds(60, (random) => {
    const kernels = new HostKernels({ minWasmRows: 1 });
    const letters = [...random.pick(["ab", "aé", "a", "xyz"])];
    const text = (size: number) =>
      Array.from({ length: size }, () => random.pick(letters)).join("");
    const needle = text(1 + random.below(random.pick([3, 6, 20, 70]))) || "a";
    const rows = Array.from({ length: 50 }, () => {
      const part = () => text(random.below(random.pick([3, 20, 60])));
      // Half a needle at either end, too, and none at all.
      return random.pick([
        part() + needle + part(),
        part(),
        needle.slice(1) + part() + needle.slice(0, -1),
        needle,
      ]);
    });
    const place = (row: string) => {
      const at = row.lastIndexOf(needle);
      return at < 0 ? -1 : [...row.slice(0, at)].length;
    };
    const column = { row: rows };
    assertEquals(
      evaluateExpr(expr(`row.rfind("${needle}")`), column, { kernels }),
      rows.map(place),
    );
    const last = rows.map((row) => row.slice(row.lastIndexOf(needle) + needle.length));
    const wanted = rows.map((row, i) => row.includes(needle) ? last[i] : row);
    const ends = evaluateExpr(expr(`row.rsplit("${needle}", 1).get(-1)`), column, { kernels });
    assertEquals(ends, wanted);
  }));

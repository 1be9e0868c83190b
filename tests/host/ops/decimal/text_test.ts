import { assertEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import { valueAt } from "../../../../gpu/column/value_at.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { evaluateAround } from "../../../support/kernels/evaluate_around.ts";
import { testKernels } from "../../../support/kernels/test_kernels.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { columnOf } from "../../../support/values/host_columns.ts";

/** The digits of a text in a decimal, by a regular expression and whole numbers of any size. */
function digitsOf(text: string, precision: number, scale: number, point: string): bigint | null {
  const pattern = point === ","
    ? /^([+-])?(\d*)(,(\d*))?(?:e([+-]?\d+))?$/i
    : /^([+-])?(\d*)(\.(\d*))?(?:e([+-]?\d+))?$/i;
  const [, sign, whole = "", , behind = "", exponent = "0"] = pattern.exec(text) ??
    ["", "", "", "", ""];
  if (whole + behind === "") return null;
  const power = scale - behind.length + Number(exponent);
  let digits = BigInt(whole + behind);
  if (digits !== 0n && (power > 400 || power < -400)) return null;
  for (let left = power; left > 0 && digits !== 0n; left--) digits *= 10n;
  for (let left = power; left < 0 && digits !== 0n; left++) {
    if (digits % 10n !== 0n) return null;
    digits /= 10n;
  }
  return digits >= 10n ** BigInt(precision) ? null : sign === "-" ? -digits : digits;
}

function textOf(random: SeededRandom, point: string): string {
  const digits = (most: number) =>
    Array.from({ length: random.below(most + 1) }, () => random.pick([..."0001234567899"])).join(
      "",
    );
  const most = random.pick([3, 10, 20, 42]);
  const number = `${random.pick(["", "-", "+"])}${digits(most)}${
    random.chance(0.6) ? point + digits(random.pick([2, 8, 40])) : ""
  }`;
  const exponent = random.chance(0.2)
    ? `${random.pick(["e", "E"])}${random.pick(["", "-", "+"])}${
      random.pick(["0", "1", "5", "38", "400"])
    }`
    : "";
  const text = number + exponent;
  if (random.chance(0.9)) return text;
  // Something that is no number, or only nearly one.
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick([" ", "x", "-", ".", ",", "e", "_", "٣"]) + text.slice(at);
}

const draws = new Draws(["a decimal", "none", "38 digits"]);

Deno.test("text is read as the decimal that it is, or as none", () =>
  forSeeds(20, (random) => {
    const precision = random.pick([1, 9, 18, 19, 38]);
    const scale = random.pick([0, Math.min(2, precision), precision, random.below(precision + 1)]);
    const point = random.pick([".", ","]);
    const texts = Array.from({ length: 60 }, () =>
      random.chance(0.05) ? null : textOf(random, point));
    const options = point === "," ? ', { decimal: "," }' : "";
    const text = `a.tryCast("decimal(${precision}, ${scale})"${options})`;
    const bound = bindExpr(
      parseExpr(text),
      new arrow.Schema([new arrow.Field("a", new arrow.Utf8(), true)]),
    );
    const { program } = compileExprs([bound]);
    const column = columnOf({ kind: "string" }, texts);
    const [result] = evaluateAround(program, [column], texts.length, testKernels());
    for (const [row, given] of texts.entries()) {
      const expected = given === null ? null : digitsOf(given, precision, scale, point);
      draws.add(expected === null ? "none" : "a decimal");
      if (expected !== null && String(expected).length >= 38) {
        draws.add("38 digits");
      }
      assertEquals(valueAt(result!, row), expected, `${given} as ${text}`);
    }
  }, draws));

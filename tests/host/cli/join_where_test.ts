import { assertEquals, assertThrows } from "@std/assert";
import { CommandError } from "../../../cli/arguments.ts";
import { type OptionNames, parseOptions } from "../../../cli/options.ts";
import type { Session } from "../../../cli/session.ts";
import { parseWhere, whereOptions } from "../../../cli/verbs/join_where.ts";
import { ExprError, parseExpr, printExpr } from "../../../mod.ts";

const names: OptionNames = {
  values: [...whereOptions.values, "how", "suffix", "format", "asof"],
  lists: ["on", "columns"],
  flags: ["keep-keys"],
};
const session = { parse: (text: string) => parseExpr(text) } as Session;

function parsed(...words: string[]) {
  return parseWhere(parseOptions(words, names))(session);
}

Deno.test("--where is read as an expression", () => {
  const { where, how } = parsed("b.csv", "--where", "start<=right.t&&right['first name']!=name");
  assertEquals(printExpr(where), 'start <= right.t && right["first name"] != name');
  assertEquals(how, "inner");
  const words = ["--how=left", "--suffix=_b", "--columns=t", "--format=csv"];
  assertEquals(parsed("b.csv", "--where=a<right.b", ...words).how, "left");
  assertThrows(() => parsed("b.csv", "--where", "a <"), ExprError, "ends too early");
});

Deno.test("mistakes beside --where are told", () => {
  const cases: [string[], string][] = [
    [["--how", "full"], "--where goes with --how inner or left, not full"],
    [["--on", "id"], "--where does not go with --on"],
    [["--keep-keys"], "--where does not go with --keep-keys"],
    [["--asof", "t"], "--where does not go with --asof"],
    [["--where", "a > 1"], 'Option --where is given twice, with "a < right.b" and "a > 1"'],
  ];
  for (const [words, message] of cases) {
    assertThrows(() => parsed("b.csv", "--where", "a < right.b", ...words), CommandError, message);
  }
  assertThrows(() => parsed("b.csv", "--where="), CommandError, "Option --where needs a value");
});

import { assertEquals, assertThrows } from "@std/assert";
import { CommandError } from "../../../cli/command_error.ts";
import { parseOptions } from "../../../cli/options.ts";

const names = { values: ["on", "how"], flags: ["stats"], lists: ["plugin"] };

Deno.test("options and arguments come in any order", () => {
  const options = parseOptions(["a.csv", "--on", "x=y", "--stats", "--how=left", "b"], names);
  assertEquals(options.args, ["a.csv", "b"]);
  assertEquals([options.value("on"), options.value("how")], ["x=y", "left"]);
  assertEquals(options.flag("stats"), true);
});

Deno.test("a word that starts with one dash is an argument", () => {
  const options = parseOptions(["-1000:", "-", "-5", "--plugin", "-x"], names);
  assertEquals(options.args, ["-1000:", "-", "-5"]);
  assertEquals(options.list("plugin"), ["-x"]);
});

Deno.test("words after -- are arguments", () => {
  assertEquals(parseOptions(["--stats", "--", "--on"], names).args, ["--on"]);
});

Deno.test("options that repeat collect their values where they may", () => {
  assertEquals(parseOptions(["--plugin", "a", "--plugin=b"], names).list("plugin"), ["a", "b"]);
});

Deno.test("stopEarly leaves everything after the first argument alone", () => {
  const options = parseOptions(["--stats", "read", "--on"], { ...names, stopEarly: true });
  assertEquals(options.args, ["read", "--on"]);
});

Deno.test("an unknown option is an error with the nearest name", () => {
  const error = assertThrows(() => parseOptions(["--hwo", "left"], names), CommandError);
  assertEquals(error.message, "Unknown option --hwo; did you mean --how?");
});

Deno.test("an option without its value is an error", () => {
  for (const words of [["--on"], ["--on", "--stats"], ["--on="], ["--on", ""]]) {
    const error = assertThrows(() => parseOptions(words, names), CommandError);
    assertEquals(error.message, "Option --on needs a value");
  }
});

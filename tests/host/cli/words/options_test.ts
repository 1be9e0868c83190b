import { InternalError } from "../../../../base/errors/internal_error.ts";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { CommandError } from "../../../../base/errors/command_error.ts";
import { globalOptions } from "../../../../cli/words/command_line.ts";
import { commandHelp, verbHelp } from "../../../../cli/help.ts";
import { type OptionNames, parseOptions } from "../../../../cli/words/options.ts";
import { verbs } from "../../../../cli/verbs/verbs.ts";
import { pluginVerb } from "../../../../cli/verbs/plugin_verb.ts";
import { everyNth } from "../../../../examples/every_nth.ts";
import type { OperatorFactory } from "../../../../mod.ts";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

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

Deno.test("stopEarly leaves -- alone, so that verbs take columns that look like options", async () => {
  const words = ["--stats", "select", "--", "--on"];
  const options = parseOptions(words, { ...names, stopEarly: true });
  assertEquals(options.args, ["select", "--", "--on"]);
  assertEquals(parseOptions(["--stats", "--", "read"], { stopEarly: true, ...names }).args, [
    "read",
  ]);
  await inFolder({ "odd.csv": "a,--on\n1,2\n" }, async (cwd) => {
    const step = ["select", "--", "--on", "then", "write", "-", "--format", "csv"];
    const { out, err } = await sluice(["read", "odd.csv", "then", ...step], { cwd });
    assertEquals([out, err], ["--on\n2\n", ""]);
  });
});

Deno.test("an unknown option is an error with the nearest name", () => {
  for (
    const [words, message] of [
      [["--hwo", "left"], "Unknown option --hwo; did you mean --how?"],
      [["--no-stats"], "There is no option --no-stats; leave out --stats"],
      [["--no-on"], "Unknown option --no-on"],
      [["--=x"], "Unknown option --"],
      [["--on.x", "y"], "Unknown option --on.x"],
      [["--__proto__", "y"], "Unknown option --__proto__"],
      [["---on", "y"], "Unknown option ---on; did you mean --on?"],
    ] as const
  ) {
    const error = assertThrows(() => parseOptions(words, names), CommandError);
    assertEquals(error.message, message);
  }
});

Deno.test("every option is declared, and asking for another is an error of ours", () => {
  const options = parseOptions([], names);
  for (const ask of [() => options.value("stats"), () => options.flag("on")]) {
    assertThrows(ask, InternalError, "is not declared");
  }
});

/** The options of the command, and of every verb. */
const declarations: readonly (readonly [string, OptionNames])[] = [
  ["the command", globalOptions],
  ...verbs.map(({ name, options = {} }) => [name, options] as const),
  ["a plugin", { ...pluginVerb(everyNth as OperatorFactory).options, values: ["n"] }],
];

/** The message of what these words are refused with. */
function refusal(words: readonly string[], options: OptionNames): string {
  return assertThrows(() => parseOptions(words, options), CommandError).message;
}

/** Every declared option of some kinds, with the declaration that it stands in. */
function declaredOptions(...kinds: ("values" | "lists" | "flags")[]) {
  return declarations.flatMap(([owner, declared]) => {
    // Behind an argument the options of the command are those of its verbs.
    const options = { ...declared, stopEarly: false };
    return kinds.flatMap((kind) => (options[kind] ?? []).map((name) => ({ owner, name, options })));
  });
}

Deno.test("each option that takes a value is refused a second one", () => {
  for (const { owner, name, options } of declaredOptions("values")) {
    assertEquals(parseOptions([`--${name}=1`], options).value(name), "1");
    for (const again of [[`--${name}=7`], [`--${name}`, "7"], ["x", `--${name}`, "7"]]) {
      const twice = `Option --${name} occurs twice, with "1" and "7"`;
      assertEquals(refusal([`--${name}`, "1", ...again], options), twice, owner);
    }
  }
});

Deno.test("each option that makes a list adds up", () => {
  for (const { owner, name, options } of declaredOptions("lists")) {
    const { list } = parseOptions([`--${name}`, "a,b", "x", `--${name}=c`], options);
    assertEquals(list(name), ["a,b", "c"], owner);
  }
  const lists = declaredOptions("lists").map(({ owner, name }) => `${owner} ${name}`).sort();
  const known = [
    "join by",
    "join columns",
    "join on",
    "join types",
    "read columns",
    "read types",
    "regroup by",
    "the command plugin",
    "top by",
  ];
  assertEquals(lists, known);
});

Deno.test("no option that takes a value goes without one", () => {
  for (const { owner, name, options } of declaredOptions("values", "lists")) {
    const needs = `Option --${name} needs a value`;
    for (const rest of [[], [""], [`--${name}`, "1"], ["--"]]) {
      assertEquals(refusal([`--${name}`, ...rest], options), needs, owner);
    }
    assertEquals(refusal([`--${name}=`, "1"], options), needs, owner);
  }
});

Deno.test("each flag is given once, without a value, and not negated", () => {
  for (const { owner, name, options } of declaredOptions("flags")) {
    assertEquals(parseOptions([`--${name}`], options).flag(name), true);
    const twice = `Option --${name} occurs twice`;
    assertEquals(refusal([`--${name}`, `--${name}`], options), twice, owner);
    for (const value of ["1", "0", "true", "false", ""]) {
      const refused = `Option --${name} takes no value, not "${value}"`;
      assertEquals(refusal([`--${name}=${value}`], options), refused, owner);
    }
    const none = `There is no option --no-${name}; leave out --${name}`;
    assertEquals(refusal([`--no-${name}`], options), none, owner);
  }
});

Deno.test("the help on a verb tells every option of it, and that of the command the others", () => {
  const tells = (text: string, { values = [], lists = [], flags = [] }: OptionNames) => {
    for (const name of [...values, ...lists, ...flags]) {
      if (name !== "help") assertStringIncludes(text, `--${name}`);
    }
  };
  tells(commandHelp(verbs), globalOptions);
  for (const { name, options = {} } of verbs) tells(verbHelp(name, verbs), options);
});

Deno.test("a repeated option is refused, or adds up, in every place of a command", () =>
  inFolder({ "k.csv": "a,b,c\n1,2,3\n" }, async (cwd) => {
    const join = ["read", "k.csv", "then", "join", "k.csv"];
    for (
      const [args, line] of [
        [
          [...join, "--on", "a", "--how", "left", "--how", "full"],
          'step 2, join: Option --how occurs twice, with "left" and "full"',
        ],
        [[...join, "--on", "a", "--on", "a=b"], 'step 2, join: --on names the key "a" twice'],
        [
          ["read", "k.csv", "then", "regroup", "--rows", "1", "--rows", "7"],
          'step 2, regroup: Option --rows occurs twice, with "1" and "7"',
        ],
        [
          ["--device", "gpuu", "--device", "cpu", "read", "k.csv"],
          'Option --device occurs twice, with "gpuu" and "cpu"',
        ],
        [["--stats=1", "read", "k.csv"], 'Option --stats takes no value, not "1"'],
        [["--quiet", "--progress", "doctor"], "--quiet and --progress exclude each other"],
        [
          ["read", "k.csv", "--columns", "a,b", "--columns", "b"],
          'step 1, read: --columns names "b" twice',
        ],
        [
          ["read", "k.csv", "--types", "a=int64", "--types", "a=string"],
          "step 1, read: --types names column a twice",
        ],
        [["doctor", "--fast"], "Unknown option --fast"],
      ] as const
    ) {
      const { status, out, err } = await sluice(args, { cwd });
      assertEquals([status, out, err], [2, "", `sluice: error: ${line}\n`]);
    }
    const read = ["read", "k.csv", "--columns", "a", "--types", "a=string", "--columns", "c"];
    const { out } = await sluice([...read, "--types", "c=float64", "then", "schema"], { cwd });
    assertEquals(out.split("\n").slice(0, 2), ["a  utf8", "c  float64"]);
    const joined = await sluice(
      [...join, "--on", "a", "--columns", "b", "--columns", "c", "then", "count"],
      { cwd },
    );
    assertEquals([joined.out, joined.err], ["1\n", ""]);
  }));

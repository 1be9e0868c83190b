/** What the verb join is told wrongly: one line, and the right exit status. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { CommandError } from "../../../base/errors/command_error.ts";
import { parseOptions } from "../../../cli/words/options.ts";
import { join } from "../../../cli/verbs/join.ts";
import { assertFails } from "../../support/processes/bad_commands.ts";
import { forSeeds } from "../../support/random/seeded_random.ts";
import { fewOr, someOf } from "../../support/random/test_size.ts";

const { values = [], lists = [], flags = [] } = join.options ?? {};

/** The line with which the verb refuses these words. */
function refusal(words: readonly string[]): string {
  const error = assertThrows(
    () => join.parse(parseOptions(words, join.options ?? {})),
    CommandError,
    undefined,
    words.join(" "),
  );
  assertMatch(error.message, /^[^\n]{5,300}[^.\n]$/);
  return error.message;
}

Deno.test("each option of join that is misspelt is refused with the nearest name", () => {
  for (const name of [...values, ...lists, ...flags]) {
    const given = flags.includes(name) ? [] : ["1"];
    for (const wrong of [name + name.at(-1), name.slice(0, -1) + "q", name[0] + name]) {
      if ([...values, ...lists, ...flags].includes(wrong)) continue;
      assertMatch(
        refusal(["a.csv", "--on", "id", `--${wrong}`, ...given]),
        new RegExp(`^Unknown option --${wrong}(; did you mean --[a-z-]+\\?)?$`),
      );
    }
  }
});

Deno.test("words at random are taken, or refused in one line", () => {
  let numRefused = 0;
  return forSeeds(fewOr(200, 400), (random) => {
    const words = [
      "id",
      "id=id",
      "",
      "=",
      "a,b",
      ",",
      "1:1",
      "inner",
      "cross",
      "2s",
      "-1",
      "0",
      "x",
    ]
      .concat("--", "-", "id=id=id", "upper(id)=id", "right.id", "id < right.id", "null");
    const args = Array.from({ length: random.below(7) }, () => {
      const name = random.pick([...values, ...lists, ...flags]);
      const form = random.below(4);
      return form === 0
        ? [random.pick(words)]
        : form === 1
        ? [`--${name}`]
        : form === 2
        ? [`--${name}=${random.pick(words)}`]
        : [`--${name}`, random.pick(words)];
    }).flat();
    try {
      join.parse(parseOptions(args, join.options ?? {}));
    } catch (error) {
      assert(error instanceof CommandError, `${args.join(" ")}: ${(error as Error).stack}`);
      const { message } = error as Error;
      assertMatch(message, /^[^\n]{5,300}[^.\n]$/, args.join(" "));
      numRefused++;
    }
  }).then(() => assert(numRefused > 0 || Deno.env.has("SLUICE_SEED")));
});

const files = {
  "cities.csv": "id,city,name_right\n1,Łódź,x\n2,Bogotá,y\n2,Lima,z\n",
  "halves.csv": "half\n1.5\n2.0\n",
  "times.csv": "t,g,v\n1,a,x\n3,b,y\n2,b,z\n",
};

/** What comes behind `join`, the exit status, the line behind `step 2, join: `, and the place below it. */
type Mistake = readonly [args: string, status: 1 | 2, line: RegExp, place?: string];

const cases: Readonly<Record<string, readonly Mistake[]>> = {
  "a file to join that is missing, or none": [
    ["none.csv --on id", 1, /^none\.csv: no such file$/],
    ["none.csv --how cross", 1, /^none\.csv: no such file$/],
    ["/tmp --format csv --on id", 1, /^\/tmp: .*folder/],
    ["--on id", 2, /^Too few arguments; usage: join FILE /],
    ["cities.csv x --on id", 2, /^Unexpected argument "x"; usage: join FILE /],
  ],
  "keys that are not there": [
    ["cities.csv --on ib", 2, /\bib\b.*\bid\b/],
    ["cities.csv --on id=ib", 2, /\bib\b.*\bid\b/],
    ["cities.csv --on id,nmae=city", 2, /\bnmae\b.*\bname\b/],
    ["cities.csv --on id --columns ctiy", 2, /\bctiy\b.*\bcity\b/],
    ["cities.csv", 2, /^Say which key to join on: --on KEY/],
    ...["=id", "id=", "id,,id", ",", "id=id=id"].map((on): Mistake => [
      `cities.csv --on ${on}`,
      2,
      /^--on takes KEY or KEY=RIGHTKEY, not "/,
    ]),
    ["cities.csv --on id --on id=city", 2, /^--on names the key "id" twice$/],
  ],
  "keys by expressions that are wrong, with a caret": [
    ["cities.csv --on uper(name)=city", 2, /uper.*upper/, "  uper(name)\n  ^^^^"],
    ["cities.csv --on upper(nmae)=city", 2, /nmae.*name/, "  upper(nmae)\n        ^^^^"],
    ["cities.csv --on name=upper(ctiy)", 2, /ctiy.*city/, "  upper(ctiy)\n        ^^^^"],
    ["cities.csv --on upper(=city", 2, /^[^\n]+$/, "  upper(=city\n        ^"],
  ],
  "keys that have no common type say which cast helps": [
    [
      "cities.csv --on id=city",
      2,
      /^Cannot join on id=city: no common type for int64 and string; cast one side, such as the left one: cast\(id, "string"\)$/,
    ],
    [
      "halves.csv --on id=half",
      2,
      /^Cannot join on id=half: no common type for int64 and float64; cast one side, such as the /,
    ],
    [
      "halves.csv --on id=half --promote lossless",
      2,
      /^Cannot join on id=half: no common type for int64 and float64; /,
    ],
    ["halves.csv --on id=half --how right-anti", 2, /^Cannot join on id=half: no common type /],
  ],
  "a suffix that is given twice, or is none": [
    ["people.csv --on id --suffix _2 --suffix _3", 2, /^Option --suffix occurs twice, /],
    ["people.csv --on id --suffix= --keep-keys", 2, /^Option --suffix needs a value$/],
  ],
  "options with values that they do not have": [
    ["cities.csv --on id --how outer", 2, /^Unknown --how outer; .*full/],
    ["cities.csv --on id --how rihgt", 2, /^Unknown --how rihgt; did you mean right\?$/],
    [
      "cities.csv --on id --validate 1:2",
      2,
      /^--validate must be one of 1:1, 1:m, m:1, m:m, not "1:2"$/,
    ],
    ["cities.csv --on id --order build", 2, /^--order must be probe or none, not "build"$/],
    [
      "cities.csv --on id --promote lossy",
      2,
      /^--promote must be one of exact, lossless, not "lossy"$/,
    ],
    ["cities.csv --on id --nulls-equal=yes", 2, /^Option --nulls-equal takes no value, not "yes"$/],
  ],
  "a cross join with what only keys have": [
    ["cities.csv --how cross --on id", 2, /^--how cross takes no keys$/],
    ["cities.csv --how cross --keep-keys", 2, /^--how cross takes no keys, and no --keep-keys$/],
    ["cities.csv --how cross --validate m:m", 2, /^--how cross takes no keys, and no --validate$/],
  ],
  "as-of joins that are told wrongly": [
    ["times.csv --asof id=t,name=g", 2, /^--asof takes one time; put other keys into --by$/],
    ["times.csv --asof id=", 2, /^--asof takes TIME or TIME=RIGHTTIME, not "id="$/],
    ["times.csv --asof idd=t", 2, /\bidd\b.*\bid\b/],
    ["times.csv --asof id=tt", 2, /\btt\b.*\bt\b/],
    ["times.csv --asof id=t --by nmae=g", 2, /\bnmae\b.*\bname\b/],
    [
      "times.csv --asof id=t --by id=g",
      2,
      /^Cannot join on id=g: no common type for int64 and string/,
    ],
    ["times.csv --asof id=g", 2, /^Cannot join as of g: a time is a number, timestamp, /],
    ["times.csv --asof name=g", 2, /^[^\n]*\bname\b/],
    [
      "times.csv --asof id=t --direction up",
      2,
      /^--direction of an as-of join must be one of backward, forward, nearest, not "up"$/,
    ],
    [
      "times.csv --asof id=t --how full",
      2,
      /^--how of an as-of join must be one of left, inner, not "full"$/,
    ],
    ...["2x", "-1", "s", "1e", "NaN"].map((tolerance): Mistake => [
      `times.csv --asof id=t --tolerance ${tolerance}`,
      2,
      new RegExp(`tolerance[^\n]*"?${tolerance}`),
    ]),
    ["times.csv --asof id=t --tolerance 2s", 2, /^[^\n]*tolerance[^\n]*2s/],
    ["times.csv --asof id=t --on id", 2, /^--on cannot be combined with --asof$/],
    ["times.csv --asof id=t --validate 1:1", 2, /^--validate cannot be combined with --asof$/],
    ["times.csv --on id=t --by id", 2, /^--by needs --asof$/],
    ["times.csv --on id=t --direction nearest", 2, /^--direction needs --asof$/],
    ["times.csv --on id=t --tolerance 1", 2, /^--tolerance needs --asof$/],
    ["times.csv --asof id=t", 1, /^[^\n]*\brow 2\b/],
    ["times.csv --asof id=t --by name=g", 1, /^[^\n]*\brow 2\b/],
  ],
  "joins by a condition that are told wrongly": [
    [`times.csv --where id<right.tt`, 2, /\btt\b/, "  id<right.tt\n     ^^^^^^^^"],
    [`times.csv --where idd<right.t`, 2, /\bidd\b.*\bid\b/, "  idd<right.t\n  ^^^"],
    [`times.csv --where id<`, 2, /^[^\n]+$/, "  id<\n     ^"],
    [`times.csv --where right.t`, 2, /^[^\n]*(bool|true)/, "  right.t\n  ^^^^^^^"],
    [`times.csv --where id<right.g`, 2, /^[^\n]*int64/, "  id<right.g\n  ^^^^^^^^^^"],
    [
      `times.csv --where id<right.t --how full`,
      2,
      /^--where needs --how inner or left, not full$/,
    ],
    [`times.csv --where id<right.t --on id`, 2, /^--where cannot be combined with --on$/],
    [`times.csv --where id<right.t --asof id`, 2, /^--where cannot be combined with --asof$/],
    [
      `times.csv --where id<right.t --keep-keys`,
      2,
      /^--where cannot be combined with --keep-keys$/,
    ],
  ],
  "keys that are not as unique as they have to be": [
    [
      "cities.csv --on id --validate 1:1",
      1,
      /^Keys of the build side are not unique: id = 2 occurs again in its row 2$/,
    ],
    ["cities.csv --on id --validate m:1 --how anti", 1, /id = 2 occurs again in its row 2$/],
    ["people.csv --on upper(name)=name,id --validate 1:1 --how cross", 2, /^--how cross /],
  ],
};

/** What the verb says of these words before anything is opened; undefined where it takes them. */
function refusedAtOnce(words: readonly string[]): string | undefined {
  try {
    join.parse(parseOptions(words, join.options ?? {}));
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

/** The pattern behind `step 2, join: `. */
function behindStep({ source }: RegExp): RegExp {
  const rest = source.startsWith("^") ? source.slice(1) : `.*${source}`;
  return new RegExp(`^step 2, join: ${rest}`);
}

for (const [title, mistakes] of Object.entries(cases)) {
  Deno.test(title, async () => {
    const told: string[] = [];
    for (const [at, [args, status, line, place = ""]] of someOf(mistakes, 2).entries()) {
      const message = refusedAtOnce(args.split(" "));
      if (message !== undefined) {
        if (status !== 2 || !line.test(message)) told.push(`join ${args}: ${message}`);
        // One of them shows how such a line comes out.
        if (at > 0) continue;
      }
      const whole = {
        args: `read people.csv then join ${args} then write out.arrow`,
        files,
        status,
        line: behindStep(line),
        place,
      };
      await assertFails(whole).catch((error) => told.push(`join ${args}: ${error.message}`));
    }
    assertEquals(told, []);
  });
}

Deno.test("a name that is taken even with the suffix, in the step that has it", () =>
  assertFails({
    args: [
      ...["read", "people.csv", "then", "with", "name_right = name", "then"],
      ...["join", "people.csv", "--on", "id", "then", "write", "out.arrow"],
    ],
    status: 2,
    line:
      /^step 3, join: Columns 3 and 4 would have the same name, "name_right"; give another suffix, or take columns of the build side without name$/,
  }));

Deno.test("the first key of the stream that comes again is told, with its row", () =>
  assertFails({
    args:
      "read cities.csv then join people.csv --on id,city=name --validate 1:m then write out.arrow",
    files: { "cities.csv": "id,city\n1,Łódź\n2,Lima\n,Lima\n,Lima\n2,Łódź\n2,Lima\n1,Łódź\n" },
    status: 1,
    line:
      /^step 2, join: Keys of the stream are not unique: id = 2, city = "Lima" occurs again in its row 5$/,
  }));

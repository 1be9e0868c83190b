/**
 * `deno task bench`: a report about this checkout beside its peers (report.ts), or with `compare`
 * about two commits (compare.ts).
 *
 * @module
 */

import { count, endWith, namesGiven } from "./support/arguments.ts";

const [first, commits, ...names] = namesGiven();
if (first === "compare") {
  const { compare, compareNames } = await import("./compare.ts");
  const isKnown = names.every((name) => compareNames.includes(name));
  if (commits === undefined || !isKnown) {
    const choices = compareNames.map((name) => `[${name}]`).join(" ");
    endWith(`deno task bench compare COMMIT[..COMMIT] [--rounds=N] [--rows=N] ${choices}`);
  }
  const table = await compare({
    commits,
    names: names.length === 0 ? ["real", "start"] : names,
    numPairs: count("rounds") ?? 11,
    numRows: count("rows"),
    onJob: (name) => console.error(`${name} ...`),
  });
  console.log(table);
} else {
  await import("./report.ts");
}

/**
 * Compares the names that the package exports with a snapshot, so that every change of the API is visible;
 * `--update` writes the snapshot again.
 *
 * @module
 */

import { entryPoints, publicSymbols } from "./public_symbols.ts";

const snapshot = "tests/golden/public_names.txt";

/** Returns one line for each name: entry point, kind, name. */
async function publicNames(): Promise<string> {
  const lines: string[] = [];
  for (const [entry, path] of Object.entries(entryPoints)) {
    const symbols = await publicSymbols(path);
    const names = symbols.flatMap(({ name, declarations }) =>
      declarations.map(({ kind }) => `${entry} ${kind} ${name}`)
    );
    lines.push(...new Set(names.sort()));
  }
  return lines.join("\n") + "\n";
}

const names = await publicNames();
if (Deno.args.includes("--update")) {
  Deno.writeTextFileSync(snapshot, names);
} else {
  const known = new Set(Deno.readTextFileSync(snapshot).trimEnd().split("\n"));
  const now = new Set(names.trimEnd().split("\n"));
  const changes = [
    ...[...now.difference(known)].map((name) => `+ ${name}`),
    ...[...known.difference(now)].map((name) => `- ${name}`),
  ];
  if (changes.length > 0) {
    console.error(`The public names are not those of ${snapshot}:\n${changes.join("\n")}`);
    console.error("Where that is meant: deno run -A scripts/public_names.ts --update");
    Deno.exit(1);
  }
}

/**
 * Checks that every public name has documentation, that every public function, class and value has an example,
 * and that every type in a public signature is public too. Checks each entry point separately, so that a
 * program that imports one of them can name all its types.
 *
 * The linter of `deno doc` follows imports of apache-arrow into the package and takes its types for private ones
 * of ours. This script ignores those findings, and findings in packages whose names are exported again.
 *
 * @module
 */

import { relative } from "node:path/posix";
import { findImports } from "./imports.ts";
import { denoDoc, entryPoints, type PublicSymbol, publicSymbols } from "./public_symbols.ts";

/** A finding of the linter. */
interface Finding {
  /** The rule: `missing-jsdoc`, `private-type-ref`. */
  readonly rule: string;
  readonly message: string;
  /** Path of the module. */
  readonly path: string;
  /** Line and column, both from 1. */
  readonly position: string;
}

/** Parses the output of `deno doc --lint` without colours. */
export function parseFindings(output: string): Finding[] {
  const pattern = /^error\[(.+?)\]: (.*)\n\s*--> (.*?):(\d+:\d+)$/gm;
  return [...output.matchAll(pattern)].map(([, rule, message, path, position]) => (
    { rule: rule!, message: message!, path: path!, position: position! }
  ));
}

/** Whether a finding is about a type that the module imports from apache-arrow. */
export function isArrowType({ rule, message }: Finding, source: string): boolean {
  const type = /references private type '(\w+)'$/.exec(message)?.[1];
  if (rule !== "private-type-ref" || type === undefined) return false;
  return findImports(source).some(({ specifier, names }) =>
    specifier === "apache-arrow" && names.includes(type)
  );
}

/** Whether a file belongs to a package, in Deno's cache or in a folder of the checkout. */
function isOfPackage(path: string): boolean {
  return /\/(node_modules|npm)\//.test(path);
}

/** Returns the functions, classes and values without an example; one overload may have it for all. */
export function withoutExample(symbols: readonly PublicSymbol[]): string[] {
  return symbols
    .map(({ name, declarations }) => ({
      name,
      values: declarations.filter(({ kind, location }) =>
        /^(function|class|variable)$/.test(kind) && !isOfPackage(location?.filename ?? "")
      ),
    }))
    .filter(({ values }) =>
      values.length > 0 &&
      !values.some(({ jsDoc }) => jsDoc?.tags?.some(({ kind }) => kind === "example"))
    )
    .map(({ name }) => name);
}

async function lintProblems(entry: string): Promise<string[]> {
  const { success, stderr } = await denoDoc("--lint", entry);
  if (success) return [];
  const findings = parseFindings(stderr);
  const count = /Found (\d+) documentation lint error/.exec(stderr)?.[1];
  if (findings.length !== Number(count)) return [stderr];
  return findings
    .filter(({ path }) => !isOfPackage(path))
    .filter((finding) => !isArrowType(finding, Deno.readTextFileSync(finding.path)))
    .map(({ message, path, position }) => `${relative(Deno.cwd(), path)}:${position} ${message}`);
}

async function problemsOf(entry: string): Promise<string[]> {
  const missing = withoutExample(await publicSymbols(entry));
  return [
    ...await lintProblems(entry),
    ...missing.map((name) => `${entry}: ${name} has no example`),
  ];
}

if (import.meta.main) {
  const problems = await Promise.all(Object.values(entryPoints).map(problemsOf));
  const lines = new Set(problems.flat());
  for (const line of lines) console.error(line);
  if (lines.size > 0) Deno.exit(1);
}

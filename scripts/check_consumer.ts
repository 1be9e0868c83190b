/**
 * Type-checks `tests/consumer` with TypeScript itself, as a project in Node or for a browser sees
 * this package: through declarations, without Deno's types.
 *
 * @module
 */

import { dirname, join, normalize } from "node:path/posix";
import manifest from "../deno.json" with { type: "json" };
import { findImports } from "./imports.ts";
// deno-lint-ignore no-import-prefix -- in deno.dev.lock only, see tests/support/dev_dependencies.ts
import ts from "npm:typescript@5.9.3";

const folder = ".cache/consumer";
const packageFolder = `${folder}/node_modules/${manifest.name}`;

/** Writes the declarations of a module, and of what it imports, as the registry does. */
function declare(path: string, done: Set<string>): void {
  if (done.has(path) || !path.endsWith(".ts")) return;
  done.add(path);
  const source = Deno.readTextFileSync(path);
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, isolatedDeclarations: true },
  });
  const failure = diagnostics[0];
  if (failure !== undefined) {
    throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(failure.messageText, " ")}`);
  }
  const target = join(packageFolder, path.replace(/\.ts$/, ".d.ts"));
  Deno.mkdirSync(dirname(target), { recursive: true });
  // Declarations name the JavaScript beside them.
  Deno.writeTextFileSync(target, outputText.replaceAll(/(["'])(\.[^"']*)\.ts\1/g, '"$2.js"'));
  for (const { specifier } of findImports(outputText)) {
    if (specifier.startsWith(".")) declare(normalize(join(dirname(path), specifier)), done);
  }
}

function declarePackage(): void {
  const done = new Set<string>();
  const entries = Object.entries(manifest.exports).filter(([name]) => name !== "./cli");
  for (const [, path] of entries) declare(normalize(path), done);
  const exports = Object.fromEntries(
    entries.map(([name, path]) => [name, { types: path.replace(/\.ts$/, ".d.ts") }]),
  );
  const description = { name: manifest.name, version: manifest.version, type: "module", exports };
  Deno.writeTextFileSync(join(packageFolder, "package.json"), JSON.stringify(description));
}

function copyProject(): void {
  for (const { name } of Deno.readDirSync("tests/consumer")) {
    Deno.copyFileSync(`tests/consumer/${name}`, `${folder}/${name}`);
  }
}

Deno.mkdirSync(folder, { recursive: true });
Deno.removeSync(folder, { recursive: true });
Deno.mkdirSync(packageFolder, { recursive: true });
declarePackage();
copyProject();
for (const project of ["node", "browser"]) {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--lock=deno.dev.lock", "--frozen", "npm:typescript@5.9.3/tsc"],
      ...["--noEmit", "--project", `${folder}/tsconfig.${project}.json`],
    ],
  }).spawn().status;
  if (!success) Deno.exit(1);
}

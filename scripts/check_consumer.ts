/**
 * Type-checks `tests/consumer` with TypeScript itself. It sees this package as a project for Node or a browser
 * does: through declarations, without Deno's types.
 *
 * @module
 */

import { dirname } from "node:path/posix";
import manifest from "../deno.json" with { type: "json" };
// deno-lint-ignore no-import-prefix -- in deno.dev.lock only, see tests/support/dev_dependencies.ts
import ts from "npm:typescript@5.9.3";

const folder = ".cache/consumer";
const packageFolder = `${folder}/node_modules/${manifest.name}`;

const entries = Object.entries(manifest.exports).filter(([name]) => name !== "./cli");

/**
 * Writes the declarations of the package, as a registry does. Reports no errors: `deno check` does, with the
 * types of Deno.
 */
function declarePackage(): void {
  const options: ts.CompilerOptions = {
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: ".",
    outDir: packageFolder,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    exactOptionalPropertyTypes: true,
    rewriteRelativeImportExtensions: true,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.asynciterable.d.ts"],
    types: ["@webgpu/types"],
  };
  const program = ts.createProgram(entries.map(([, path]) => path), options);
  program.emit(undefined, (path, text) => {
    Deno.mkdirSync(dirname(path), { recursive: true });
    // Declarations name the JavaScript beside them.
    Deno.writeTextFileSync(path, text.replaceAll(/(["'])(\.[^"']*)\.ts\1/g, '"$2.js"'));
  });
  const exports = Object.fromEntries(
    entries.map(([name, path]) => [name, { types: path.replace(/\.ts$/, ".d.ts") }]),
  );
  const description = { name: manifest.name, version: manifest.version, type: "module", exports };
  Deno.writeTextFileSync(`${packageFolder}/package.json`, JSON.stringify(description));
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

/** The kernels that are written by hand, as modules of WGSL. */

import { SELF_TEST_WGSL } from "../../../gpu/webgpu/trial/self_test.ts";
import { listingWgsl } from "../../../gpu/webgpu/strategies/long_rows.ts";
import type { WgslModules } from "./wgsl_of_operations.ts";

const ROOT = new URL("../../../gpu/webgpu/", import.meta.url);

/**
 * Adds the modules of all files: each that has an entry point, behind those which it says that it
 * follows. Throws for a file that no module has.
 */
export function addWgslFiles(modules: WgslModules): void {
  modules.set(SELF_TEST_WGSL, "self_test.wgsl");
  for (const columns of [1, 2]) {
    modules.set(listingWgsl(columns), `listing of long rows, ${columns}`);
  }
  const files = new Map([...readFiles()]);
  for (const [name, code] of files) {
    if (!/^@compute/m.test(code) || name === "self_test.wgsl") continue;
    const before = followed(code).map((other) => files.get(other) ?? missing(name, other));
    modules.set([...before, code].join(""), name);
  }
  const unused = [...files].find(([, text]) => ![...modules.keys()].some((c) => c.includes(text)));
  if (unused !== undefined) throw new Error(`No kernel has ${unused[0]}`);
}

function* readFiles(): Iterable<[name: string, code: string]> {
  for (const folder of Deno.readDirSync(ROOT)) {
    if (!folder.isDirectory) continue;
    for (const { name } of Deno.readDirSync(new URL(`${folder.name}/`, ROOT))) {
      if (!name.endsWith(".wgsl")) continue;
      yield [name, Deno.readTextFileSync(new URL(`${folder.name}/${name}`, ROOT))];
    }
  }
}

/** The files whose code comes before that of a file: "Follows block_scan.wgsl and join_keys.wgsl". */
function followed(code: string): readonly string[] {
  const head = code.slice(0, code.search(/^[^/]/m)).replaceAll(/\n\/\/ ?/g, " ");
  const [, names = ""] = /\bFollows\s+([\w. ]+?\.wgsl(?: and \w+\.wgsl)*)/.exec(head) ?? [];
  return names.match(/\w+\.wgsl/g) ?? [];
}

function missing(name: string, other: string): never {
  throw new Error(`${name} follows ${other}, which there is not`);
}

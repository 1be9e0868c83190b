/**
 * The public names of the package, as `deno doc` sees them.
 *
 * @module
 */

import manifest from "../deno.json" with { type: "json" };

/** The modules that the package exports, by the name of the entry point. */
export const entryPoints: Readonly<Record<string, string>> = manifest.exports;

/** A declaration of a public name, as far as the checks read it. */
interface Declaration {
  /** Its kind: `function`, `interface`. */
  readonly kind: string;
  /** Its file, which may belong to a package whose names are exported again. */
  readonly location?: { readonly filename: string };
  /** Its documentation. */
  readonly jsDoc?: { readonly tags?: readonly { readonly kind: string }[] };
}

/** A public name. It has several declarations if it has overloads, or is both a type and a value. */
export interface PublicSymbol {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

/** Returns the names that a module exports, in any order. */
export async function publicSymbols(path: string): Promise<PublicSymbol[]> {
  const { success, stdout, stderr } = await denoDoc("--json", path);
  if (!success) throw new Error(stderr);
  const { nodes } = JSON.parse(stdout) as {
    nodes: Record<string, { symbols: PublicSymbol[] }>;
  };
  return Object.values(nodes).flatMap(({ symbols }) => symbols);
}

/** Runs `deno doc`, without colours. */
export async function denoDoc(
  ...args: string[]
): Promise<{ success: boolean; stdout: string; stderr: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "-q", ...args],
    env: { NO_COLOR: "1" },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, stdout: text(stdout), stderr: text(stderr) };
}

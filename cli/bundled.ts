/**
 * The command as a bundle: a few large modules in place of hundreds, which load in half the time.
 * `deno task bundle` writes it, beside a list of what it was made of.
 *
 * @module
 */

import { environmentVariable } from "../ops/engine/environment.ts";

/** What a bundle is, in `command.json`. */
export interface Bundle {
  /** The checkout that it was made of, a URL. */
  readonly root: string;
  /** Its main module, as seen from the list. */
  readonly main: string;
  /** The modules that it was made of, by their absolute paths, as they were then. */
  readonly sources: readonly BundledSource[];
}

/** A module, when it was last changed in milliseconds, and its bytes. */
export type BundledSource = readonly [path: string, changed: number, bytes: number];

/** The checkout. */
export const root: URL = new URL("../", import.meta.url);

/** Where bundles lie, and the list of the newest. */
export const bundleFolder: URL = new URL(".cache/command/", root);
export const bundleList: URL = new URL("command.json", bundleFolder);

/**
 * Options that need the modules: plugins import the library itself, and what they make has to be of
 * its classes; and code is shown as it was written.
 */
const ofModules = ["--plugin", "--code"];

/** The main module of the bundle, if there is one that can do a command, and no module has changed. */
export function bundledMain(words: readonly string[]): string | undefined {
  if (root.protocol !== "file:" || environmentVariable("SLUICE_BUNDLE") === "0") return undefined;
  if (words.some((word) => ofModules.includes(word.split("=", 1)[0]!))) return undefined;
  try {
    const bundle: Bundle = JSON.parse(Deno.readTextFileSync(bundleList));
    if (bundle.root !== root.href || !bundle.sources.every(isSame)) return undefined;
    const main = new URL(bundle.main, bundleFolder);
    return Deno.statSync(main).isFile ? main.href : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a module is as it was. */
function isSame([path, changed, bytes]: BundledSource): boolean {
  const [, changedNow, bytesNow] = sourceNow(path);
  return changedNow === changed && bytesNow === bytes;
}

/** A module as it is. */
export function sourceNow(path: string): BundledSource {
  const { mtime, size } = Deno.statSync(path);
  return [path, mtime?.getTime() ?? 0, size];
}

/**
 * The command as a bundle: a few large modules in place of hundreds, which load in half the time.
 * `deno task bundle` writes it, beside a list of what it was made of.
 *
 * @module
 */

import { environmentVariable } from "../base/environment.ts";

/** What a bundle is, in `command.json`. */
export interface Bundle {
  /** The checkout that it was made of, a URL. */
  readonly root: string;
  /** Its main module, as seen from the list. */
  readonly main: string;
  /** The modules that it was made of, and its own, as they were then. */
  readonly files: readonly BundleFile[];
}

/** An absolute path, when the file was last changed, in milliseconds, and its bytes. */
export type BundleFile = readonly [path: string, changed: number, bytes: number];

/** The checkout. */
const root = new URL("../", import.meta.url);

/** Where the bundles of a checkout lie, and the list of the newest. */
export function bundlePlaces(root: URL): { readonly folder: URL; readonly list: URL } {
  const folder = new URL(".cache/command/", root);
  return { folder, list: new URL("command.json", folder) };
}

/**
 * Options that need the modules: plugins import the library itself, and what they make has to be of
 * its classes; and code is shown as it was written.
 */
const ofModules = ["--plugin", "--code"];

/** Whether a command needs the modules. */
export function needsModules(words: readonly string[]): boolean {
  return words.some((word) => ofModules.includes(word.split("=", 1)[0]!));
}

/**
 * The main module of the bundle, if there is one that can do a command, of which no file has changed.
 * Never prompts for permission.
 */
export function bundledMain(words: readonly string[]): string | undefined {
  if (root.protocol !== "file:" || environmentVariable("SLUICE_BUNDLE") === "0") return undefined;
  if (needsModules(words)) return undefined;
  const { state } = Deno.permissions.querySync({ name: "read", path: root });
  if (state !== "granted") return undefined;
  try {
    const { folder, list } = bundlePlaces(root);
    const bundle: Bundle = JSON.parse(Deno.readTextFileSync(list));
    const isSame = bundle.root === root.href && bundle.files.every(isUnchanged);
    return isSame ? new URL(bundle.main, folder).href : undefined;
  } catch {
    return undefined;
  }
}

function isUnchanged([path, changed, bytes]: BundleFile): boolean {
  const [, changedNow, bytesNow] = bundleFile(path);
  return changedNow === changed && bytesNow === bytes;
}

/** A file as it is. */
export function bundleFile(path: string): BundleFile {
  const { mtime, size } = Deno.statSync(path);
  return [path, mtime?.getTime() ?? 0, size];
}

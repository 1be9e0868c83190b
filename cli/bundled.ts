/**
 * The bundle of the command: a few large modules instead of hundreds, which load in half the time.
 * `deno task bundle` writes it, with a list of the modules that it contains.
 *
 * @module
 */

import { environmentVariable } from "../base/settings/environment.ts";

/** The description of a bundle, in `command.json`. */
export interface Bundle {
  /** The URL of the checkout that was bundled. */
  readonly root: string;
  /** Its main module, relative to the list. */
  readonly main: string;
  /** The bundled modules and the modules of the bundle, as they were then. */
  readonly files: readonly BundleFile[];
}

/** An absolute path, the time of the last change in milliseconds, and the size in bytes. */
export type BundleFile = readonly [path: string, changed: number, bytes: number];

/** The checkout. */
const root = new URL("../", import.meta.url);

/** Returns the folder of a checkout's bundles, and the list of the newest one. */
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
 * Returns the main module of the bundle if it can run the command and no file of it has changed.
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

/** Describes a file as it is now. */
export function bundleFile(path: string): BundleFile {
  const { mtime, size } = Deno.statSync(path);
  return [path, mtime?.getTime() ?? 0, size];
}

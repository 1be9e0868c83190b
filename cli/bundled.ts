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
  /** The bundled modules and the modules of the bundle, as they were when it was written. */
  readonly files: readonly BundleFile[];
}

/** The absolute path of a file, the time of its last change in milliseconds, and its size in bytes. */
type BundleFile = readonly [path: string, changed: number, bytes: number];

/** The folder of this checkout. */
const root = new URL("../", import.meta.url);

/** Returns the folder of a checkout's bundles, and the list of the newest one. */
export function bundlePlaces(root: URL): { readonly folder: URL; readonly list: URL } {
  const folder = new URL(".cache/command/", root);
  return { folder, list: new URL("command.json", folder) };
}

/**
 * Options that need the modules instead of the bundle: plugins import the library itself, and their objects
 * must be of its classes; code is shown as it was written.
 */
const ofModules = ["--plugin", "--code"];

/** Whether a command needs the modules instead of the bundle. */
export function needsModules(words: readonly string[]): boolean {
  return words.some((word) => ofModules.includes(word.split("=", 1)[0]!));
}

/**
 * Returns the main module of the bundle if it can run the command and none of its files has changed.
 * Never prompts for a permission.
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

/**
 * A WebGPU adapter for the tests: found, or installed where that can be done.
 *
 * @module
 */

import { quietDrivers } from "./quiet_drivers.ts";

/** What the tests can count on. */
interface AdapterState {
  /** The name of the adapter; undefined if there is none. */
  readonly name: string | undefined;
  /** Why there is none, or how it was installed. */
  readonly note: string;
}

/** A kind of adapter: what Deno takes first, which is Vulkan, Metal or Direct3D, or one through GL. */
export type AdapterKind = "first" | "gl";

/** The packages of Debian with Mesa's software adapter of a kind. */
const PACKAGES: Readonly<Record<AdapterKind, readonly string[]>> = {
  first: ["mesa-vulkan-drivers"],
  gl: ["libegl1", "libgl1-mesa-dri"],
};

/**
 * The environment in which Deno takes an adapter of a kind. It takes one through GL where it sees
 * no driver of Vulkan.
 */
export function driverVariables(kind: AdapterKind = "first"): Readonly<Record<string, string>> {
  if (kind === "first") return {};
  return { VK_DRIVER_FILES: "/nonexistent", VK_ICD_FILENAMES: "/nonexistent" };
}

/**
 * Looks for an adapter. If there is none, installs Mesa's software adapter on Debian and Ubuntu as
 * root, and says so.
 */
export async function prepareAdapter(kind: AdapterKind = "first"): Promise<AdapterState> {
  quietDrivers();
  const found = await probe(kind);
  if (found !== undefined) return { name: found, note: noteOf(kind, "found") };
  const obstacle = installObstacle(kind);
  if (obstacle !== undefined) return { name: undefined, note: obstacle };
  const packages = PACKAGES[kind];
  console.log(`No WebGPU adapter: installing Mesa's software adapter (${packages.join(" ")})`);
  const failure = await aptGet("update") ?? await aptGet("install", "-y", ...packages);
  if (failure !== undefined) return { name: undefined, note: failure };
  const installed = await probe(kind);
  const note = installed ? noteOf(kind, "installed") : `${packages.join(" ")} brought none`;
  return { name: installed, note };
}

function noteOf(kind: AdapterKind, how: string): string {
  return kind === "gl" ? `${how}, through GL` : how;
}

/** Asks in a process of its own: this one would remember the drivers that it saw first. */
async function probe(kind: AdapterKind): Promise<string | undefined> {
  const code = `
    const adapter = await navigator.gpu?.requestAdapter();
    if (adapter) console.log(adapter.info.description || adapter.info.device || "unnamed");`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", code],
    env: driverVariables(kind),
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout).trim() || undefined;
}

function installObstacle(kind: AdapterKind): string | undefined {
  if (Deno.build.os !== "linux") return `nothing is installed on ${Deno.build.os}`;
  const release = readIfThere("/etc/os-release");
  if (!/^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release)) return "this is neither Debian nor Ubuntu";
  return Deno.uid() === 0 ? undefined : `installing ${PACKAGES[kind].join(" ")} needs root`;
}

function readIfThere(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Runs apt-get; gives what went wrong, if something did. */
async function aptGet(...args: string[]): Promise<string | undefined> {
  try {
    const { success, stderr } = await new Deno.Command("apt-get", {
      args: ["-qq", "-o", "Dpkg::Use-Pty=0", ...args],
      env: { DEBIAN_FRONTEND: "noninteractive" },
      stdout: "null",
    }).output();
    if (success) return undefined;
    return `apt-get ${args[0]} failed: ${new TextDecoder().decode(stderr).trim()}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "there is no apt-get";
    throw error;
  }
}

/**
 * Finds a WebGPU adapter for the tests, or installs one where possible.
 *
 * @module
 */

import { quietDrivers } from "./quiet_drivers.ts";

/** The adapter of the tests. */
interface AdapterState {
  /** The name of the adapter; undefined if there is none. */
  readonly name: string | undefined;
  /** The reason why there is none, or whether it was found or installed. */
  readonly note: string;
}

/**
 * A kind of adapter: the one that Deno prefers (Vulkan, Metal or Direct3D), one of the GL backend, or
 * SwiftShader, Chrome's software adapter.
 */
export type AdapterKind = "first" | "gl" | "swiftshader";

/** The Debian packages with the software adapter of each kind. */
const PACKAGES: Readonly<Record<AdapterKind, readonly string[]>> = {
  first: ["mesa-vulkan-drivers"],
  gl: ["libegl1", "libgl1-mesa-dri"],
  swiftshader: ["chromium-common"],
};

/** The path of SwiftShader in Debian's Chromium, and the folder to unpack that package in if it is not installed. */
const SWIFTSHADER = "usr/lib/chromium/vk_swiftshader_icd.json";
const UNPACKED = ".cache/chromium";

/** The folders in which Linux registers Vulkan drivers. */
const VULKAN_DRIVERS = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];

/**
 * Selects Vulkan alone. Otherwise Deno also loads GL, and libEGL frees its memory when the process exits,
 * while the thread of a test file ends: about one process in a hundred aborted ("corrupted size", "double
 * free").
 */
const ONLY_VULKAN = { DENO_WEBGPU_BACKEND: "vulkan" };

/**
 * Returns the environment in which Deno takes an adapter of a kind. It takes one of GL if it finds no Vulkan
 * driver.
 */
export function driverVariables(kind: AdapterKind = "first"): Readonly<Record<string, string>> {
  if (kind === "first") return VULKAN_DRIVERS.some(hasFiles) ? ONLY_VULKAN : {};
  const driver = kind === "gl" ? "/nonexistent" : swiftShader() ?? "/nonexistent";
  const variables = { VK_DRIVER_FILES: driver, VK_ICD_FILENAMES: driver };
  return kind === "gl" ? variables : { ...variables, ...ONLY_VULKAN };
}

function hasFiles(folder: string): boolean {
  try {
    return Deno.readDirSync(folder).some(({ isDirectory }) => !isDirectory);
  } catch {
    return false;
  }
}

function swiftShader(): string | undefined {
  const places = [`/${SWIFTSHADER}`, `${Deno.cwd()}/${UNPACKED}/${SWIFTSHADER}`];
  return places.find((path) => readIfThere(path) !== "");
}

/**
 * Looks for an adapter. If there is none, installs Mesa's software adapter on Debian and Ubuntu as root, and
 * says so. Only unpacks the package of the browser that has SwiftShader.
 */
export async function prepareAdapter(kind: AdapterKind = "first"): Promise<AdapterState> {
  quietDrivers();
  const found = await probe(kind);
  if (found !== undefined) return { name: found, note: noteOf(kind, "found") };
  const obstacle = installObstacle(kind);
  if (obstacle !== undefined) return { name: undefined, note: obstacle };
  const packages = PACKAGES[kind];
  console.log(`No WebGPU adapter: installing a software adapter (${packages.join(" ")})`);
  const failure = await aptGet("update") ??
    await (kind === "swiftshader" ? unpack(packages) : aptGet("install", "-y", ...packages));
  if (failure !== undefined) return { name: undefined, note: failure };
  const installed = await probe(kind);
  const note = installed ? noteOf(kind, "installed") : `${packages.join(" ")} brought none`;
  return { name: installed, note };
}

function noteOf(kind: AdapterKind, how: string): string {
  return kind === "gl" ? `${how}, through GL` : how;
}

/** Unpacks packages without their dependencies. Returns the problem, if there was one. */
async function unpack(packages: readonly string[]): Promise<string | undefined> {
  await Deno.mkdir(UNPACKED, { recursive: true });
  const failure = await run("apt-get", ["-qq", "download", ...packages], UNPACKED);
  if (failure !== undefined) return failure;
  for (const { name } of Deno.readDirSync(UNPACKED)) {
    if (!name.endsWith(".deb")) continue;
    const failure = await run("dpkg-deb", ["-x", name, "."], UNPACKED);
    if (failure !== undefined) return failure;
  }
}

/** Returns the name of the adapter. Asks in another process: this one would remember the drivers it saw first. */
async function probe(kind: AdapterKind): Promise<string | undefined> {
  // Otherwise Deno would take an adapter of GL.
  if (kind === "swiftshader" && swiftShader() === undefined) return undefined;
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

/** Runs apt-get. Returns the problem, if there was one. */
function aptGet(...args: string[]): Promise<string | undefined> {
  return run("apt-get", ["-qq", "-o", "Dpkg::Use-Pty=0", ...args]);
}

async function run(command: string, args: string[], cwd = "."): Promise<string | undefined> {
  try {
    const { success, stderr } = await new Deno.Command(command, {
      args,
      cwd,
      env: { DEBIAN_FRONTEND: "noninteractive" },
      stdout: "null",
    }).output();
    if (success) return undefined;
    const words = [command, ...args.filter((arg) => /^\w/.test(arg))];
    return `${words.join(" ")} failed: ${new TextDecoder().decode(stderr).trim()}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `there is no ${command}`;
    throw error;
  }
}

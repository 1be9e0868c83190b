/**
 * `deno task ok`: all checks besides the tests. With names as arguments, only those: `deno task ok lint types`.
 *
 * @module
 */

import { quietDrivers } from "./quiet_drivers.ts";
import { runDeno } from "./run_deno.ts";

interface Check {
  readonly name: string;
  /** Arguments of `deno`. */
  readonly args: readonly string[];
}

const devLock = ["--lock=deno.dev.lock", "--frozen"];
const script = (path: string) => ["run", "-q", "-A", ...devLock, path];
/** Pages whose programs need no files; `testPage` runs those of other pages. */
const pages = ["README.md", "docs/kernel-language.md", "docs/library.md"];
const modules = ["mod.ts", "cli.ts", "base/", "cli/", "gpu/", "ops/", "streams/"];

const checks: readonly Check[] = [
  // One of the longest, so it starts first.
  {
    name: "consumer",
    // TypeScript looks for packages in a folder.
    args: ["run", "-q", "-A", "--node-modules-dir=auto", ...devLock, "scripts/check_consumer.ts"],
  },
  { name: "fmt", args: ["fmt", "--check"] },
  { name: "lint", args: ["lint"] },
  {
    name: "types",
    args: [
      "check",
      "-q",
      ...devLock,
      ...modules,
      "bench/",
      "examples/",
      "scripts/",
      "tests/device/",
      "tests/fuzz/",
      "tests/host/",
      "tests/support/",
    ],
  },
  { name: "layers", args: script("scripts/check_layers.ts") },
  { name: "doc-lint", args: script("scripts/check_docs.ts") },
  {
    name: "doc-examples",
    args: ["test", "-q", "-A", ...devLock, "--doc", "--permit-no-files", ...modules, ...pages],
  },
  { name: "tint", args: script("scripts/check_tint.ts") },
  { name: "threads", args: script("scripts/bundle_threads.ts") },
  { name: "names", args: script("scripts/public_names.ts") },
  { name: "package", args: ["publish", "-q", "--dry-run", "--allow-dirty"] },
];

/** Runs a check; prints its output only if it fails. */
async function run({ name, args }: Check): Promise<boolean> {
  const start = performance.now();
  const { success, stdout, stderr } = await runDeno(args, {
    stdout: "piped",
    stderr: "piped",
    // Examples run on the host unless they request the device.
    env: { SLUICE_DEVICE: "cpu" },
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const text = new TextDecoder();
  const output = success ? "" : `\n${text.decode(stdout)}${text.decode(stderr)}`.trimEnd();
  console.log(`${success ? "ok    " : "FAILED"} ${name} (${seconds} s)${output}`);
  return success;
}

quietDrivers();
const unknown = Deno.args.find((arg) => !checks.some(({ name }) => name === arg));
if (unknown !== undefined) {
  console.error(`No check is called ${unknown}: ${checks.map(({ name }) => name).join(" ")}`);
  Deno.exit(2);
}
const chosen = checks.filter(({ name }) => Deno.args.length === 0 || Deno.args.includes(name));
let failed = 0;
const waiting = [...chosen];
const work = async () => {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (!await run(check)) failed++;
  }
};
await Promise.all(Array.from({ length: Math.min(2, navigator.hardwareConcurrency) }, work));
console.log(`${chosen.length - failed} passed, ${failed} failed`);
Deno.exit(failed === 0 ? 0 : 1);

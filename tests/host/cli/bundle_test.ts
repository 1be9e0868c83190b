import { createHash } from "node:crypto";
import { assertEquals, assertMatch } from "@std/assert";
import { namesIn } from "../../support/processes/bad_commands.ts";
import { checkoutPath, inFolder, startFlags } from "../../support/processes/sluice.ts";
import { someOf } from "../../support/random/test_size.ts";
import { onTerminal } from "../../support/processes/terminal.ts";

/** What bundling and running the command takes of a checkout. */
const parts = [
  ...["cli.ts", "mod.ts", "deno.json", "deno.lock"],
  ...["base", "cli", "gpu", "ops", "streams"],
  ...["scripts/bundle.ts", "scripts/bundle_modules.ts", "scripts/run_deno.ts"],
  "examples/shout.ts",
];

async function copy(from: string, to: string): Promise<void> {
  if (!(await Deno.stat(from)).isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for (const name of namesIn(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}

/** A copy of this checkout, in a folder. */
class Copy {
  readonly folder: string;
  #numRuns = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  static async in(folder: string): Promise<Copy> {
    for (const name of ["scripts", "examples"]) {
      await Deno.mkdir(`${folder}/copy/${name}`, { recursive: true });
    }
    for (const part of parts) await copy(checkoutPath(part), `${folder}/copy/${part}`);
    return new Copy(folder);
  }

  get list(): string {
    return `${this.folder}/copy/.cache/command/command.json`;
  }

  async bundle(by = "copy"): Promise<void> {
    const { code, out, err } = await this.#deno(["-A", `${by}/scripts/bundle.ts`]);
    assertEquals([code, err], [0, ""]);
    assertMatch(out, /^Bundled \d{3,} modules; /);
  }

  /** Runs a command; says what it printed, how it ended, and whether it ran from the bundle. */
  async run(words: readonly string[], env: Record<string, string> = {}) {
    const loaded = `${this.folder}/loaded${this.#numRuns++}`;
    const flags = ["-A", ...startFlags, `--coverage=${loaded}`];
    const result = await this.#deno([...flags, "copy/cli.ts", ...words], env);
    const urls = namesIn(loaded).map((name) =>
      String(JSON.parse(Deno.readTextFileSync(`${loaded}/${name}`)).url)
    );
    const isBundled = urls.some((url) => url.includes("/copy/.cache/command/"));
    assertEquals(isBundled, !urls.some((url) => url.endsWith("/copy/cli/main.ts")));
    return { ...result, isBundled };
  }

  async #deno(words: readonly string[], env: Record<string, string> = {}) {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", ...words],
      cwd: this.folder,
      env: { SLUICE_BUNDLE: "", SLUICE_DEVICE: "cpu", NO_COLOR: "1", ...env },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, out: text(stdout), err: text(stderr) };
  }
}

const files = {
  "people.csv": "id,name\n1,Éva Šikula\n2,\n3,東京\n4,Þór von Berg\n5,Ægir\n",
  "numbers.csv": `k,v\n${
    Array.from({ length: 400_000 }, (_, id) => `${id % 7},${(id * 7919) % 100_003}\n`).join("")
  }`,
};

const hasGpu = await navigator.gpu?.requestAdapter() != null;

/**
 * Commands that load what others do not: kernels, formats, workers, operators, errors. Those of a group
 * read what the ones before them wrote. All other tests run commands from a bundle, too.
 */
const groups: readonly (readonly (readonly [words: string, status: number])[])[] = [
  [["read people.csv then with u=name.upper().replace('Š','S') then write out/a.ndjson", 0]],
  [["read people.csv then filter name.containsRe('^[A-ZÆÞ]') then explain", 0]],
  [
    ["read numbers.csv then write out/b.parquet", 0],
    ["read out/b.parquet then with t=v.cast('string').pad(9) then write out/c.parquet", 0],
    ["read out/c.parquet then join people.csv --on k=id then write out/d.arrow", 0],
    ["read out/d.arrow then slice -100000::7 then regroup --rows 999 then write out/e.arrows", 0],
  ],
  [["rechunk plan --shape 1000,1000 --from 10,1000 --to 1000,10 --itemsize 4 --max-mem 1MB", 0]],
  [["read people.csv then show", 0]],
  // With or without an adapter: then both say so.
  [["--device gpu read people.csv then with u=name.upper() then write out/f.csv", hasGpu ? 0 : 1]],
  [["read people.csv then with n=name.cast('int64')", 1]],
  [["read people.csv then withh", 2]],
  [["ops upper", 0]],
  [["doctor", 0]],
];

Deno.test("a bundle gives what the modules give", () =>
  inFolder(files, async (folder) => {
    const checkout = await Copy.in(folder);
    const commands = someOf(groups, 2).flat();
    const all = async () => {
      await Deno.mkdir(`${folder}/out`);
      const results = [];
      for (const [words] of commands) {
        const { isBundled, ...result } = await checkout.run(words.split(" "));
        results.push({ words, isBundled, ...result });
      }
      const written = namesIn(`${folder}/out`).map((
        name,
      ) => [
        name,
        createHash("sha256").update(Deno.readFileSync(`${folder}/out/${name}`)).digest("hex"),
      ]);
      await Deno.remove(`${folder}/out`, { recursive: true });
      return { results, written };
    };
    const wanted = await all();
    assertEquals(
      wanted.results.map(({ words, code, isBundled }) => [words, code, isBundled]),
      commands.map(([words, status]) => [words, status, false]),
    );
    const numWritten = commands.filter(([words, status]) => status === 0 && / write /.test(words));
    assertEquals(wanted.written.length, numWritten.length);
    await checkout.bundle();
    const found = await all();
    for (const [index, result] of wanted.results.entries()) {
      assertEquals(found.results[index], { ...result, isBundled: true });
    }
    assertEquals(found.written, wanted.written);
  }));

Deno.test("a bundle is taken until a module changes, and not for plugins or to show code", () =>
  inFolder(files, async (folder) => {
    const checkout = await Copy.in(folder);
    await checkout.bundle();
    const isBundled = async (words: string, env: Record<string, string> = {}) => {
      const { code, err, isBundled } = await checkout.run(words.split(" "), env);
      assertEquals([code, err], [0, ""]);
      return isBundled;
    };
    const count = "read people.csv then count";
    assertEquals(await isBundled(count), true);
    assertEquals(await isBundled(count, { SLUICE_BUNDLE: "0" }), false);
    // A command that may read only its file is not to ask for more.
    const mayRead = `${folder}/people.csv`;
    const { status, pieces } = await onTerminal([
      ...[Deno.execPath(), "run", "-q", `--allow-read=${mayRead}`],
      ...[`${folder}/copy/cli.ts`, "read", mayRead, "then", "count"],
    ], { cwd: folder });
    assertEquals([status, pieces.map(({ text }) => text).join("").trim()], [0, "5"]);
    const shouted = "read people.csv then with s=name.shout()";
    assertEquals(await isBundled("read people.csv then head 1 then explain --code"), false);
    for (const option of someOf(["--plugin ", "--plugin="], 1)) {
      assertEquals(await isBundled(`${option}copy/examples/shout.ts ${shouted}`), false);
    }

    const list = await Deno.readTextFile(checkout.list);
    const elsewhere = list.replace("file:///", "file:///elsewhere/");
    for (const wrong of someOf(["", "{}", "null", list.slice(0, -20), elsewhere], 1)) {
      await Deno.writeTextFile(checkout.list, wrong);
      assertEquals(await isBundled(count), false);
    }
    await Deno.writeTextFile(checkout.list, list);
    assertEquals(await isBundled(count), true);

    const module = `${folder}/copy/gpu/webgpu/backend.ts`;
    await Deno.writeTextFile(module, `${await Deno.readTextFile(module)}\n`);
    assertEquals(await isBundled(count), false);
    // An old one goes with the next; the last one, and what somebody put there, stay.
    const bundles = `${folder}/copy/.cache/command`;
    const [first] = namesIn(bundles);
    const old = `8${first!.slice(1)}`;
    await Deno.mkdir(`${bundles}/${old}`);
    await Deno.mkdir(`${bundles}/of someone`);
    const weekAgo = new Date(Date.now() - 7 * 24 * 3600 * 1000);
    await Deno.utime(`${bundles}/${old}`, weekAgo, weekAgo);
    await Deno.utime(`${bundles}/of someone`, weekAgo, weekAgo);
    await Deno.symlink("copy", `${folder}/link`);
    await checkout.bundle("link");
    assertEquals(await isBundled(count), true);
    const newest = JSON.parse(await Deno.readTextFile(checkout.list)).main.split("/")[0];
    assertEquals(namesIn(bundles), [first, newest, "command.json", "of someone"]);

    const name = namesIn(`${bundles}/${newest}`).find((name) => name.endsWith(".js"));
    const chunk = `${bundles}/${newest}/${name}`;
    const { size, mtime } = await Deno.stat(chunk);
    const code = await Deno.readFile(chunk);
    await Deno.truncate(chunk, size - 1);
    await Deno.utime(chunk, mtime!, mtime!);
    assertEquals(await isBundled(count), false);
    await Deno.writeFile(chunk, code);
    await Deno.utime(chunk, mtime!, mtime!);
    assertEquals(await isBundled(count), true);
    await Deno.remove(module);
    assertEquals(await isBundled(count), false);
  }));

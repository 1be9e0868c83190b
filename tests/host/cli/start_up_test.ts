import manifest from "../../../deno.json" with { type: "json" };
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { checkoutPath, inFolder, startFlags } from "../../support/processes/sluice.ts";

/** What a command has loaded. */
interface Loaded {
  /** The modules of this checkout. */
  readonly own: readonly string[];
  /** How many modules of packages. */
  readonly others: number;
}

/** Runs a command, and calls `check` with the modules that it has loaded, by the word of Deno. */
function withModules(words: readonly string[], check: (loaded: Loaded) => void): Promise<void> {
  return inFolder({ "two.csv": "name,n\nÉva,1\nBo,2\n" }, async (folder) => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-q", "-A", ...startFlags],
        ...[`--coverage=${folder}/loaded`, checkoutPath("cli.ts"), ...words],
      ],
      cwd: folder,
      env: { SLUICE_DEVICE: "cpu" },
    }).output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    const urls: string[] = [...Deno.readDirSync(`${folder}/loaded`)]
      .map(({ name }) => JSON.parse(Deno.readTextFileSync(`${folder}/loaded/${name}`)).url);
    const root = new URL("../../../", import.meta.url).href;
    const own = urls.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length));
    check({ own, others: urls.length - own.length });
  });
}

/** Fails where a module lies in one of some rooms. */
function assertNone(own: readonly string[], rooms: readonly string[]): void {
  assertEquals(own.filter((path) => rooms.some((room) => path.startsWith(room))), []);
}

/** Fails where a module imports a part of Node, each of which takes Deno milliseconds to load. */
function assertNoNode(own: readonly string[], but: readonly string[] = []): void {
  const imported = own.flatMap((path) =>
    [...Deno.readTextFileSync(checkoutPath(path)).matchAll(/^import (?!type ).*"(node:\w+)";$/gm)]
      .map(([, name]) => name!)
  );
  assertEquals(imported.filter((name) => !but.includes(name)), []);
}

const unused = [
  ...[
    "gpu/webgpu/backend.ts",
    "gpu/webgpu/device/",
    "gpu/check/",
    "gpu/host/join/",
    "gpu/host/table/",
  ],
  ...["gpu/key/", "gpu/kernel/show/", "ops/join/", "ops/rechunk/", "ops/regroup/"],
  ...[
    "streams/formats/parquet/read/reader.ts",
    "streams/formats/parquet/write/writer.ts",
    "streams/formats/zarr/codecs/",
  ],
  ...["zarr_sink.ts", "rows/chunk_rows_reader.ts", "store/"].map((name) =>
    `streams/formats/zarr/${name}`
  ),
  ...[
    "streams/formats/ndjson/reader.ts",
    "streams/formats/ndjson/writer.ts",
    "streams/formats/arrow/reader.ts",
    "streams/formats/arrow/encoder.ts",
  ],
];

Deno.test("every way to start the command has the flags of Deno that make it fast", () => {
  // Without the first one Deno reads the whole library before the first line of `help` runs.
  const [lazy, budget, ...others] = startFlags;
  assertEquals([lazy, others], ["--unstable-lazy-dynamic-imports", []]);
  assertMatch(budget!, /^--v8-flags=--wasm-tiering-budget=\d+$/);
  const [shebang] = Deno.readTextFileSync(checkoutPath("cli.ts")).split("\n");
  for (const command of [shebang!, manifest.tasks.install.command]) {
    for (const flag of startFlags) assertStringIncludes(command, flag);
  }
});

Deno.test("help loads the verbs and nothing of the library", () =>
  withModules(["help"], ({ own, others }) => {
    assert(own.includes("cli/help.ts"));
    assertNone(own, [
      "mod.ts",
      "ops/engine/engine.ts",
      "gpu/kernel/",
      "streams/formats/csv/csv",
      "streams/source/",
    ]);
    assertNoNode(own);
    assert(own.length <= 70 && others <= 20, `${own.length} modules, and ${others} of packages`);
  }));

Deno.test("a pipeline without an expression loads no compiler, and only the format that it reads", () =>
  withModules(["read", "two.csv", "then", "slice", "1:", "then", "show"], ({ own }) => {
    assert(own.includes("streams/formats/csv/reader.ts"));
    assertNone(own, [...unused, "gpu/kernel/emit/", "gpu/host/kernels/", "ops/string/"]);
    assertNoNode(own, ["node:buffer"]);
    assert(own.length <= 245, `${own.length} modules`);
  }));

Deno.test("a pipeline with an expression loads what computes it on the host, and no other operator", () =>
  withModules(
    ["read", "two.csv", "then", "with", "u = name.upper()", "then", "show"],
    ({ own }) => {
      assert(own.includes("gpu/host/kernels/compiled_kernel.ts"));
      assertNone(own, unused);
      assert(own.length <= 595, `${own.length} modules`);
    },
  ));

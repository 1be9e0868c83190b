/**
 * A device of another thread: whom it keeps from nothing, who gets one, and threads that fail. That it
 * computes the same is seen by the tests of the device, which `test:long gl` runs with such a thread.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { releaseColumn } from "../../gpu/column/column.ts";
import { DeviceError } from "../../gpu/errors.ts";
import { requestWebGpuDevice } from "../../gpu/webgpu/device/device.ts";
import { downloadColumns } from "../../gpu/webgpu/transfer/download.ts";
import { filterOnDevice } from "../../gpu/webgpu/gather/filter.ts";
import { createContext, type WebGpuContext } from "../../gpu/webgpu/webgpu_context.ts";
import { createEngine } from "../../mod.ts";
import { deviceTest } from "../support/adapter.ts";
import { plainOf } from "../support/column_model.ts";
import { takeForHardware } from "../support/hardware.ts";
import { columnOf, stringColumn } from "../support/host_columns.ts";
import { plantedProgram, type PlantedThread } from "../support/planted_threads.ts";
import { checkoutPath } from "../support/sluice.ts";
import { someOf } from "../support/test_size.ts";
import { turns } from "../support/until.ts";

const ROWS = Array.from({ length: 2_000 }, (_, row) => row);
const TEXTS = stringColumn(ROWS.map((row) => row % 7 === 0 ? null : `Łódź ${row}`));
const EVEN = columnOf({ kind: "bool" }, ROWS.map((row) => row % 2 === 0));
const EVEN_TEXTS = plainOf(TEXTS).filter((_, row) => row % 2 === 0);

async function openContext(planted: PlantedThread): Promise<WebGpuContext> {
  const program = plantedProgram(planted);
  const device = await requestWebGpuDevice({ software: true, program });
  if (device === null) throw new Error("There is no WebGPU adapter");
  return createContext(device, { budgetBytes: 2 ** 28 });
}

/** The even rows of the texts, by way of the device. */
async function evenTexts(context: WebGpuContext): Promise<unknown[]> {
  const { columns } = await filterOnDevice(context, [TEXTS], EVEN, ROWS.length);
  try {
    return plainOf((await downloadColumns(context, columns))[0]!);
  } finally {
    columns.forEach(releaseColumn);
  }
}

deviceTest("a thread goes on while the one of its device waits", async () => {
  const folder = await Deno.makeTempDir();
  const context = await openContext({ blockedUntil: `${folder}/go` });
  let isDone = false;
  const work = evenTexts(context).then(() => isDone = true);
  // The other thread waits for the file, which this one writes after some turns of its event loop.
  await turns(20);
  assertEquals(isDone, false, "it waits");
  await Deno.writeTextFile(`${folder}/go`, "");
  await work;
  await Deno.remove(folder, { recursive: true });
  context.pool.trim();
  await context.device.destroy();
});

deviceTest(
  "where the program of the thread fails at once, this thread has the device",
  async () => {
    const context = await openContext({ numMessages: 0 });
    assert(context.device.gpu instanceof GPUDevice);
    assertEquals(await evenTexts(context), EVEN_TEXTS);
    context.pool.trim();
    await context.device.destroy();
  },
);

deviceTest("a thread that fails in the middle of work ends it in a DeviceError", async () => {
  const outcomes = new Set<string>();
  for (const numMessages of [1, 2, 3, 5, 8, 13, 21, 1000]) {
    const context = await openContext({ numMessages });
    try {
      assertEquals(await evenTexts(context), EVEN_TEXTS);
      outcomes.add("done");
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      assertEquals(
        error.message,
        "The device was lost: its thread failed: Error: planted",
      );
      await assertRejects(() => evenTexts(context), DeviceError, "its thread failed");
      outcomes.add("failed");
    }
    assertEquals(context.pool.inUseBuffers, 0, `after ${numMessages} messages`);
    await context.device.destroy();
  }
  assertEquals(outcomes.size, 2, "some threads failed, one did not");
});

deviceTest("hardware gets a thread of its own where there may be threads", async () => {
  const { requestDevice } = GPUAdapter.prototype;
  let opened = 0;
  GPUAdapter.prototype.requestDevice = function (this: GPUAdapter, ...args) {
    opened++;
    return requestDevice.apply(this, args);
  };
  const openedHere = async (threads: number) => {
    opened = 0;
    const engine = createEngine({ device: "gpu", threads });
    assertEquals((await engine.describe()).kind, "webgpu");
    await engine.close();
    return opened;
  };
  const isHardware = await requestWebGpuDevice({ software: false }).then(async (device) => {
    await device?.destroy();
    return device !== null;
  });
  try {
    assertEquals(await openedHere(1), 1);
    assertEquals(await openedHere(2), isHardware ? 0 : 1, "software has none");
    const undo = takeForHardware("A card");
    try {
      assertEquals(await openedHere(1), 1);
      assertEquals(await openedHere(2), 0);
    } finally {
      undo();
    }
  } finally {
    GPUAdapter.prototype.requestDevice = requestDevice;
  }
});

/** A program with a card, whose engine stays open; `go` says where that has its device. */
const PROGRAM = `
import { createEngine, expr, fromBatches, toTable, withColumns } from "${checkoutPath("mod.ts")}";
import { takeForHardware } from "${checkoutPath("tests/support/hardware.ts")}";
import { tableFromArrays } from "${import.meta.resolve("apache-arrow")}";
takeForHardware("A card");
const { requestDevice } = GPUAdapter.prototype;
let where = "another thread";
GPUAdapter.prototype.requestDevice = function (...args) {
  where = "this thread";
  return requestDevice.apply(this, args);
};
async function go(engine) {
  const names = fromBatches(tableFromArrays({ name: ["Éva", "Šimon"] }).batches, { engine });
  const loud = await toTable(names.pipeThrough(withColumns({ loud: expr("name.upper()") })));
  console.log(loud.getChild("loud").toArray().join(" "), where);
}
const engine = createEngine({ device: "gpu", threads: 2 });
`;
const DONE = "ÉVA ŠIMON another thread\n";

/** Programs by what they do: the permissions that they have, what they print, and how they end. */
const PROGRAMS: Readonly<
  Record<string, { code: string; permissions?: readonly string[]; out?: string; status?: number }>
> = {
  "leaves its engine open": { code: "await go(engine);" },
  "may only read": { code: "await go(engine);", permissions: ["--allow-read"] },
  "may read, and what a card needs": {
    code: "await go(engine);",
    permissions: ["--allow-read", "--allow-env=XDG_RUNTIME_DIR"],
  },
  "may not read": {
    code: "await go(engine);",
    permissions: ["--allow-env"],
    out: DONE.replace("another", "this"),
  },
  "exits while its card computes": {
    code: "await go(engine); go(engine); setTimeout(() => Deno.exit(3), 3);",
    status: 3,
  },
  "goes on when all is done": {
    code: `await go(engine);
      let left = 2;
      addEventListener("beforeunload", (event) => {
        if (left-- <= 0) return;
        event.preventDefault();
        go(engine);
      });`,
    out: DONE.repeat(3),
  },
  "opens several at once": {
    code:
      `await Promise.all([1, 2, 3].map(() => go(createEngine({ device: "gpu", threads: 2 }))));`,
    out: DONE.repeat(3),
  },
};

for (const [title, { code, permissions, out, status = 0 }] of someOf(Object.entries(PROGRAMS), 3)) {
  deviceTest(`a program with a card that ${title} ends as it wants, without a word`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/program.ts`, PROGRAM + code);
      // Drivers ask for this variable, which is theirs to have.
      const { XDG_RUNTIME_DIR: _, ...env } = Deno.env.toObject();
      const asksQuietly = permissions === undefined || permissions.includes("--allow-env");
      const result = await new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "-q", "--no-check", "--no-prompt", ...permissions ?? ["--allow-all"]],
          ...["--config", checkoutPath("deno.json"), `${folder}/program.ts`],
        ],
        clearEnv: true,
        env: { ...env, ...(asksQuietly ? {} : { XDG_RUNTIME_DIR: "/tmp" }), NO_COLOR: "1" },
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      const wanted = status === 0 ? out ?? DONE : text(result.stdout);
      assertEquals([text(result.stderr), text(result.stdout)], ["", wanted]);
      assertEquals(result.code, status);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

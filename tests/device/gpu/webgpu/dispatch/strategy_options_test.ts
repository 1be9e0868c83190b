/** That a batch is computed once, the first one of its expression too, in the way that the rules say. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { type HostColumn, releaseColumn } from "../../../../../gpu/column/column.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import {
  CARD_RULES,
  GL_RULES,
  SOFTWARE_RULES,
} from "../../../../../gpu/kernel/emit/wgsl/strategy_rules.ts";
import type {
  LaneOptions,
  StrategyOptions,
} from "../../../../../gpu/webgpu/dispatch/strategy_options.ts";
import { evaluateOnDevice } from "../../../../../gpu/webgpu/evaluate/evaluate.ts";
import { filterOnDevice } from "../../../../../gpu/webgpu/gather/filter.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { deviceTest, isSoftware, isThroughGl } from "../../../../support/device/adapter.ts";
import { agreed } from "../../../../support/kernels/agreed.ts";
import { columnDigest } from "../../../../support/values/column_digest.ts";
import { deviceCalls } from "../../../../support/device/device_calls.ts";
import { uploaded, withDevice } from "../../../../support/device/device_kernels.ts";
import { takeForHardware } from "../../../../support/device/hardware.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

/** How much fewer rows the rules ask for here: software takes its time. */
const FEWER = 64;

function forFewer<T extends StrategyOptions>(options: T): T {
  const rules = options.rules.map((rule) => ({ ...rule, fewestRows: rule.fewestRows / FEWER }));
  return { ...options, rules };
}

/** Registers a test of a device that is taken for a card; its rules are those of one, for fewer rows. */
function cardTest(name: string, use: (context: WebGpuContext) => Promise<void>): void {
  if (isThroughGl) {
    return Deno.test({ name: `${name} (ignored: GL)`, ignore: true, fn: () => {} });
  }
  deviceTest(name, async () => {
    const restore = takeForHardware("Taken for a card");
    try {
      await withDevice((context) => {
        const { tiles, lanes } = context;
        return use({ ...context, tiles: forFewer(tiles), lanes: forFewer(lanes), sureBytes: 0 });
      });
    } finally {
      restore();
    }
  });
}

deviceTest("a device takes the rules of a card, or those of its kind", async () => {
  await withDevice((context) => {
    const rules = isThroughGl ? GL_RULES : isSoftware ? SOFTWARE_RULES : CARD_RULES;
    const { tiles, lanes } = context;
    assertEquals([tiles.use, lanes.use], ["rules", "rules"]);
    assertEquals([...tiles.rules, ...lanes.rules], rules);
    return Promise.resolve();
  });
});

const ROWS = 2 ** 20 / FEWER;

/** Texts over and over. */
function repeated(texts: readonly string[], numRows: number): HostColumn {
  return stringColumn(Array.from({ length: numRows }, (_, row) => texts[row % texts.length]!));
}

/** The rows that a batch of an expression gives, twice; asserts that both ask the device for as much. */
async function callsOf(
  context: WebGpuContext,
  expression: string,
  name: HostColumn,
): Promise<{ dispatches: number; maps: number }> {
  const { program } = compileProgram([expression], { name: new Utf8() });
  const { columns: [expected] } = evaluateOnHost(program, [name], name.length, testKernels());
  const input = await uploaded(context, name);
  const run = async () => {
    const { columns } = await evaluateOnDevice(context, program, [input], name.length);
    return columns;
  };
  const batches: Awaited<ReturnType<typeof run>>[] = [];
  const first = await deviceCalls(async () => void batches.push(await run()));
  const second = await deviceCalls(async () => void batches.push(await run()));
  assertEquals(first, second, `the first batch of ${expression}, and the second`);
  const digest = columnDigest(expected!);
  for (const columns of batches) {
    const [result] = await downloadColumns(context, columns);
    columns.forEach(releaseColumn);
    assertEquals(columnDigest(result!), digest, expression);
  }
  input.release();
  const { dispatches, maps } = first;
  return { dispatches, maps };
}

cardTest("text of many rows is made in one pass, once", async (context) => {
  const names = ["Ada", "public", "", "Łódź"];
  const many = repeated(names, ROWS);
  assertEquals(await callsOf(context, 'name + "!"', many), { dispatches: 1, maps: 1 });
  const fewer = repeated(names, ROWS - 1);
  const two = await callsOf(context, 'name + "!"', fewer);
  assertEquals(two, { dispatches: 3, maps: 1 });
  assertEquals(await callsOf(context, 'name.replace("a", "e")', many), two);
});

cardTest("rows of 512 bytes are marked by lanes, once", async (context) => {
  const texts = ["a".repeat(512), "ab".repeat(256), "é".repeat(256)];
  const rows = repeated(texts, 2 ** 14 / FEWER);
  assertEquals(await callsOf(context, 'name.contains("ba")', rows), { dispatches: 2, maps: 0 });
  const fewer = repeated(texts, 2 ** 14 / FEWER - 1);
  assertEquals(await callsOf(context, 'name.contains("ba")', fewer), { dispatches: 1, maps: 0 });
});

cardTest("many rows are filtered in one pass, once", async (context) => {
  const name = await uploaded(context, repeated(["Ada", "public", "", "Łódź"], ROWS));
  const mask = columnOf({ kind: "bool" }, Array.from({ length: ROWS }, (_, row) => row % 3 > 0));
  const onDevice = await uploaded(context, mask);
  const run = async () => {
    const { columns } = await filterOnDevice(context, [name], onDevice, ROWS);
    columns.forEach(releaseColumn);
  };
  const first = await deviceCalls(run);
  assertEquals(await deviceCalls(run), first);
  // The mask takes three dispatches.
  assertEquals([first.dispatches, first.maps], [3 + 1, 1]);
  [name, onDevice].forEach(releaseColumn);
});

deviceTest("a software adapter has several lanes for the copies of long rows alone", async () => {
  if (!isSoftware || isThroughGl) return;
  await withDevice(async (own) => {
    const { pipelines } = own;
    const get = pipelines.get.bind(pipelines);
    const codes: string[] = [];
    pipelines.get = (spec) => {
      codes.push(spec.code);
      return get(spec);
    };
    const codesOf = async (lanes: LaneOptions, numRows: number, rowBytes: number) => {
      codes.length = 0;
      const text = repeated(["a".repeat(rowBytes)], numRows);
      await agreed({ ...own, lanes, sureBytes: 0 }, ['text + "!"'], { text });
      return [...new Set(codes)].sort();
    };
    const has = async (numRows: number, rowBytes: number) => {
      const [rules, several, one] = [
        await codesOf(own.lanes, numRows, rowBytes),
        await codesOf({ ...own.lanes, use: "always" }, numRows, rowBytes),
        await codesOf({ ...own.lanes, use: "never" }, numRows, rowBytes),
      ];
      assertNotEquals(several, one);
      const hasSeveral = rules.join() === several.join();
      assertEquals(rules, hasSeveral ? several : one);
      return hasSeveral;
    };
    assertEquals(await has(1024, 1024), true);
    assertEquals(await has(1023, 1024), false);
    assertEquals(await has(1024, 1000), false);
  });
});

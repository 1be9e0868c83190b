/** What is said of a device: shares of a copy, what is missing, and no number that nobody measured. */

import { assert, assertEquals } from "@std/assert";
import { drawGpuChart } from "../../../bench/charts/gpu_chart.ts";
import {
  ALL_KERNELS,
  copySpeed,
  gpuMarkdown,
  type GpuResults,
  type KernelTime,
} from "../../../bench/gpu/gpu_results.ts";

const copy = { way: "vec4 kernel", ms: 1 } as const;

function results(kernels: readonly KernelTime[]): GpuResults {
  return {
    date: "2026-01-02T03:04:05.000Z",
    machine: { cpu: "A processor", cores: 2, memory: 8, system: "linux" },
    versions: { sluice: "0.1.0", commit: "0123abc", deno: "2.9.6", v8: "15" },
    adapter: {
      name: "A card",
      vendor: "",
      architecture: "",
      software: false,
      limits: {
        maxBufferSize: 1,
        maxStorageBufferBindingSize: 1,
        maxStorageBuffersPerShaderStage: 1,
        maxComputeInvocationsPerWorkgroup: 1,
        maxComputeWorkgroupStorageSize: 1,
      },
    },
    driver: "Driver 550",
    hasTimestamps: true,
    budgetBytes: 2 ** 30,
    notes: ["upper, 10 rows instead of 20: no more were asked for"],
    copies: [
      { ...copy, bytes: 1e6, gbPerSecond: 5000 },
      { ...copy, bytes: 1e9, gbPerSecond: 1000 },
      { ...copy, way: "copyBufferToBuffer", bytes: 1e9, gbPerSecond: 2000 },
    ],
    kernels: [...kernels],
    tables: { waits: [["Waits in flight", "ms"], ["---:", "---:"], ["64", "12.5"]] },
  };
}

const timed: KernelTime = {
  work: "upper, 10 rows",
  numRows: 10,
  kernel: "name.upper() sizes of a kernel with a long name",
  dispatches: 1,
  ms: 3,
  bytes: 3e9,
  gbPerSecond: 1000,
  shareOfCopy: 0.5,
  wallMs: null,
};

Deno.test("a copy that fits a cache is not what kernels are held against", () => {
  assertEquals(copySpeed(results([]).copies), 2000);
  assertEquals(copySpeed([]), null);
});

Deno.test("the chart of a device has a bar for each kernel whose bytes are known", async () => {
  const unknown = { ...timed, kernel: "join place", bytes: null, shareOfCopy: null };
  const whole = { ...timed, kernel: ALL_KERNELS, shareOfCopy: 0.25, wallMs: 14 };
  const files = await drawGpuChart(results([timed, unknown, whole]));
  assertEquals(Object.keys(files), ["gpu-light.svg", "gpu-dark.svg"]);
  const chart = files["gpu-dark.svg"]!;
  const shownTexts = ["A card", "Driver 550", "2000 GB/s", "upper, 10 rows", "0.50  3 ms"];
  for (const shown of [...shownTexts, ALL_KERNELS]) {
    assert(chart.includes(shown), `${shown} is missing`);
  }
  assert(!chart.includes("join place"));
  assertEquals(await drawGpuChart(results([unknown])), {});
});

Deno.test("the page about a device has its card, its driver, gaps and what was cut", () => {
  const page = gpuMarkdown(results([{ ...timed, bytes: null, gbPerSecond: null }]));
  for (const shown of ["A card; Driver 550", "instead of 20", "Waits in flight", "2,000"]) {
    assert(page.includes(shown), `${shown} is not in ${page}`);
  }
  const row = page.split("\n").find((line) => line.includes("upper, 10 rows "))!;
  const cells = row.split("|").map((cell) => cell.trim()).slice(1, -1);
  assertEquals(cells.slice(2, 5), ["1", "3", ""]);
});

/**
 * What invocations of kernels read of each other, by the code of the kernels: no barrier is missing, and no
 * change of a shared word is taken apart. Software adapters run invocations in turn, or in step, and see
 * such faults seldom or never.
 */

import { assert, assertEquals } from "@std/assert";
import { Int8, Utf8 } from "apache-arrow";
import { expr } from "../../../../../../mod.ts";
import { accessFaults } from "../../../../../support/device/wgsl/check_accesses.ts";
import { parseWgsl } from "../../../../../support/device/wgsl/parse_wgsl.ts";
import { addWgslFiles } from "../../../../../support/device/wgsl_files.ts";
import { addExpr, type WgslModules } from "../../../../../support/device/wgsl_of_operations.ts";

/** Expressions whose kernels have each barrier that kernels have. */
const EXPRESSIONS = [
  'text + " " + other',
  'text.contains("ab")',
  "text.find(other)",
  "text.rfind(other)",
  "text.length()",
  'text.containsRe("[0-9]+x")',
  "text == other",
  'text.replace("a", other)',
  'text.split(",")',
  "fillNull(i8, 3) + i8",
  "text.repeat(3)",
];

const TYPES = { text: new Utf8(), other: new Utf8(), i8: new Int8() };

const BARRIER = "workgroupBarrier();";

function modulesOfTest(): WgslModules {
  const modules: WgslModules = new Map();
  addWgslFiles(modules);
  for (const text of EXPRESSIONS) addExpr(modules, expr(text), TYPES);
  return modules;
}

const modules = modulesOfTest();

const faultsOf = (code: string) => accessFaults(parseWgsl(code));

Deno.test("no kernel misses a barrier, or takes a change of a shared word apart", () => {
  for (const [code, label] of modules) assertEquals(faultsOf(code), [], label);
});

/** The lines around a barrier, whatever they call their variables. */
function around(code: string, at: number): string {
  const before = code.slice(0, at).split("\n").slice(-3, -1);
  const after = code.slice(at).split("\n").slice(1, 3);
  return [...before, ...after].map((line) => line.trim().replaceAll(/v_\w+|\d+/g, "0")).join(" ");
}

Deno.test("each barrier that is left out is missed", () => {
  const kinds = new Map<string, boolean>();
  for (const [code] of modules) {
    for (let at = code.indexOf(BARRIER); at >= 0; at = code.indexOf(BARRIER, at + 1)) {
      const kind = around(code, at);
      // Some kernels do without: they call no function that needs it, or have another one right before.
      if (kinds.get(kind) === true) continue;
      const without = code.slice(0, at) + code.slice(at + BARRIER.length);
      kinds.set(kind, faultsOf(without).length > 0);
    }
  }
  assert(kinds.size > 25, `${kinds.size} kinds of barriers`);
  assertEquals([...kinds].filter(([, isSeen]) => !isSeen), []);
});

/** Faults that a device may not show: the code that is replaced, in some module, and what replaces it. */
const PLANTED: Readonly<Record<string, readonly [code: string, fault: string]>> = {
  "runs of a gather counted by a load and a store": [
    "long_runs[atomicAdd(&long_count, 1u)] =",
    "let slot = atomicLoad(&long_count); atomicStore(&long_count, slot + 1u); long_runs[slot] =",
  ],
  "long rows listed by a load and a store": [
    "let slot = atomicAdd(&long_rows[0], 1u);",
    "let slot = atomicLoad(&long_rows[0]); atomicStore(&long_rows[0], slot + 1u);",
  ],
  "bits of long rows stored": [
    "atomicOr(&output[params[1].x + (index >> 5u)],",
    "atomicStore(&output[params[1].x + (index >> 5u)],",
  ],
  "nearest hit of a long row kept by a load and a store": [
    "atomicMin(&nearest_hit, ",
    "if (atomicLoad(&nearest_hit) > 5u) { } atomicStore(&nearest_hit, ",
  ],
  "slots claimed by plain stores": [
    "if (atomicCompareExchangeWeak(&slots[at], 0u, row + 1u).exchanged) {",
    "atomicStore(&slots[at], row + 1u); if (true) {",
  ],
  "first row of a key kept by a plain store": [
    "atomicMin(&slots[slot << params[2].w], row + 1u);",
    "atomicStore(&slots[slot << params[2].w], row + 1u);",
  ],
  "digits counted by a load and a store": [
    "atomicAdd(&digit_counts[digit], 1u);",
    "atomicStore(&digit_counts[digit], atomicLoad(&digit_counts[digit]) + 1u);",
  ],
  "what lanes mark joined by a load and a store": [
    "atomicOr(&found0[slot], ",
    "atomicStore(&found0[slot], ",
  ],
};

Deno.test("faults of atomics that were planted are seen", () => {
  for (const [name, [code, fault]] of Object.entries(PLANTED)) {
    const hosts = [...modules.keys()].filter((module) => module.includes(code));
    assert(hosts.length > 0, `no kernel has ${code}`);
    for (const host of hosts) assert(faultsOf(host.replace(code, fault)).length > 0, name);
  }
});

const HEAD = `
@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> plain: array<u32>;
var<workgroup> values: array<u32, 256>;
var<workgroup> total: u32;
var<workgroup> count: atomic<u32>;
@compute @workgroup_size(256)
`;

/** Code of an entry point, and whether it is right. */
const CASES: readonly (readonly [code: string, isRight: boolean])[] = [
  ["values[lane] = 1u; let x = values[lane];", true],
  ["values[lane] = 1u; let x = values[lane + 1u];", false],
  ["values[lane] = 1u; workgroupBarrier(); let x = values[lane + 1u];", true],
  ["let x = values[lane + 1u]; values[lane] = 1u;", false],
  ["values[lane / 8u] = 1u; let x = values[lane / 8u];", false],
  ["values[lane + lane / 16u] = 1u; let x = values[lane + lane / 16u];", true],
  ["if (lane == 0u) { total = 1u; } let x = total;", false],
  ["if (lane == 0u) { total = 1u; } if (lane == 0u) { let x = total; }", true],
  ["if (lane == 0u) { total = 1u; } if (lane == 1u) { let x = total; }", false],
  ["if (lane == 0u) { total = 1u; } let x = workgroupUniformLoad(&total);", true],
  ["if (lane != 0u) { return; } total = 1u; let x = total;", true],
  ["total = lane;", false],
  ["values[lane / 8u] = 1u;", false],
  // A barrier on one of two paths, or in a loop that may not run.
  ["values[lane] = 1u; if (plain[0] == 1u) { workgroupBarrier(); } let x = values[0];", false],
  [
    "values[lane] = 1u; for (var k = 0u; k < plain[0]; k++) { workgroupBarrier(); } let x = values[0];",
    false,
  ],
  ["values[lane] = 1u; loop { workgroupBarrier(); break; } let x = values[0];", true],
  // One round of a loop, and the next.
  [
    "for (var k = 0u; k < 9u; k++) { let x = values[0]; workgroupBarrier(); values[lane] = k; }",
    false,
  ],
  [
    "for (var k = 0u; k < 9u; k++) { let x = values[0]; workgroupBarrier(); values[lane] = k; workgroupBarrier(); }",
    true,
  ],
  [
    "for (var k = 0u; k < 9u; k++) { values[lane] = k; if (k == 3u) { continue; } workgroupBarrier(); let x = values[0]; workgroupBarrier(); }",
    true,
  ],
  [
    "for (var k = 0u; k < 9u; k++) { if (k == 3u) { values[lane] = k; continue; } let x = values[0]; }",
    false,
  ],
  [
    "for (var k = 0u; k < 9u; k++) { values[lane] = k; if (k == 3u) { break; } workgroupBarrier(); } let x = values[0];",
    false,
  ],
  [
    "switch plain[0] { case 0u: { values[lane] = 1u; } default: { workgroupBarrier(); } } let x = values[0];",
    false,
  ],
  // Atomics: a change takes part in any order, what takes the result does not.
  ["atomicAdd(&count, 1u); let slot = atomicAdd(&count, 1u); values[slot] = lane;", true],
  ["let slot = atomicAdd(&count, 1u); values[slot] = lane; let x = values[lane];", false],
  ["atomicAdd(&count, 1u); let x = atomicLoad(&count);", false],
  ["atomicAdd(&count, 1u); workgroupBarrier(); let x = atomicLoad(&count);", true],
  ["let x = atomicLoad(&count); atomicStore(&count, x + 1u);", false],
  ["atomicStore(&count, 1u); atomicStore(&count, 1u);", true],
  ["atomicStore(&count, 1u); atomicStore(&count, 2u);", false],
  ["let x = atomicLoad(&words[lane]); if (x < 5u) { atomicStore(&words[lane], 5u); }", true],
  ["let x = atomicLoad(&words[lane]); atomicStore(&words[lane], x + 1u);", false],
  ["atomicMax(&words[lane], 5u); atomicStore(&words[lane + 9u], lane);", true],
  ["atomicStore(&words[lane >> 5u], 1u << (lane & 31u));", false],
  ["plain[lane / 32u] = 1u;", false],
  ["atomicOr(&words[lane >> 5u], 1u << (lane & 31u));", true],
];

Deno.test("places of one invocation, and paths with a barrier, are told from others", () => {
  for (const [code, isRight] of CASES) {
    const module = `${HEAD}fn main(@builtin(local_invocation_index) lane: u32) { ${code} }`;
    assertEquals(faultsOf(module).length === 0, isRight, code);
  }
});

Deno.test("functions are walked where they are called, with what they are given", () => {
  const functions = `
fn put(at: u32) { let place = at; values[place] = 1u; }
fn take(at: u32) -> u32 { return values[at]; }
fn wait() { workgroupBarrier(); }
fn claim() -> bool { let slot = atomicAdd(&count, 1u); if (slot > 9u) { return false; } values[slot] = 1u; return true; }
`;
  const cases: readonly (readonly [code: string, isRight: boolean])[] = [
    ["put(lane); wait(); let x = take(0u);", true],
    ["put(lane); let x = take(0u);", false],
    ["put(lane); let x = take(lane);", true],
    ["if (take(lane) > 0u && claim()) { return; } let x = atomicLoad(&count);", false],
    ["if (lane < 9u && claim()) { let y = 1u; } wait(); let x = atomicLoad(&count);", true],
  ];
  for (const [code, isRight] of cases) {
    const entry = `fn main(@builtin(local_invocation_index) lane: u32) { ${code} }`;
    const module = functions + HEAD + entry;
    assertEquals(faultsOf(module).length === 0, isRight, code);
  }
});

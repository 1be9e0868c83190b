import { assertEquals } from "@std/assert";
import { emitAsciiMap } from "../../../../gpu/kernel/emit/wasm/ascii_map.ts";
import { emitCharacterMap } from "../../../../gpu/kernel/emit/wasm/character_map.ts";
import { wasmHelpers } from "../../../../gpu/kernel/emit/wasm/helpers.ts";
import {
  wasmEncodings,
  type WasmInstruction,
  type WasmOperand,
  type WasmOperands,
} from "../../../../gpu/wasm/instructions.ts";
import { encodeModule, onlyMemory, type WasmFunction } from "../../../../gpu/wasm/module.ts";
import { printModule } from "../../../../gpu/wasm/wat.ts";
import { assembleWithWabt } from "../../../support/judges/peers.ts";

const sum: WasmFunction = {
  name: "sum",
  parameters: ["from", "size"],
  results: ["i32"],
  locals: [["total", "i32"], ["bytes", "v128"]],
  isExported: true,
  body: [
    ["loop", "next"],
    ["local.get", "from"],
    ["v128.load", 16],
    ["local.set", "bytes"],
    ["local.get", "size"],
    ["if", "more", "i32"],
    ["i32.const", -1],
    ["else"],
    ["i32.const", 0],
    ["end"],
    ["br_if", "next"],
    ["end"],
    ["local.get", "total"],
  ],
};

Deno.test("a module is printed in the text format", () => {
  const expected = `(module
  (import "host" "memory" (memory 1))
  (func $sum (export "sum") (param $from i32) (param $size i32) (result i32)
    (local $total i32)
    (local $bytes v128)
    loop $next
      local.get $from
      v128.load offset=16 align=1
      local.set $bytes
      local.get $size
      if $more (result i32)
        i32.const -1
      else
        i32.const 0
      end
      br_if $next
    end
    local.get $total
  )
)
`;
  assertEquals(printModule([sum], onlyMemory(false)), expected);
});

/** What an instruction may take, one list a case. */
const IMMEDIATES: Readonly<Record<WasmOperands, WasmOperand[][]>> = {
  none: [[]],
  block: [["$inner"], ["$inner", "i32"], ["$inner", "f64"], ["$inner", "v128"]],
  label: [["$outer"], ["$outest"]],
  local: [["$at"], ["$bytes"]],
  function: [["every"], ["copy"]],
  int: [[0], [-1], [127], [-129], [0x7fffffff], [-0x80000000]],
  long: [0n, -1n, 63n, 64n, -64n, -65n, 2n ** 31n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)]
    .map((value) => [value]),
  float: [0, -0, 1, -1.5, 0.1, 5e-324, 2.225e-308, 1e21, -1.7976931348623157e308, 2 ** 53]
    .concat(Infinity, -Infinity, NaN).map((value) => [value]),
  memory: [[0], [1], [300], [0, 1], [300, 1]],
  lane: [[0], [3]],
  bytes: [Array.from({ length: 16 }, (_, i) => 17 * i)],
  copy: [[]],
  fill: [[]],
};

/** A function with an instruction in two blocks. What it does is nothing that would validate. */
function inBlocks(instruction: WasmInstruction): WasmInstruction[] {
  const [op] = instruction;
  if (op === "end") return [];
  if (op === "else") return [["if", "$only"], ["else"], ["br", "$only"], ["end"]];
  const isBlock = wasmEncodings.get(op)?.operands === "block";
  return [
    ["block", "$outest"],
    ["block", "$outer"],
    instruction,
    ...(isBlock ? [["end"] as const] : []),
    ["end"],
    ["end"],
  ];
}

Deno.test("every instruction that can be emitted is printed as what WABT assembles to it", async () => {
  const instructions = [...wasmEncodings].flatMap(([op, { operands }]) =>
    IMMEDIATES[operands].map((immediates): WasmInstruction => [op, ...immediates])
  );
  const every: WasmFunction = {
    name: "every",
    parameters: ["$at"],
    results: [],
    locals: [["$bytes", "v128"], ["$long", "i64"], ["$float", "f64"]],
    isExported: true,
    body: instructions.flatMap(inBlocks),
  };
  await assertAssembled([every, ...wasmHelpers(new Set(["copy"]))]);
});

Deno.test("helpers and maps of characters are printed as what WABT assembles to them", async () => {
  await assertAssembled([
    sum,
    ...wasmHelpers(new Set(["copy", "repeat", "andBits", "countUnset", "divide", "remainderU"])),
    ...wasmHelpers(new Set(["divideLong", "remainderULong", "productOverflows"])),
    ...wasmHelpers(new Set(["productOverflowsU"])),
  ]);
  const upper = Uint8Array.from({ length: 128 }, (_, i) => i >= 97 && i < 123 ? i - 32 : i);
  await assertAssembled(emitCharacterMap(upper)!.functions);
  // One character is in the pages.
  await assertAssembled(emitCharacterMap(upper.with(32, 0x80))!.functions);
  await assertAssembled(emitAsciiMap(upper)!.functions);
  await assertAssembled(emitAsciiMap(upper.with(32, 0x80).with(33, 0x80))!.functions);
});

async function assertAssembled(functions: readonly WasmFunction[]): Promise<void> {
  const others = [{ name: "other", isShared: true }];
  for (const memories of [onlyMemory(false), [...onlyMemory(true), ...others]]) {
    const assembled = await assembleWithWabt(printModule(functions, memories));
    assertEquals(assembled, encodeModule(functions, memories));
  }
}

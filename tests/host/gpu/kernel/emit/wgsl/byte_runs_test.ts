/** Which tests of known bytes are asked a word at a time. */

import { assertEquals } from "@std/assert";
import { printScalar } from "../../../../../../gpu/kernel/emit/wgsl/print/scalar.ts";
import type { Scalar, Space } from "../../../../../../gpu/kernel/ir/ir.ts";
import { and, binary, int } from "../../../../../../gpu/kernel/ir/scalar.ts";

const local = (name: string): Scalar => ({ op: "local", type: "i32", name });
const column = (number: number): Space => ({ space: "column", column: number });

/** Whether a byte stands at `base + offset` of a space. */
function has(byte: number, offset: number, base = "a", space: Space = column(0)): Scalar {
  const at = binary("+", local(base), int(offset));
  return binary("==", { op: "byte", type: "i32", space, at }, int(byte));
}

const other = binary("<", local("a"), local("b"));
const LITERALS: Space = { space: "literals" };

/** Terms, and the test of all of them as it is printed. */
const CASES: readonly [title: string, terms: readonly Scalar[], printed: string][] = [
  [
    "two bytes are asked one by one",
    [has(1, 0), has(2, 1)],
    "(byte0(v_a) == 1) && (byte0(v_a + 1) == 2)",
  ],
  [
    "three are a word, some bits of which do not count",
    [has(1, 0), has(2, 1), has(3, 2)],
    "(((four_bytes0(bitcast<u32>(v_a)) ^ 0x30201u) & 0xffffffu) == 0u)",
  ],
  [
    "five are two words that overlap, and keep their place among other terms",
    [other, has(1, -1), has(2, 0), has(3, 1), has(4, 2), has(255, 3), other],
    "(v_a < v_b) && (((four_bytes0(bitcast<u32>(v_a - 1)) ^ 0x4030201u) | " +
    "(four_bytes0(bitcast<u32>(v_a)) ^ 0xff040302u)) == 0u) && (v_a < v_b)",
  ],
  [
    "a gap ends a run",
    [has(1, 0), has(2, 1), has(3, 3)],
    "((byte0(v_a) == 1) && (byte0(v_a + 1) == 2)) && (byte0(v_a + 3) == 3)",
  ],
  [
    "so does another place",
    [has(1, 0), has(2, 1), has(3, 2, "b")],
    "((byte0(v_a) == 1) && (byte0(v_a + 1) == 2)) && (byte0(v_b + 2) == 3)",
  ],
  [
    "so does another column",
    [has(1, 0), has(2, 1), has(3, 2, "a", column(1))],
    "((byte0(v_a) == 1) && (byte0(v_a + 1) == 2)) && (byte1(v_a + 2) == 3)",
  ],
  [
    "a number that is no byte is asked for as it stands",
    [has(1, 0), has(2, 1), has(256, 2)],
    "((byte0(v_a) == 1) && (byte0(v_a + 1) == 2)) && (byte0(v_a + 2) == 256)",
  ],
  [
    "literals are read byte by byte",
    [has(1, 0, "a", LITERALS), has(2, 1, "a", LITERALS), has(3, 2, "a", LITERALS)],
    "((byte_literals(v_a) == 1) && (byte_literals(v_a + 1) == 2)) && (byte_literals(v_a + 2) == 3)",
  ],
];

for (const [title, terms, printed] of CASES) {
  Deno.test(`known bytes by words: ${title}`, () => {
    assertEquals(printScalar(and(...terms)), printed);
    // However the terms are nested.
    const nested = terms.reduceRight((right, left) => and(left, right));
    if (printed.includes("four_bytes")) assertEquals(printScalar(nested), printed);
  });
}

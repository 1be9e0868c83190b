/** What loops are found to do as a whole. Whether what is made of it is right, other tests say. */

import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import type { LoopIdiom, Scalar, Stmt } from "../../../gpu/kernel/ir/ir.ts";
import { visit } from "../../../gpu/kernel/ir/visit.ts";
import { withIdioms } from "../../../gpu/kernel/lower/loop_idioms.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import {
  binary,
  byte,
  increment,
  int,
  jump,
  local,
  loop,
  put,
  start,
  stop,
  textOf,
  when,
} from "../../support/ir_builders.ts";
import { compileProgram } from "../../support/programs.ts";

/** The idioms of all loops of an expression over columns of text. */
function idiomsOf(text: string, ascii = true): LoopIdiom["does"][] {
  const { program } = compileProgram([text], { a: new Utf8(), b: new Utf8() });
  const types = [...program.inputs, ...program.kernels.map(({ type }) => type)];
  return program.kernels.flatMap((kernel) => {
    const ir = lowerKernel(kernel, types, { ascii, nullable: types.map(() => false) });
    const found: LoopIdiom["does"][] = [];
    if (ir.kernel === "byteMap") return found;
    visit(ir.body, {
      stmt: (stmt) => {
        if (stmt.do === "loop" && stmt.idiom !== undefined) found.push(stmt.idiom.does);
      },
    });
    return found;
  });
}

Deno.test("loops of the string operations carry what they do", () => {
  assertEquals(idiomsOf('a.contains("needle")'), ["seek"]);
  assertEquals(idiomsOf("a.contains(b)").slice(0, 2), ["seek", "match"]);
  assertEquals(idiomsOf("a.length()", false), ["count"]);
  assertEquals(idiomsOf("a == b"), ["match"]);
  assertEquals(idiomsOf("a.matches(/(?:[ab]c+)*d/)"), ["follow"]);
  assertEquals(idiomsOf("a.strip().lower()"), ["skip", "skip", "map"]);
});

Deno.test("a loop has an idiom only where it does nothing else", () => {
  const at = local("at");
  const byteAt = (place: Scalar) => byte(textOf(0), place);
  const isBefore = binary(at, "<", stop(0));
  const found = (stmt: Stmt) => {
    const [same] = withIdioms([stmt]);
    return same?.do === "loop" ? same.idiom?.does : undefined;
  };
  const mapped = (value: Scalar) => loop("map", isBefore, [put(value)], [increment("at")]);
  assertEquals(found(mapped(binary(byteAt(at), "|", int(0x20)))), "map");
  // Of another place, of two bytes, of something else besides.
  assertEquals(found(mapped(byteAt(binary(at, "+", int(1))))), undefined);
  assertEquals(found(mapped(binary(byteAt(at), "+", byteAt(start(0))))), undefined);
  assertEquals(found(mapped(binary(byteAt(at), "+", local("other")))), undefined);
  const skipped = (stops: Scalar) =>
    loop("skip", isBefore, [when(stops, [jump("break", "skip")]), increment("at")]);
  const place = binary(start(0), "+", at);
  assertEquals(found(skipped(binary(byteAt(place), "!=", int(0x20)))), "skip");
  assertEquals(found(skipped(binary(byteAt(place), "!=", local("other")))), undefined);
  assertEquals(found(skipped(binary(byteAt(start(0)), "!=", int(0x20)))), undefined);
});

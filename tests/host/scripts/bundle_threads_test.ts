import { assertEquals } from "@std/assert";
import { joinProgram } from "../../../gpu/host/join/join_program.ts";
import { kernelProgram } from "../../../gpu/host/threads/kernel_program.ts";
import { checkoutPath } from "../../support/processes/sluice.ts";

Deno.test("the bundled programs of threads are those of their modules", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", "scripts/bundle_threads.ts"],
    cwd: checkoutPath("."),
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
});

Deno.test("a bundled program imports nothing, which would need a permission, and stays small", () => {
  for (const [program, mostBytes] of [[kernelProgram, 10_000], [joinProgram, 12_000]] as const) {
    assertEquals(program.match(/\bimport\b[^;]{0,40}/g), null);
    assertEquals(program.length < mostBytes, true, `${program.length} bytes`);
  }
});

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import manifest from "../../../deno.json" with { type: "json" };
import { verbs } from "../../../cli/verbs.ts";
import { sluice } from "../../support/sluice.ts";

Deno.test("help lists every verb, and tells about each", async () => {
  const { status, out, err } = await sluice(["help"]);
  assertEquals([status, err], [0, ""]);
  for (const { name, summary } of verbs) {
    assertMatch(out, new RegExp(`^  ${name} +${summary.replace(/[()]/g, "\\$&")}$`, "m"));
  }
  const all = await sluice(["help", ...verbs.map(({ name }) => name), "doctor", "ops", "help"]);
  assertEquals([all.status, all.err], [0, ""]);
  for (const { name, usage } of verbs) assertStringIncludes(all.out, `${name} ${usage}`.trim());
});

Deno.test("--help, -h and no words at all print the help", async () => {
  const { out } = await sluice(["help"]);
  for (const args of [["--help"], ["-h"], []]) assertEquals((await sluice(args)).out, out);
});

Deno.test("lines of help fit a terminal of 100 columns", async () => {
  const { out } = await sluice(["help", ...verbs.map(({ name }) => name)]);
  for (const line of out.split("\n")) assertEquals(line.length <= 100, true, line);
});

Deno.test("--version prints the version of the package", async () => {
  assertEquals((await sluice(["--version"])).out, `sluice ${manifest.version}\n`);
});

Deno.test("help on a verb that does not exist names the nearest", async () => {
  const { status, err } = await sluice(["help", "jion"]);
  assertEquals([status, err], [2, 'sluice: error: Unknown verb "jion"; did you mean join?\n']);
});

Deno.test("ops lists the operations, and tells about each with examples", async () => {
  const { status, out } = await sluice(["ops"]);
  assertEquals(status, 0);
  assertMatch(out, /^splitPart\(.*\) -> string/m);
  assertMatch(out, /^upper\(\) -> string/m);
  const one = await sluice(["ops", "splitPart"]);
  assertMatch(one.out, /"\.splitPart\(.*\) is "/);
  const none = await sluice(["ops", "upperr"]);
  assertEquals(none.status, 2);
  assertStringIncludes(none.err, "upper");
});

Deno.test("doctor tells what computes, and why", async () => {
  const { status, out } = await sluice(["--device", "cpu", "doctor"]);
  assertEquals(status, 0);
  assertMatch(out, /host/);
});

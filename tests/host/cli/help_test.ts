import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import manifest from "../../../deno.json" with { type: "json" };
import { displayWidth } from "../../../cli/display_width.ts";
import { verbs } from "../../../cli/verbs.ts";
import { describeOperations } from "../../../mod.ts";
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

Deno.test("--help behind a verb prints the help on it, whatever stands around", async () => {
  const { out } = await sluice(["help", "head"]);
  for (const args of [["head", "--help"], ["read", "no.csv", "then", "head", "--help", "x"]]) {
    const helped = await sluice(args);
    assertEquals([helped.status, helped.out, helped.err], [0, out, ""]);
  }
  const unknown = await sluice(["haed", "--help"]);
  assertEquals(unknown.err, 'sluice: error: Unknown verb "haed"; did you mean head?\n');
});

Deno.test("lines of help and of ops fit a terminal of 100 columns", async () => {
  const helps = await sluice(["help", ...verbs.map(({ name }) => name)]);
  const operations = describeOperations().map(({ name }) => name);
  const lists = [await sluice(["ops"]), await sluice(["ops", ...operations])];
  for (const { out } of [helps, ...lists]) {
    for (const line of out.split("\n")) assertEquals(displayWidth(line) <= 100, true, line);
  }
});

Deno.test("--version prints the version of the package", async () => {
  assertEquals((await sluice(["--version"])).out, `sluice ${manifest.version}\n`);
});

Deno.test("help on a verb that does not exist names the nearest", async () => {
  const { status, err } = await sluice(["help", "jion"]);
  assertEquals([status, err], [2, 'sluice: error: Unknown verb "jion"; did you mean join?\n']);
});

Deno.test("ops lists every operation in its group, with signature, kind and an example", async () => {
  const { status, out } = await sluice(["ops"]);
  assertEquals(status, 0);
  assertMatch(out, /^split$/m);
  assertMatch(out, /^ {2}splitPart\(delimiter: string, index: integer\) -> string +view$/m);
  assertMatch(out, /^ {6}"2001-03-14"\.splitPart\("-", 1\) is "03"$/m);
  for (const { signature } of describeOperations()) {
    assertStringIncludes(out, `\n  ${signature.slice(0, 60)}`);
  }
});

Deno.test("ops of a name or a sign tells all of it", async () => {
  const { status, out } = await sluice(["ops", "splitPart", "!="]);
  assertEquals(status, 0);
  assertMatch(out, /^ {2}"2001-03-14"\.splitPart\("-", 3\) is null$/m);
  assertMatch(out, /^ {2}Differs from\n {4}DuckDB: /m);
  assertMatch(out, /^ {2}state == "CA" is null where state is null$/m);
  const none = await sluice(["ops", "upperr"]);
  assertEquals([none.status, none.out], [2, ""]);
  assertStringIncludes(none.err, "did you mean upper?");
});

Deno.test("doctor tells what computes, and why", async () => {
  const { status, out } = await sluice(["--device", "cpu", "--threshold", "1KiB", "doctor"]);
  assertEquals(status, 0);
  assertMatch(out, /host/);
  assertMatch(out, /\noffsets of text +64-bit where a column has 1,024 bytes of text or more in a/);
});

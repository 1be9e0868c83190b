/** Files on servers on the command line. */

import { assertEquals, assertMatch } from "@std/assert";
import { formatBytes } from "../../../base/quantities.ts";
import {
  assertFails,
  type BadCommand,
  exactly,
  namesIn,
} from "../../support/processes/bad_commands.ts";
import { longFile } from "../../support/files/long_arrow.ts";
import { RangeServer } from "../../support/files/range_server.ts";
import { inFolder, sluice } from "../../support/processes/sluice.ts";
import { someOf } from "../../support/random/test_size.ts";

Deno.test("files on servers are read by their URLs, and no more of them than is needed", async () => {
  const bytes = await longFile();
  await using server = new RangeServer({
    "long.arrow": bytes,
    "more.csv": new TextEncoder().encode("id,text\n7,seven\n"),
  });
  const url = server.url("long.arrow").replace("http://", "http://someone:password@");
  const { status, out, err } = await sluice(
    ["--stats", "read", `${url}?sig=secret`, "then", "tail", "2", "then", "write", "-"]
      .concat(["--format", "csv"]),
  );
  assertEquals([status, out], [0, "id,text\n99998,row 99998\n99999,row 99999\n"], err);
  const size = formatBytes(bytes.length);
  const counts = `${server.log.length} requests?`;
  assertMatch(err, new RegExp(`^bytes {8}[\\d.]+ \\w+ of ${size} read in ${counts}, `, "m"));
  assertEquals(/secret|password/.test(err), false, err);
  assertEquals(server.log.length < 4, true, counts);

  const joined = await sluice(
    ["read", server.url("long.arrow"), "then", "at", "7", "then", "with", "key=toString(id)"]
      .concat(["then", "join", server.url("more.csv"), "--on", "toString(id)=toString(id)"])
      .concat(["then", "show"]),
  );
  assertMatch(joined.out, /row 7 .*seven/, joined.err);
});

Deno.test("what is wrong with a URL is told with its step, and without its secrets", async () => {
  await using server = new RangeServer({ "log.csv": new TextEncoder().encode("n\n1\n") });
  const none = server.url("none.parquet");
  const cases: BadCommand[] = [
    {
      args: `read ${none}?sig=secret then at 3 then write out.arrow`,
      status: 1,
      line: exactly(`step 1, read: ${none}: the server says 404 Not Found`),
    },
    {
      args: `read people.csv then join ${none}?sig=secret --on id then write out.arrow`,
      status: 1,
      line: exactly(`step 2, join: ${none}: the server says 404 Not Found`),
    },
    {
      args: `read people.csv then write https://h/out.arrow?sig=secret`,
      status: 2,
      line: exactly(
        "step 2, write: https://h/out.arrow: is a URL, but only files here can be written",
      ),
    },
    {
      args: `read ${server.url("log.csv")} then slice ::-1 then write out.arrow`,
      status: 2,
      line: /^step 2, slice: slice ::-1 would hold every row of http:.*log\.csv in memory, /,
    },
    {
      args: "read https://h/file then count",
      status: 2,
      line: /^step 1, read: https:\/\/h\/file: has an unknown format: /,
    },
  ];
  for (const command of someOf(cases, 5)) await assertFails(command);
});

Deno.test("files of this machine are read by their URLs too, and an error names their step", () =>
  inFolder({ "a b.csv": "id,n\n1,5\n2,6\n", "more.csv": "id,text\n2,two\n" }, async (folder) => {
    const [first, second] = ["a%20b.csv", "more.csv"].map((name) => `file://${folder}/${name}`);
    const words = ["read", first!, "then", "join", second!, "--on", "id", "then", "write", "-"];
    const { status, out, err } = await sluice([...words, "--format", "csv"]);
    assertEquals([status, out, err], [0, "id,n,text\n2,6,two\n", ""]);
    const missing = await sluice(["read", `file://${folder}/none.csv`, "then", "count"]);
    assertEquals([missing.status, missing.err], [
      1,
      `sluice: error: step 1, read: ${folder}/none.csv: no such file\n`,
    ]);
  }));

Deno.test("files of this machine are written by their URLs, and read back; others are refused", () =>
  inFolder({ "a.csv": "id,n\n1,5\n2,6\n" }, async (folder) => {
    const url = (name: string) => `file://${folder}/${name}`;
    const words = ["read", url("a.csv"), "then", "write", url("b%20c.ndjson"), "then", "head", "1"];
    const written = await sluice([...words, "then", "write", "-", "--format", "csv"]);
    assertEquals([written.status, written.out, written.err], [0, "id,n\n1,5\n", ""]);
    assertEquals(namesIn(folder), ["a.csv", "b c.ndjson"]);
    const all = '{"id":1,"n":5}\n{"id":2,"n":6}\n';
    assertEquals(await Deno.readTextFile(`${folder}/b c.ndjson`), all);
    const stdout = await sluice(["read", url("a.csv"), "then", "head", "1", "then", "write"]
      .concat(["file:///dev/stdout", "--format", "csv"]));
    assertEquals([stdout.status, stdout.out, stdout.err], [0, "id,n\n1,5\n", ""]);
    const missing = await sluice(["read", url("a.csv"), "then", "write", url("no/b.csv")]);
    const problem = `cannot be written: the folder ${folder}/no does not exist`;
    const prefix = "sluice: error: step 2, write: ";
    assertEquals([missing.status, missing.err], [1, `${prefix}${folder}/no/b.csv: ${problem}\n`]);
    for (const other of [`file://elsewhere${folder}/b.csv`, "s3://bucket/b.csv"]) {
      const { status, err } = await sluice(["read", url("a.csv"), "then", "write", other]);
      const line = `${prefix}${other}: is a URL, but only files here can be written\n`;
      assertEquals([status, err], [2, line]);
    }
    assertEquals(namesIn(folder), ["a.csv", "b c.ndjson"]);
  }));

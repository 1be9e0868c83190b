import { assertEquals, assertMatch } from "@std/assert";
import { dirname } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { codeBlocks } from "../../support/pages/markdown.ts";
import { queryDuckDb } from "../../support/judges/peers.ts";
import { pythonTest } from "../../support/judges/python.ts";
import { airportsFile, checkoutPath, flightsFile } from "../../support/processes/sluice.ts";
import { onTerminal } from "../../support/processes/terminal.ts";

const output = checkoutPath("last.arrow");

/** Runs a line of a shell at the root of the checkout, with this Deno on the path. */
async function shell(line: string): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", line],
    cwd: checkoutPath("."),
    env: { NO_COLOR: "1", PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}` },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

/** The last 1,000 rows as DuckDB has them; every flight has both airports. */
const query = `
  with airports as (select iata, name, city from read_csv('${airportsFile}', nullstr = ''))
  select epoch_us(date) as date, delay, distance, origin, destination,
    origin || ' > ' || destination as route,
    round(delay / 60, 2) as hours, a.name, a.city, b.name as name_to, b.city as city_to,
    case when delay > 0 or delay is null then 'X X'
      when contains(a.name, ' ') then left(split_part(a.name, ' ', 2), 1) || ' ' || split_part(a.name, ' ', 1)
    end as redacted
  from (select *, row_number() over () as row from read_parquet('${flightsFile}')) f
  join airports a on f.origin = a.iata join airports b on f.destination = b.iata
  where row > 2999000 order by row`;

/** The demo on a terminal, where Deno asks for each permission that is missing, and waits. */
async function demoOnTerminal(): Promise<string> {
  const { status, pieces } = await onTerminal([Deno.execPath(), "task", "demo"], {
    columns: 96,
    cwd: checkoutPath("."),
    interruptAfter: "Deno requests",
  });
  const out = pieces.map(({ text }) => text).join("").replaceAll("\r\n", "\n");
  assertEquals(status, 0, out);
  return out.slice(out.search(/^\S.* task sluice /m));
}

pythonTest(
  "the demo and the command that it prints write the same file, which is right",
  async () => {
    const demo = await demoOnTerminal();
    assertMatch(demo, /\n5 of 1,000 rows/);
    assertMatch(demo, /\nrows +3,000,000 in, 1,000 out\n/);
    assertMatch(demo, /\npeak memory +\d+/);
    const shown = codeBlocks(await Deno.readTextFile(checkoutPath("README.md")))
      .find(({ code }) => code.includes("1,000 out"))!.code.trimEnd().split("\n");
    const printed = new Set(demo.split("\n").flatMap((line) => line.split("\x1b[K")));
    assertEquals(shown.filter((line) => line !== "..." && !printed.has(line)), []);
    const bytes = await Deno.readFile(output);

    const table = tableFromIPC(bytes);
    const rows = table.toArray().map((row) => ({ ...row.toJSON(), date: undefined }));
    const expected = await queryDuckDb(query);
    assertEquals(table.schema.names, Object.keys(expected[0]!));
    assertEquals(rows, expected.map((row) => ({ ...row, date: undefined })));
    const dates = table.batches.flatMap((batch) => [...batch.getChild("date")!.data[0]!.values]);
    assertEquals(dates, expected.map(({ date }) => date));

    await Deno.remove(output);
    const [command] = demo.split("\n\n") as [string];
    const pasted = await shell(command);
    assertEquals(pasted.code, 0, pasted.err);
    assertEquals(await Deno.readFile(output), bytes);
    await Deno.remove(output);
  },
);

/**
 * `deno task demo`: joins 3,000,000 flights with their airports twice, adds a route, the delay in hours and a
 * redacted name, cuts the rows into even batches, and writes the last 1,000 to an Arrow file.
 *
 * @module
 */

import { canDraw, showProgress } from "../cli/print/progress.ts";
import { print, terminalColumns } from "../cli/print/terminal.ts";
import { formatSummary } from "../cli/print/summary.ts";
import { formatTable } from "../cli/print/table.ts";
import {
  createEngine,
  expr,
  head,
  join,
  read,
  regroup,
  type RunStats,
  slice,
  toTable,
  withColumns,
  write,
} from "../mod.ts";

const folder = "node_modules/vega-datasets/data";
const flights = `${folder}/flights-3m.parquet`;
const airports = `${folder}/airports.csv`;
const output = "last.arrow";

const route = 'origin + " > " + destination';
const hours = "round(delay / 60, 2)";
// The redaction in demos of GPU string libraries, with airports instead of people.
const redacted =
  'delay <= 0 ? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0) : "X X"';

/** Returns the command that does the same. It works as printed, in this folder. */
function commandLine(): string {
  // A machine with only Node has no `deno` on its path once `npx` has ended.
  const viaNpx = /[\\/]_npx[\\/]/.test(Deno.execPath());
  return `${viaNpx ? `npx -y deno@${Deno.version.deno}` : "deno"} task sluice read ${flights} \\
    then with 'route = ${route}' 'hours = ${hours}' \\
    then join ${airports} --on origin=iata --columns name,city \\
    then join ${airports} --on destination=iata --columns name,city --suffix _to \\
    then with 'redacted = ${redacted}' \\
    then regroup --rows 65536 \\
    then slice -1000: \\
    then write ${output} \\
    then show 5`;
}

const runs: RunStats[] = [];
const engine = createEngine({ onRun: (run) => void runs.push(run) });
const sink = write(output);
const airportNames = () => read(airports, { columns: ["iata", "name", "city"] });

print(`${commandLine()}\n\n`);
{
  using _progress = canDraw() ? showProgress(runs) : undefined;
  await read(flights, { engine })
    .pipeThrough(withColumns({ route: expr(route), hours: expr(hours) }))
    .pipeThrough(join(airportNames(), { on: { origin: "iata" } }))
    .pipeThrough(join(airportNames(), { on: { destination: "iata" }, suffix: "_to" }))
    .pipeThrough(withColumns({ redacted: expr(redacted) }))
    .pipeThrough(regroup({ rows: 65_536 }))
    .pipeThrough(slice(-1_000))
    .pipeTo(sink);
}
const summary = (await formatSummary({ engine, runs, outputs: [sink] })).join("\n");

const written = read(output, { engine });
const total = await written.numRows();
const width = terminalColumns(Deno.stdout);
const first = await toTable(written.pipeThrough(head(5)));
print(`${formatTable(first, { count: 5, total, width })}\n${summary}\n`);

/** The files that commands of README and of several pages name. */

import { tableFromArrays } from "apache-arrow";
import { fromBatches, write } from "../../../mod.ts";

/** Runs a test in a folder that has flights, airports, and the examples of the checkout. */
export async function besideFlights(folder: string, test: () => Promise<void>): Promise<void> {
  const origin = Array.from({ length: 1_500 }, (_, row) => ["LAX", "SFO", "JFK"][row % 3]!);
  const flights = tableFromArrays({
    origin,
    destination: origin.toReversed(),
    delay: Int32Array.from(origin, (_, row) => row % 100),
  });
  await fromBatches(flights).pipeTo(write(`${folder}/flights.parquet`));
  const airports = "iata,name\nLAX,Los Angeles!\nSFO,San Francisco\n";
  await Deno.writeTextFile(`${folder}/airports.csv`, airports);
  await Deno.mkdir(`${folder}/examples`);
  const shout = new URL("../../../examples/shout.ts", import.meta.url);
  await Deno.writeTextFile(`${folder}/examples/shout.ts`, `export * from "${shout}";\n`);
  await test();
}

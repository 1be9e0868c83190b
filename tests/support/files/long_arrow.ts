/** A file of many batches. */

import { type Table, tableFromArrays } from "apache-arrow";
import { fromBatches, regroup, write } from "../../../mod.ts";
import { inFolder } from "./folder.ts";

/** A table as an Arrow file, in batches of 1,000 rows. */
export async function tableToBytes(table: Table): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array();
  await inFolder({}, async (folder) => {
    const path = `${folder}/table.arrow`;
    await fromBatches(table)
      .pipeThrough(regroup({ rows: 1000 }))
      .pipeTo(write(path));
    bytes = await Deno.readFile(path);
  });
  return bytes;
}

/** A file of 100 batches, of which `id` is the position. */
export function longFile(): Promise<Uint8Array<ArrayBuffer>> {
  const ids = Int32Array.from({ length: 100_000 }, (_, row) => row);
  const text = Array.from(ids, (id) => `row ${id}`);
  return tableToBytes(tableFromArrays({ id: ids, text }));
}

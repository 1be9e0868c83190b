import { assertEquals } from "@std/assert";
import { Field, FixedSizeList, Int32, List, Null, Struct } from "apache-arrow";
import { openSource } from "../../../../streams/files/read.ts";
import { write } from "../../../../streams/files/write.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../support/values/streams_samples.ts";

const nulls = new Field("n", new Null(), true);
const flat = batchOf({ a: [new Null(), [null, null]], b: [new Int32(), [1, 2]] });
const nested = batchOf({
  list: [new List(nulls), [[null, null], null]],
  pair: [new FixedSizeList(2, nulls), [[null, null], null]],
  struct: [new Struct([nulls]), [{ n: null }, null]],
});

Deno.test("a column of type null is written as nulls, also within others, by every format", () =>
  inFolder(async (folder) => {
    const texts = {
      "flat.csv": "a,b\n,1\n,2\n",
      "flat.tsv": "a\tb\n\t1\n\t2\n",
      "flat.ndjson": '{"a":null,"b":1}\n{"a":null,"b":2}\n',
      "nested.ndjson": '{"list":[null,null],"pair":[null,null],"struct":{"n":null}}\n' +
        '{"list":null,"pair":null,"struct":null}\n',
    };
    for (const [name, text] of Object.entries(texts)) {
      const batch = name.startsWith("flat") ? flat : nested;
      await writeAll(write(`${folder}/${name}`), [batch]);
      assertEquals(await Deno.readTextFile(`${folder}/${name}`), text, name);
    }
    for (const name of ["flat.arrow", "flat.arrows", "nested.arrow", "flat.parquet"]) {
      const batch = name.startsWith("flat") ? flat : nested;
      await writeAll(write(`${folder}/${name}`), [batch]);
      assertEquals(rowsOf(await readAll(openSource(`${folder}/${name}`))), rowsOf([batch]), name);
    }
  }));

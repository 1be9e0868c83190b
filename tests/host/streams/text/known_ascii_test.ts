/** That readers which know that text is ASCII hand it on, so that nobody inspects it again. */

import { assertEquals } from "@std/assert";
import { knownText } from "../../../../gpu/column/utf8.ts";
import { read } from "../../../../mod.ts";
import { fromArrow } from "../../../../ops/batch/from_arrow.ts";
import { inFolder } from "../../../support/files/folder.ts";

const ROWS = [{ ascii: "Ada", other: "Łódź" }, { ascii: "public", other: "Ada" }];

const FILES: Readonly<Record<string, string>> = {
  "rows.csv": `ascii,other\n${ROWS.map(({ ascii, other }) => `${ascii},${other}\n`).join("")}`,
  "rows.ndjson": ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""),
};

for (const file of Object.keys(FILES)) {
  Deno.test(`text of ${file} that is ASCII is known to be when it arrives`, async () => {
    await inFolder(FILES, async (folder) => {
      let numBatches = 0;
      for await (const batch of read(`${folder}/${file}`)) {
        numBatches++;
        const [ascii, other] = batch.data.children.map((data) => knownText(fromArrow(data)));
        assertEquals(ascii, { ascii: true });
        assertEquals(other, undefined);
      }
      assertEquals(numBatches, 1);
    });
  });
}

import { assertRejects } from "@std/assert";
import { FileInput } from "../../../../../../streams/bytes/file_input.ts";
import { GrowingBytes } from "../../../../../../streams/bytes/growing_bytes.ts";
import type {
  ColumnChunk,
  PageHeader,
} from "../../../../../../streams/formats/parquet/metadata/metadata.ts";
import { pageHeader } from "../../../../../../streams/formats/parquet/metadata/metadata.ts";
import { struct, writeThrift } from "../../../../../../streams/formats/parquet/metadata/thrift.ts";
import { checkPages } from "../../../../../../streams/formats/parquet/read/group_shape.ts";
import { mostPageBytes } from "../../../../../../streams/formats/parquet/pages/pages_in.ts";
import { inFolder } from "../../../../../support/files/folder.ts";

/** Page headers of later versions, with a field that readers of today skip. */
const laterHeader = struct({ ...pageHeader.fields, padding: [20, "binary"] });

/** Bytes of pages: each a header with so much padding, and a body. */
function pagesOf(pages: readonly { header: PageHeader; padding: number }[]): Uint8Array {
  const file = new GrowingBytes();
  for (const { header, padding } of pages) {
    file.append(writeThrift({ ...header, padding: new Uint8Array(padding) }, laterHeader));
    file.append(new Uint8Array(Math.max(0, header.compressedBytes!)));
  }
  return file.bytes;
}

/** Checks the pages of one column, which claims `uncompressedBytes`. */
function check(
  sizes:
    readonly (readonly [uncompressedBytes: number, compressedBytes: number, padding: number])[],
  { claimed = mostPageBytes + 1, cut = 0, name = "a" } = {},
): Promise<void> {
  const bytes = pagesOf(sizes.map(([uncompressedBytes, compressedBytes, padding]) => ({
    header: { type: 0, uncompressedBytes, compressedBytes },
    padding,
  })));
  const pages = bytes.slice(0, bytes.length - cut);
  return inFolder({ "pages": pages }, async (folder) => {
    using input = await FileInput.open(`${folder}/pages`);
    const metadata = {
      path: [new TextEncoder().encode("a")],
      dataPageOffset: 0,
      compressedBytes: pages.length,
      uncompressedBytes: claimed,
    };
    await checkPages(input, { columns: [{ metadata } as unknown as ColumnChunk] }, new Set([name]));
  });
}

Deno.test("pages up to the limit are taken, whatever the length of their headers", async () => {
  for (const padding of [0, 200, 256, 4_000, 70_000]) {
    await check([[100, 50, padding], [mostPageBytes, 7, padding], [0, 0, padding]]);
  }
});

Deno.test("a page beyond the limit is refused, wherever it is among the pages of its column", async () => {
  for (const padding of [0, 4_000]) {
    for (const at of [0, 1, 2]) {
      const sizes: [number, number, number][] = [[9, 5, 0], [9, 5, padding], [9, 5, 0]];
      sizes[at]![0] = mostPageBytes + 1;
      await assertRejects(() => check(sizes), RangeError, `a page of ${mostPageBytes + 1} bytes`);
      // Neither columns that nobody wants nor those that have no room for such a page are read.
      await check(sizes, { name: "b" });
      await check(sizes, { claimed: mostPageBytes });
    }
  }
});

Deno.test("a page header that is cut off, and a page of less than no bytes, are errors", async () => {
  const problem = "the header of a page cannot be decoded";
  await assertRejects(() => check([[9, 5, 0], [9, 0, 4_000]], { cut: 1 }), TypeError, problem);
  await assertRejects(() => check([[9, -5, 0]]), TypeError, "a negative number of bytes");
});

/**
 * A batch with 2.3 GB of text in one column through Arrow files and streams, and Polars as the
 * judge. Each step is a process of its own, whose memory is bounded.
 */

import { assert, assertEquals } from "@std/assert";
import { largeBytes, type Report } from "../../../../support/files/large_ipc.ts";
import { largeTest } from "../../../../support/running/large_test.ts";
import { inFolder } from "../../../../support/values/streams_samples.ts";

const script = new URL("../../../../support/files/large_ipc.ts", import.meta.url).pathname;
const root = new URL("../../../../../", import.meta.url).pathname;
const textMebibytes = largeBytes / 2 ** 20;

async function run(...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--lock=deno.dev.lock", "--frozen", script, ...args],
    cwd: root,
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const report: Report = JSON.parse(new TextDecoder().decode(stdout));
  console.log(args[0], ...args.slice(2), report);
  return report;
}

for (const format of ["file", "stream"] as const) {
  for (const compression of ["none", "zstd", "lz4"] as const) {
    largeTest(
      `2.3 GB of text go through an Arrow ${format} (${compression})`,
      () =>
        inFolder(async (folder) => {
          // Polars takes a path for one that it may open only with this suffix.
          const path = `${folder}/large.ipc`;
          const written = await run("write", path, format, compression);
          // What is compressed is held beside the text until all of it is written, as the lengths
          // come first; the text here becomes a tenth of its size.
          assert(
            written.peakMebibytes < 1.5 * textMebibytes,
            "more memory than half the text more",
          );
          const read = await run("read", path);
          // Beside the text lies what it is decompressed from, and a frame of zstd.
          assert(read.peakMebibytes < 1.5 * textMebibytes, "more memory than half the text more");
          await run("polars", path, format);
        }),
    );
  }
}

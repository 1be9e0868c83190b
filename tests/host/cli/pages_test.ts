/** The commands and programs of the pages about the command line and the library run. */

import { assert } from "@std/assert";
import { codeBlocks } from "../../support/markdown.ts";
import { runBeside, testPage, withSluice } from "../../support/page_examples.ts";
import { besideFlights } from "../../support/page_files.ts";
import { checkoutPath } from "../../support/sluice.ts";

// The test of README installs the command.
testPage("docs/cli.md", besideFlights, ["npm install --global"]);
testPage("docs/formats.md", besideFlights);
testPage("docs/library.md", besideFlights);

Deno.test({
  name: "the commands of docs/formats.md tell of text over 2 GiB at a lower threshold",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withSluice((folder) =>
      besideFlights(folder, async () => {
        const page = await Deno.readTextFile(checkoutPath("docs/formats.md"));
        const { code } = codeBlocks(page).find(({ code }) => code.includes("schema --batches"))!;
        const { text } = await runBeside(folder, { language: "sh", code: `exec 2>&1\n${code}` });
        assert(
          /route: +64-bit offsets in 1 of 1 batch, at most 13,500 bytes\n/.test(text) &&
            /\norigin +utf8.* 64-bit offsets in 1 of 1 batch, at most 4,500 bytes\n/.test(text),
          text,
        );
      })
    ),
});

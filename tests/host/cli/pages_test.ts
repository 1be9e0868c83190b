/** The commands and programs of the pages about the command line and the library run. */

import { assert, assertEquals } from "@std/assert";
import manifest from "../../../deno.json" with { type: "json" };
import { commandHelp } from "../../../cli/help.ts";
import { codeBlocks } from "../../support/markdown.ts";
import { runBeside, testPage, withSluice } from "../../support/page_examples.ts";
import { besideFlights } from "../../support/page_files.ts";
import { checkoutPath } from "../../support/sluice.ts";

// The test of README installs the command.
testPage("docs/cli.md", besideFlights, ["npm install --global"]);
testPage("docs/formats.md", besideFlights);
testPage("docs/library.md", besideFlights);

Deno.test("docs/cli.md has the options and the variables of the command, and no other", async () => {
  const page = await Deno.readTextFile(checkoutPath("docs/cli.md"));
  const section = (title: string) => page.split(`\n## ${title}\n`)[1]!.split("\n## ")[0]!;
  const namesIn = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].sort();

  const options = namesIn(commandHelp([]), /^ {2}(--\w+)/gm).filter((name) => name !== "--version");
  assert(options.length > 6);
  assertEquals(namesIn(section("Options"), /(--\w+)/g), options);

  const variables = manifest.permissions.sluice.env.filter((name) => name.startsWith("SLUICE_"));
  assertEquals(namesIn(section("Environment"), /^\| `(SLUICE_\w+)/gm), variables.toSorted());
  assertEquals(namesIn(commandHelp([]), /(SLUICE_\w+)/g), variables.toSorted());
});

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

/** The commands and programs of the pages about the command line and the library run. */

import { assert, assertEquals } from "@std/assert";
import manifest from "../../../deno.json" with { type: "json" };
import { commandHelp } from "../../../cli/help.ts";
import { read, write } from "../../../mod.ts";
import { codeBlocks } from "../../support/pages/markdown.ts";
import { runBeside, testPage, withSluice } from "../../support/pages/page_examples.ts";
import { besideFlights } from "../../support/pages/page_files.ts";
import { checkoutPath } from "../../support/processes/sluice.ts";

// The test of README installs the command.
testPage("docs/cli.md", besideFlights, ["npm install --global"]);
testPage("docs/formats.md", besideFlights);
testPage("docs/library.md", besideFlights);
// tests/host/cli/many_matches_test.ts joins the other one.
testPage("docs/joins.md", besideJoins, ["many_matches.ts"]);

async function besideJoins(folder: string, test: () => Promise<void>): Promise<void> {
  const texts = {
    people: "name,city,country\nAda,Rome,Italy\nAlan,Oslo,Norway\n",
    offices: "city,country,rooms\nROME,Italy,3\nPARIS,France,4\n",
    visits: "visitor,day\nAda,2024-05-01\nAlan,2024-06-01\n",
    campaigns: "campaign,start,stop\nspring,2024-04-01,2024-05-31\n",
    trades: "symbol,time,price\nA,2024-05-01T10:00:01,10\nB,2024-05-01T10:00:09,20\n",
    quotes: "symbol,time,bid\nA,2024-05-01T10:00:00,9\nB,2024-05-01T10:00:01,19\n",
  };
  for (const [name, text] of Object.entries(texts)) {
    await Deno.writeTextFile(`${folder}/${name}.csv`, text);
  }
  for (const name of ["trades", "quotes"]) {
    await read(`${folder}/${name}.csv`, { types: { time: "timestamp" } })
      .pipeTo(write(`${folder}/${name}.parquet`));
  }
  await besideFlights(folder, test);
}

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

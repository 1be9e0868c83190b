/** The commands and programs of docs/rechunking.md run, and answer what it says. */

import { assertEquals } from "@std/assert";
import { planRechunk } from "../../../mod.ts";
import { testPage } from "../../support/pages/page_examples.ts";
import { checkoutPath } from "../../support/processes/sluice.ts";

testPage("docs/rechunking.md", async (folder, test) => {
  await test("https://example.com");
  const picture = await Deno.readTextFile(checkoutPath("docs/rechunking.svg"));
  assertEquals(await Deno.readTextFile(`${folder}/era5.svg`), picture);
});

const page = await Deno.readTextFile(checkoutPath("docs/rechunking.md"));

Deno.test("the table of docs/rechunking.md has the counts of the planner", () => {
  for (const stages of [3, 4]) {
    const { reads, writes } = planRechunk({
      shape: [350640, 721, 1440],
      itemsize: 4,
      source: [31, 721, 1440],
      target: [350640, 10, 10],
      minMem: 10e6,
      maxMem: 500e6,
      stages,
    });
    const row = new RegExp(`^\\| Sluice, \`--stages ${stages}\` +\\| +${stages} \\|(.*)\\|$`, "m");
    const [, counts = ""] = row.exec(page) ?? [];
    const told = counts.split("|").map((count) => Number(count.replaceAll(",", "")));
    assertEquals(told, [reads, writes]);
  }
});

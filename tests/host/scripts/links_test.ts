import { assert, assertEquals } from "@std/assert";
import manifest from "../../../deno.json" with { type: "json" };
import { anchorsOf, linkTargets } from "../../support/pages/markdown.ts";
import { checkoutPath } from "../../support/processes/sluice.ts";

/** The pages of the checkout, by their paths. */
async function pages(): Promise<Map<string, string>> {
  const { stdout } = await new Deno.Command("git", {
    args: ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
    cwd: checkoutPath("."),
  }).output();
  const paths = new TextDecoder().decode(stdout).split("\n").filter((path) => path !== "");
  return new Map(paths.map((path) => [path, Deno.readTextFileSync(checkoutPath(path))]));
}

Deno.test("every relative link of a page leads to a file, and to a heading where it names one", async () => {
  const known = await pages();
  assert(known.has("README.md") && known.has("docs/joins.md"), [...known.keys()].join());
  const broken: string[] = [];
  const isPublished = (path: string) =>
    manifest.publish.include.some((entry) =>
      entry.endsWith("/") ? path.startsWith(entry) : path === entry
    );
  let numFiles = 0;
  let numAnchors = 0;
  for (const [path, page] of known) {
    for (const target of linkTargets(page)) {
      if (/^[a-z][a-z0-9+.-]*:/i.test(target)) continue;
      const [file, anchor] = target.split("#", 2) as [string, string?];
      // A path of the checkout, as seen from the page.
      const url = new URL(decodeURI(file), `file:///${path}`);
      const linked = file === "" ? path : url.pathname.slice(1);
      numFiles++;
      if (!await exists(checkoutPath(linked))) broken.push(`${path}: no file ${target}`);
      if (isPublished(path) && linked !== "" && !isPublished(linked)) {
        broken.push(`${path}: ${target} is not in the package`);
      }
      if (anchor === undefined) continue;
      numAnchors++;
      if (!anchorsOf(known.get(linked) ?? "").has(anchor)) {
        broken.push(`${path}: no heading ${target}`);
      }
    }
  }
  assertEquals(broken, []);
  assert(numFiles > 50 && numAnchors > 10, `${numFiles} links, ${numAnchors} to headings`);
});

Deno.test("README leads to every page of docs/", async () => {
  const known = await pages();
  const reached = new Set(["README.md"]);
  for (const path of reached) {
    for (const target of linkTargets(known.get(path) ?? "")) {
      const linked = new URL(target.split("#", 1)[0]!, `file:///${path}`).pathname.slice(1);
      if (known.has(linked)) reached.add(linked);
    }
  }
  const all = [...known.keys()].filter((path) => /^docs\/[^/]*$/.test(path));
  assert(all.length > 10);
  assertEquals(all.filter((path) => !reached.has(path)), []);
});

Deno.test("links are found in text, references and HTML, never in code", () => {
  const page = '[a](b.md) and ![c](d.svg "title")\n`[e](f.md)`\n\n```md\n[g](h.md)\n```\n' +
    '[i]: j.md\n<source srcset="k.svg"><img src="l.svg">\n[two](m.md#n) ``[`](o.md)``\n';
  assertEquals(linkTargets(page), ["b.md", "d.svg", "m.md#n", "j.md", "k.svg", "l.svg"]);
});

// The examples of https://docs.github.com/en/get-started/writing-on-github, section links.
Deno.test("anchors are those of GitHub", () => {
  const page = "# Example headings\n## Sample Section\n## This'll be a _Helpful_ Section " +
    "About the Greek Letter Θ!\nA heading\n\n```md\n# code\n```\n## This heading is not unique\n" +
    "## This heading is not unique\n";
  assertEquals([...anchorsOf(page)], [
    "example-headings",
    "sample-section",
    "thisll-be-a-helpful-section-about-the-greek-letter-Θ",
    "this-heading-is-not-unique",
    "this-heading-is-not-unique-1",
  ]);
});

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

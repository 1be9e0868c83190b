/**
 * Writes docs/strings.md from the descriptions of the operations.
 *
 *     deno run -A scripts/generate_operations_page.ts
 *
 * @module
 */

import { describeOperations, type OperationDescription } from "../mod.ts";

const INTRODUCTION = `# Operations of expressions

\`scripts/generate_operations_page.ts\` writes this page from the operations themselves, as
\`sluice ops\` does. The tests run every example on it: over columns and folded on the host, and on
the device.

[expressions.md](expressions.md) has the operators, the types of numbers, and what fails.

An operation is a method of a value, \`name.upper()\`, or a function, \`upper(name)\`. In TypeScript it
is \`col("name").upper()\`. A question mark in a signature marks an optional argument. The last
arguments may be given by name: \`code.pad(8, { side: "left" })\`.

- Positions, lengths and widths count characters, which are code points. JavaScript counts UTF-16
  units; that difference is not repeated below. \`byteLength\` counts bytes of UTF-8.
- The result for a null text or argument is null, unless an operation says otherwise.
- Text is compared by its bytes: \`é\` as one character and \`e\` with an accent differ.
- Types have the names of Arrow. \`integer\` takes integers of every width, and \`regex\` is
  written \`/so/i\` or as text.
- The word after the signature says how an operation fuses. A \`view\` is a part of its text, a
  \`map\` writes a few characters for each one, an \`emit\` writes any text, a \`list\` makes a list
  of texts or numbers, and a \`measure\` is a number or a boolean. See
  [The kernel language](kernel-language.md). Operations of the expression language itself are marked
  \`language\`, and fuse too.

The operations by group:
`;

/** Returns the page, formatted by `deno fmt`. */
export async function operationsPage(): Promise<string> {
  const groups = Map.groupBy(describeOperations(), ({ group }) => group);
  const contents = [...groups].map(([group, operations]) =>
    `- ${heading(group)}: ${operations.map(({ name }) => code(name)).join(" ")}`
  );
  const sections = [...groups].map(([group, operations]) =>
    [`## ${heading(group)}`, ...operations.map(section)].join("\n\n")
  );
  return await formatted([INTRODUCTION, contents.join("\n"), ...sections, ""].join("\n\n"));
}

function section(operation: OperationDescription): string {
  const { name, signature, kinds, summary, details, differs, examples } = operation;
  const parts = [
    `### ${code(name)}`,
    `${code(signature)} (${kinds.join(", ")})`,
    `${summary}. ${details}`,
    ["```text", ...examples.map(({ line }) => line), "```"].join("\n"),
  ];
  if (differs.length > 0) {
    parts.push("Differs on purpose from", differs.map((clause) => `- ${clause}`).join("\n"));
  }
  return parts.join("\n\n");
}

function heading(group: string): string {
  return group.slice(0, 1).toUpperCase() + group.slice(1);
}

function code(text: string): string {
  return "`" + text + "`";
}

async function formatted(markdown: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", "md", "--line-width", "100", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(markdown));
  await writer.close();
  const { success, stdout } = await child.output();
  if (!success) throw new Error("deno fmt did not take the page");
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  const page = new URL("../docs/strings.md", import.meta.url);
  await Deno.writeTextFile(page, await operationsPage());
}

import { assert, assertEquals } from "@std/assert";
import { FileError } from "../../../../base/errors/file_error.ts";
import { InternalError } from "../../../../base/errors/internal_error.ts";
import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { UnsortedError } from "../../../../base/errors/step_error.ts";
import * as library from "../../../../mod.ts";
import { modulePaths } from "../../../../scripts/check_layers.ts";

/** Every class that extends an error, by its file and its name. */
function errorClasses(): { readonly path: string; readonly name: string; readonly body: string }[] {
  return [...modulePaths()].flatMap((path) => {
    const source = Deno.readTextFileSync(path);
    return [...source.matchAll(/^(?:export )?class (\w+) extends \w*Error \{([^]*?)^\}/gm)]
      .map(([, name, body]) => ({ path, name: name!, body: body! }));
  });
}

Deno.test("every error class stands in base/errors and is tagged with its own name", () => {
  const classes = errorClasses();
  assert(classes.length > 25, "the classes are not found");
  for (const { path, name, body } of classes) {
    assert(path.startsWith("base/errors/"), `${name} stands in ${path}`);
    assert(body.includes(`override readonly name = "${name}";`), `${name} has another tag`);
  }
});

Deno.test("the union of isSluiceError() has every error class", () => {
  const members = membersOf("base/errors/is_sluice_error.ts", "AnyError");
  assertEquals(members, errorClasses().map(({ name }) => name).sort());
});

Deno.test("the public union has every error class that the package exports", () => {
  const members = membersOf("base/errors/public_errors.ts", "SluiceError");
  const classes = Object.entries(library).filter(([, value]) =>
    typeof value === "function" && value.prototype instanceof Error
  );
  assertEquals(members, classes.map(([name]) => name).sort());
});

function membersOf(path: string, name: string): string[] {
  const union = new RegExp(`type ${name} =([^;]*);`).exec(Deno.readTextFileSync(path))![1]!;
  return [...union.matchAll(/\w+/g)].map(([member]) => member).sort();
}

Deno.test("nothing but isSluiceError() tells errors apart by their names", () => {
  const tags = errorClasses().map(({ name }) => name).join("|");
  const comparison = new RegExp(`[!=]==? "(${tags})"|instanceof (${tags})\\b`);
  const found = [...modulePaths()].filter((path) => !path.startsWith("base/errors/")).filter((
    path,
  ) =>
    Deno.readTextFileSync(path).split("\n").some((line) =>
      !line.startsWith(" *") && comparison.test(line)
    )
  );
  assertEquals(found, []);
});

Deno.test("isSluiceError() knows an error by one of several tags", () => {
  const error: unknown = new FileError("a.csv", "is damaged", { column: "id" });
  if (!isSluiceError(error, "FileError")) throw error;
  assertEquals(error.column, "id");
  assert(isSluiceError(error, "StepError", "FileError"));
  assert(!isSluiceError(error, "StepError", "RowError"));
  assert(isSluiceError(new UnsortedError(3, "row 3 is not sorted"), "UnsortedError"));
});

Deno.test("isSluiceError() knows errors of another copy of the library, and nothing else", () => {
  const copy = Object.assign(new Error("no"), { name: "InternalError" });
  assert(isSluiceError(copy, "InternalError"));
  for (const thrown of [new RangeError("no"), { name: "InternalError" }, "InternalError", null]) {
    assert(!isSluiceError(thrown, "InternalError"));
  }
  assert(new InternalError("no") instanceof Error);
});

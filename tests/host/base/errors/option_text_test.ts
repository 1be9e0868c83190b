import { assertEquals } from "@std/assert";
import { FileError } from "../../../../base/errors/file_error.ts";
import { OptionError } from "../../../../base/errors/option_error.ts";
import {
  commandMessage,
  commandText,
  libraryText,
  option,
  optionText,
  typeRemedy,
} from "../../../../base/errors/option_text.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";

Deno.test("an option is written as the library takes it, or as the command line does", () => {
  const cases = [
    [option("minMem"), "minMem", "--min-mem"],
    [option("hold", true), "hold: true", "--hold"],
    [option("maxWaste", 1), "maxWaste: 1", "--max-waste 1"],
    [option("duplicates", "number"), 'duplicates: "number"', "--duplicates number"],
    [option("delimiter", ";"), 'delimiter: ";"', "--delimiter ';'"],
    [option("delimiter", "\t"), 'delimiter: "\\t"', "--delimiter tab"],
    [option("types", { age: "int64" }), '{ types: { age: "int64" } }', "--types age=int64"],
    [
      option("types", { "first name": "json" }),
      '{ types: { "first name": "json" } }',
      "--types NAME=json",
    ],
  ] as const;
  for (const [word, library, command] of cases) {
    assertEquals(libraryText(optionText`${word} helps`), `${library} helps`);
    assertEquals(commandText(optionText`${word} helps`), `${command} helps`);
  }
});

Deno.test("a text of options may be part of another, and names in it stay as they are", () => {
  const inner = optionText`maxMem.zarr: ${option("maxMem")} is 3`;
  assertEquals(commandText(optionText`Of ${5}: ${inner}`), "Of 5: maxMem.zarr: --max-mem is 3");
  assertEquals(libraryText(optionText`Of ${5}: ${inner}`), "Of 5: maxMem.zarr: maxMem is 3");
});

Deno.test("errors with options have the message of the library, and tell that of the command line", () => {
  const error = new OptionError(optionText`${option("maxWaste", 1)} allows it`);
  assertEquals(error.message, "maxWaste: 1 allows it");
  assertEquals(commandMessage(error), "--max-waste 1 allows it");
  assertEquals(commandMessage(new RangeError("maxWaste: 1 allows it")), "maxWaste: 1 allows it");
  const ofFile = FileError.naming("a.csv", [
    "x is not a valid int64",
    ...typeRemedy("id", "string"),
  ]);
  assertEquals(
    ofFile.message,
    'a.csv: x is not a valid int64; give its type: { types: { id: "string" } }',
  );
  assertEquals(
    commandMessage(ofFile),
    "a.csv: x is not a valid int64; give its type: --types id=string",
  );
  assertEquals(commandMessage(toFileError("a.csv", error)), "a.csv: --max-waste 1 allows it");
  assertEquals(commandMessage(new FileError("a.csv", "hold: true")), "a.csv: hold: true");
});

Deno.test("the message for the command line escapes control characters, as that of the library does", () => {
  const error = FileError.naming("a\u001b.csv", ["b\nc"]);
  assertEquals(commandMessage(error), "a\\u001b.csv: b\\nc");
  assertEquals(error.message, commandMessage(error));
});

import { assertEquals } from "@std/assert";
import { didYouMean, nearestName } from "../../../base/nearest_name.ts";

const NAMES = ["upper", "lower", "lstrip", "splitPart", "startsWith"];

Deno.test("nearestName() finds the name that takes the fewest edits", () => {
  for (
    const [name, nearest] of [
      ["uper", "upper"],
      ["UPPER", "upper"],
      ["upepr", "upper"],
      ["lpper", "upper"],
      ["lowerr", "lower"],
      ["strip", "lstrip"],
      ["split_part", "splitPart"],
      ["startswith", "startsWith"],
    ] as const
  ) {
    assertEquals(nearestName(name, NAMES), nearest, name);
  }
});

Deno.test("nearestName() takes no letter for another where it is the whole name", () => {
  for (const name of ["d", "ä", "7", ""]) {
    assertEquals(nearestName(name, ["a", "é", "b"]), undefined);
  }
  assertEquals(nearestName("A", ["b", "a"]), "a");
  assertEquals(nearestName("a", ["b", "ab"]), "ab");
});

Deno.test("nearestName() finds nothing where no name is near", () => {
  for (const name of ["", "xyz", "reverse", "up"]) {
    assertEquals(nearestName(name, NAMES), undefined, name);
  }
  assertEquals(didYouMean("xyz", NAMES), "");
  assertEquals(didYouMean("uper", NAMES), "; did you mean upper?");
});

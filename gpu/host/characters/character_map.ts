/**
 * Runs kernels that replace each character over the text of a whole column.
 *
 * @module
 */

import { bitAt } from "../../column/bitmap.ts";
import type { HostColumn } from "../../column/column.ts";
import { gatherColumn } from "../../column/gather.ts";
import { inspectColumn, knownText, rememberText } from "../../column/utf8.ts";
import { asCharacterMap, type CharacterMap, withText } from "../../kernel/lower/character_map.ts";
import type { Kernel, Tree } from "../../kernel/tree/tree.ts";
import { hasWords } from "../runtime/has_words.ts";
import { mapMemoryOf } from "./map_memory.ts";
import { runCharacterMap } from "./run_character_map.ts";

/** A kernel that maps characters, for any text. */
export interface CompiledCharacterMap {
  /**
   * Maps the text of a column whose first row has the number `firstRow`. `mapRows` is the row
   * kernel, for the few rows whose characters depend on each other. Returns null if only the row
   * kernel can compute all of them. Throws a `Utf8Error` for text that is not UTF-8.
   */
  run(
    column: HostColumn,
    firstRow: number,
    mapRows: (rows: HostColumn) => HostColumn | null,
  ): HostColumn | null;
}

/**
 * Compiles a kernel as a map of characters; null if it is none, or does not run as one on the host.
 */
export function compileCharacterMap(kernel: Kernel): CompiledCharacterMap | null {
  const map = mapOf(kernel);
  if (map?.text.node !== "column" || map.text.isBytes === true) return null;
  const memory = mapMemoryOf(map);
  // A search is as fast as this, and runs on threads.
  if (memory === null || map.isSearch && memory.movesAscii) return null;
  return {
    run(column, firstRow, mapRows) {
      const known = knownText(column);
      const mapped = runCharacterMap(memory, column, known === undefined);
      if (mapped === null || kernel.asciiColumns !== undefined && !mapped.wasAscii) return null;
      // Text that the map has not found to be UTF-8 is inspected once more.
      if (mapped.wasAscii || mapped.isUtf8) rememberRows(column, mapped.wasAscii);
      else inspectColumn(column, firstRow);
      const { column: result, openRows } = mapped;
      if (openRows.length > 0 && !computeOpen(column, openRows, result, mapRows)) return null;
      rememberRows(result, mapped.isAscii);
      return result;
    },
  };
}

/** A kernel cut in two: one that makes text, and one that maps its characters. */
export interface DividedKernel {
  readonly below: Kernel;
  readonly above: Kernel;
}

/**
 * Cuts a kernel below its last maps of characters, so that these run over whole columns. The text
 * between the two parts is the column `index`. Returns null if there is nothing to cut.
 */
export function divideBelowMaps(kernel: Kernel, index: number): DividedKernel | null {
  const { tree, ...common } = kernel;
  const map = mapOf(kernel);
  if (
    kernel.asciiColumns !== undefined || map === null || map.text.node === "column" ||
    mapMemoryOf(map) === null
  ) return null;
  const { text } = map;
  const column: Tree = { node: "column", index, type: text.type };
  return {
    below: { ...common, tree: text },
    above: { ...common, tree: withText(tree, text, column) },
  };
}

function mapOf({ tree }: Kernel): CharacterMap | null {
  const map = hasWords() ? asCharacterMap(tree) : null;
  return map?.text.type.kind === "string" ? map : null;
}

/** Writes the rows that only the row kernel can map; returns false if their lengths differ. */
function computeOpen(
  column: HostColumn,
  openRows: Int32Array,
  result: HostColumn,
  mapRows: (rows: HostColumn) => HostColumn | null,
): boolean {
  const { validity } = column;
  const rows = openRows.filter((row) => validity === null || bitAt(validity, row) === 1);
  const own = mapRows(gatherColumn(column, rows));
  if (own === null) return false;
  return rows.every((row, index) => {
    const place = result.offsets?.[row] ?? 0;
    const stop = result.offsets?.[row + 1] ?? 0;
    const text = own.data.subarray(own.offsets?.[index], own.offsets?.[index + 1]);
    if (text.length !== stop - place) return false;
    result.data.set(text, place);
    return true;
  });
}

function rememberRows(column: HostColumn, isAscii: boolean): void {
  if (knownText(column) === undefined) rememberText(column, isAscii);
}

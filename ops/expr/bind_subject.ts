/**
 * Binds the subject of a row function to a tree of the type that it takes.
 *
 * @module
 */

import { DataType, Float64, Int32, Int64, Uint64 } from "apache-arrow";
import type { RowFunction } from "../../gpu/kernel/language/row_function.ts";
import { bodyOf } from "../../gpu/kernel/parse/row_code.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { isBinary, isText } from "../batch/arrow_types.ts";
import { floatTree } from "./decimal_trees.ts";
import { receiverOf } from "../syntax/receiver.ts";
import { classOf, type Typed, widened } from "./typed.ts";

/**
 * Returns the subject of a call in the type that the row function takes; undefined if it does
 * not fit. A conversion may take binary as if it were text.
 */
export function bindSubject(
  fn: RowFunction,
  { tree, type, literal }: Typed,
  converts = false,
): Tree | undefined {
  if (literal === null) return tree;
  const kind = DataType.isFloat(type) ? "float" : classOf(type);
  const { type: physical } = tree;
  const bits = "bits" in physical ? physical.bits : 0;
  switch (fn.subject) {
    case "string":
      return kind === "text" || (converts && isBinary(type)) ? tree : undefined;
    case "list": {
      const isList = receiverOf(type) === "list";
      return isList && (hasTextItems(type) || !bodyOf(fn).readsItems) ? tree : undefined;
    }
    case "bool":
      return kind === "bool" ? tree : undefined;
    case "f64":
      if (kind === "int") return widened(tree, new Float64());
      if (kind === "decimal") return floatTree(tree, type);
      return kind === "float" ? tree : undefined;
    case "i64":
      if (bits === 64 && physical.kind === "int" && !physical.signed) return undefined;
      return kind === "int" || kind === "time" ? widened(tree, new Int64()) : undefined;
    case "u64":
      if (physical.kind !== "int" || physical.signed) return undefined;
      return kind === "int" ? widened(tree, new Uint64()) : undefined;
    case "i32": {
      const fits = physical.kind === "int" && (bits < 32 || (bits === 32 && physical.signed));
      return fits && (kind === "int" || kind === "time") ? widened(tree, new Int32()) : undefined;
    }
    case "i128":
      return kind === "decimal" || kind === "int" ? tree : undefined;
    case "words":
      if (kind === "float") return widened(tree, new Float64());
      if (bits === 64) return kind === "int" || kind === "time" ? tree : undefined;
      return kind === "int" || kind === "time" ? widened(tree, new Int64()) : undefined;
  }
}

function hasTextItems({ children }: DataType): boolean {
  const [items] = children ?? [];
  return items !== undefined && isText(items.type);
}

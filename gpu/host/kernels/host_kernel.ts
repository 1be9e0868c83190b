/**
 * The only cache of compiled kernels. A kernel belongs to a program, and `known_programs.ts`
 * returns the same program for the same expressions, so a plan finds what earlier plans have
 * compiled.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type { Variant } from "../../kernel/ir/ir.ts";
import { lowerKernel } from "../../kernel/lower/lower.ts";
import { columnsOf } from "../../kernel/partition/program_for.ts";
import type { Kernel } from "../../kernel/tree/tree.ts";
import {
  compileCharacterMap,
  type CompiledCharacterMap,
  divideBelowMaps,
  type DividedKernel,
} from "../characters/character_map.ts";
import { CompiledByteMap, type CompiledKernel, CompiledRows } from "./compiled_kernel.ts";

/** A kernel, and all that the host has compiled of it. */
export class HostKernel {
  readonly kernel: Kernel;
  /**
   * The types of the columns that it may read: inputs of the program, and results of earlier
   * kernels.
   */
  readonly columnTypes: readonly ColumnType[];
  readonly #variants = new Map<string, CompiledKernel>();
  #characterMap: CompiledCharacterMap | null | undefined;
  #divided: DividedKernel | null | undefined;

  constructor(kernel: Kernel, columnTypes: readonly ColumnType[]) {
    this.kernel = kernel;
    this.columnTypes = columnTypes;
  }

  /** The kernel as a map of characters, for any text; null if it is none. */
  get characterMap(): CompiledCharacterMap | null {
    if (this.#characterMap === undefined) this.#characterMap = compileCharacterMap(this.kernel);
    return this.#characterMap;
  }

  /**
   * The kernel cut in two, with one more column between the parts, if mapping the characters of
   * that whole column is faster than mapping them row by row; else null.
   */
  get divided(): DividedKernel | null {
    if (this.#divided === undefined) {
      this.#divided = divideBelowMaps(this.kernel, this.columnTypes.length);
    }
    return this.#divided;
  }

  /** Returns the code for a variant; the first request compiles it. */
  codeFor(variant: Variant): CompiledKernel {
    const nullable = columnsOf(this.kernel.tree).map((index) => variant.nullable[index]);
    const key = `${variant.ascii} ${nullable}`;
    let code = this.#variants.get(key);
    if (code === undefined) {
      const ir = lowerKernel(this.kernel, this.columnTypes, { ...variant, hasFloats: true });
      code = ir.kernel === "byteMap" ? new CompiledByteMap(ir) : new CompiledRows(ir);
      this.#variants.set(key, code);
    }
    return code;
  }
}

const known = new WeakMap<Kernel, HostKernel>();

/** Returns a kernel of a program, over columns of these types, with its compiled code. */
export function hostKernelOf(kernel: Kernel, columnTypes: readonly ColumnType[]): HostKernel {
  let found = known.get(kernel);
  if (found === undefined) known.set(kernel, found = new HostKernel(kernel, columnTypes));
  return found;
}

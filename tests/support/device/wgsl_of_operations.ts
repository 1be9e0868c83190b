/**
 * Kernels of all operations as WGSL, in the forms in which a device may run them: for ASCII without
 * nulls and for any text with them, each pass, where rows may be long those and the others apart, and
 * where rows have several lanes what these mark and copy.
 */

import { type DataType, Field, Schema } from "apache-arrow";
import type { ColumnType } from "../../../gpu/column/column.ts";
import {
  columnsWithLanes,
  columnsWithLongRows,
  emitWgsl,
} from "../../../gpu/kernel/emit/wgsl/emit.ts";
import { emitMarks } from "../../../gpu/kernel/emit/wgsl/lanes/mark_rows.ts";
import { canTile } from "../../../gpu/kernel/emit/wgsl/tiles/tiles.ts";
import { takesFewSteps } from "../../../gpu/kernel/emit/wgsl/print/steps.ts";
import { wgslRefusal } from "../../../gpu/kernel/emit/wgsl/refusal.ts";
import { ownPasses, type Rows } from "../../../gpu/kernel/emit/wgsl/print/pass.ts";
import type { RowKernel } from "../../../gpu/kernel/ir/ir.ts";
import { lowerKernel } from "../../../gpu/kernel/lower/lower.ts";
import { partitionIntoKernels } from "../../../gpu/kernel/partition/partition.ts";
import type { Program } from "../../../gpu/kernel/tree/tree.ts";
import { BLOCK_SCAN_WGSL } from "../../../gpu/webgpu/dispatch/scan.ts";
import { tilesWgsl } from "../../../gpu/webgpu/strategies/tiles.ts";
import { typeName } from "../../../ops/batch/arrow_types.ts";
import { bindExpr } from "../../../ops/expr/bind.ts";
import { compileExprs } from "../../../ops/expr/compile_exprs.ts";
import { describeOperations } from "../../../ops/expr/describe_operations.ts";
import { exampleColumn } from "../../../ops/expr/example.ts";
import { col, type Expr, printExpr } from "../../../ops/expr/expr.ts";
import type { StringOp } from "../../../ops/string/define/define_string_op.ts";
import * as stringOps from "../../../ops/string/operations.ts";
import { partsOf } from "../../../ops/expr/rewrite.ts";
import { NAMED_TYPES } from "../../../ops/syntax/named_types.ts";
import { isCastable } from "../models/cast_model.ts";
import { type PlainColumns, plainTypeOf } from "../expressions/evaluate_expr.ts";
import {
  columnCall,
  isConversion,
  literalCall,
  takesColumns,
} from "../expressions/operation_calls.ts";
import { randomTexts } from "../random/random_text.ts";
import {
  RANDOM_TYPES,
  randomNumberTree,
  randomTestTree,
  randomTextTree,
} from "../random/random_trees.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

/** Buffers that every device binds. */
const MAX_STORAGE_BUFFERS = 8;

/** What the code of one pass follows. */
const TILES_BEFORE = tilesWgsl({});

/** Modules of WGSL by their code, each with what it computes. */
export type WgslModules = Map<string, string>;

/**
 * Adds kernels of the examples of all operations, of all casts, of random calls with literals and with
 * columns, and of random trees.
 */
export function addOperations(modules: WgslModules, random: SeededRandom): void {
  for (const { examples } of describeOperations()) {
    for (const { expr, columns } of examples) {
      const types = Object.entries(columns).map(([name, value]) =>
        [name, exampleColumn(value).type] as const
      );
      addExpr(modules, expr, Object.fromEntries(types));
    }
  }
  for (const from of NAMED_TYPES) {
    for (const to of NAMED_TYPES.filter((to) => isCastable(from, to))) {
      addExpr(modules, col("x").tryCast(typeName(to)), { x: from });
    }
  }
  addCalls(modules, random);
  addTrees(modules, random);
}

function addCalls(modules: WgslModules, random: SeededRandom): void {
  const texts = randomTexts(random, 20);
  // Choices are trees without a row function.
  const drawn = (op: StringOp) => !isConversion(op) && op.spec.group !== "choose";
  for (const op of Object.values<StringOp>(stringOps).filter(drawn)) {
    const calls = [1, 2].map(() => literalCall(random, op, texts));
    if (takesColumns(op)) calls.push(columnCall(random, op, texts));
    for (const { exprs, columns } of calls) {
      const plain: PlainColumns = { text: texts, ...columns };
      const types = Object.entries(plain).map(([name, values]) => [name, plainTypeOf(values)]);
      for (const expr of exprs) addExpr(modules, expr, Object.fromEntries(types));
    }
  }
}

function addTrees(modules: WgslModules, random: SeededRandom): void {
  for (let round = 0; round < 60; round++) {
    const pick = (below: number) => random.below(below);
    const make = random.pick([randomTextTree, randomNumberTree, randomTestTree]);
    const label = `random tree ${round}`;
    addProgram(
      modules,
      partitionIntoKernels(RANDOM_TYPES, [{ label, tree: make(pick, 4) }]),
      label,
    );
  }
}

/** Adds the kernels of an expression over columns of some types. */
export function addExpr(
  modules: WgslModules,
  expr: Expr,
  types: Readonly<Record<string, DataType>>,
): void {
  const names = Object.keys(types);
  const schema = new Schema(names.map((name) => new Field(name, types[name]!, true)));
  const bound = (partsOf(expr)?.values().toArray() ?? [expr]).map((part) => bindExpr(part, schema));
  addProgram(modules, compileExprs(bound, { names }).program, printExpr(expr));
}

function addProgram(modules: WgslModules, { inputs, kernels }: Program, label: string): void {
  const types: ColumnType[] = [...inputs, ...kernels.map(({ type }) => type)];
  for (const kernel of kernels) {
    if (kernel.hostOnly !== undefined) continue;
    for (const isPlain of [true, false]) {
      const variant = { ascii: isPlain, nullable: types.map(() => !isPlain) };
      const ir = lowerKernel(kernel, types, variant);
      if (ir.kernel !== "row" || wgslRefusal(ir, MAX_STORAGE_BUFFERS) !== null) continue;
      addPasses(modules, ir, label);
    }
  }
}

function addPasses(modules: WgslModules, ir: RowKernel, label: string): void {
  // As many as in `longColumns`.
  const isShared = columnsWithLongRows(ir).length > 0 &&
    ir.columns.length <= MAX_STORAGE_BUFFERS - 4;
  const kinds: Rows[] = isShared ? ["all", "short", "long"] : ["all"];
  // As in `laneWidth`.
  const canHaveLanes = columnsWithLanes(ir).length > 0 &&
    ir.columns.length <= MAX_STORAGE_BUFFERS - 4;
  for (const pass of ownPasses(ir)) {
    for (const rows of kinds) {
      for (const hasLanes of canHaveLanes && rows !== "long" ? [false, true] : [false]) {
        const mayOmit = rows === "all" && pass !== "write" && takesFewSteps(ir);
        for (const countsSteps of mayOmit ? [true, false] : [true]) {
          const { code } = emitWgsl(ir, pass, { rows, hasLanes, countsSteps });
          modules.set(
            pass === "sizes" ? BLOCK_SCAN_WGSL + code : code,
            `${label}, ${pass}, ${rows} rows${hasLanes ? " with lanes" : ""}` +
              (countsSteps ? "" : ", rounds not counted"),
          );
        }
      }
    }
  }
  const marking = canHaveLanes ? emitMarks(ir) : null;
  if (marking !== null) modules.set(marking.code, `${label}, marks`);
  if (canTile(ir)) modules.set(TILES_BEFORE + emitWgsl(ir, "tiles").code, `${label}, tiles`);
}

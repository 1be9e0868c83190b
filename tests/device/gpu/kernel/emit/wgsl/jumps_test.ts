/** Random nests of loops, blocks and jumps in generated WGSL, against a plain interpreter. */

import { assertEquals } from "@std/assert";
import { evaluateBinary } from "../../../../../../gpu/kernel/ir/evaluate.ts";
import type { Scalar, Stmt } from "../../../../../../gpu/kernel/ir/ir.ts";
import { deviceTest } from "../../../../../support/device/adapter.ts";
import { columnOf, valuesOf } from "../../../../../support/values/host_columns.ts";
import { computeOnDevice, withDevice } from "../../../../../support/device/device_kernels.ts";
import {
  binary,
  block,
  declare,
  increment,
  int,
  INT32,
  jump,
  local,
  loop,
  result,
  rowKernel,
  set,
  when,
  word,
} from "../../../../../support/kernels/ir_builders.ts";
import { forSeeds, type SeededRandom } from "../../../../../support/random/seeded_random.ts";

/** A label that can be jumped to. */
interface Target {
  readonly label: string;
  readonly isLoop: boolean;
}

const state = local("state");
const fuel = local("fuel");

class Nests {
  readonly #random: SeededRandom;
  #labels = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  list(depth: number, targets: readonly Target[]): Stmt[] {
    return Array.from({ length: 1 + this.#random.below(3) }, () => this.#statement(depth, targets));
  }

  #statement(depth: number, targets: readonly Target[]): Stmt {
    const random = this.#random;
    const kind = depth === 0 ? random.below(2) : random.below(5);
    switch (kind) {
      case 0:
        return set("state", binary(binary(state, "*", int(31)), "+", int(random.below(1000))));
      case 1:
        return this.#maybeJump(targets);
      case 2:
        return when(this.#test(), this.list(depth - 1, targets), this.list(depth - 1, targets));
      case 3: {
        const label = `b${this.#labels++}`;
        return block(label, this.list(depth - 1, [...targets, { label, isLoop: false }]));
      }
      default: {
        const label = `l${this.#labels++}`;
        const body = this.list(depth - 1, [...targets, { label, isLoop: true }]);
        const steps: Stmt[] = [increment("state", 7), increment("fuel", -1)].slice(random.below(2));
        const isOne = binary(binary(state, "%", int(3)), "==", int(1));
        if (random.chance(0.3)) steps.push(loop(`${label}_step`, isOne, [increment("state")]));
        return loop(label, binary(fuel, ">", int(0)), [increment("fuel", -1), ...body], steps);
      }
    }
  }

  #maybeJump(targets: readonly Target[]): Stmt {
    if (targets.length === 0) return increment("state", 3);
    const { label, isLoop } = this.#random.pick(targets);
    const kind = isLoop && this.#random.chance(0.5) ? "continue" : "break";
    const leave = jump(kind, label);
    return this.#random.chance(0.2) ? leave : when(this.#test(), [increment("state", 11), leave]);
  }

  #test(): Scalar {
    const modulus = 2 + this.#random.below(4);
    const bits = binary(state, ">>>", int(this.#random.below(8)));
    return binary(binary(bits, "%", int(modulus)), "==", int(this.#random.below(modulus)));
  }
}

/** What one row makes of a body; jumps are thrown. */
function interpret(body: readonly Stmt[], locals: Map<string, number>): void {
  for (const stmt of body) {
    switch (stmt.do) {
      case "set":
        locals.set(stmt.name, valueOf(stmt.value, locals));
        break;
      case "if":
        interpret(valueOf(stmt.test, locals) ? stmt.then : stmt.else, locals);
        break;
      case "block":
        catching("break", stmt.label, () => interpret(stmt.body, locals));
        break;
      case "loop":
        catching("break", stmt.label, () => {
          while (valueOf(stmt.test, locals)) {
            catching("continue", stmt.label, () => interpret(stmt.body, locals));
            interpret(stmt.update, locals);
          }
        });
        break;
      case "break":
      case "continue":
        throw `${stmt.do} ${stmt.label}`;
      default:
        throw new Error(`No ${stmt.do} in these nests`);
    }
  }
}

function catching(kind: "break" | "continue", label: string, run: () => void): void {
  try {
    run();
  } catch (jump) {
    if (jump !== `${kind} ${label}`) throw jump;
  }
}

function valueOf(scalar: Scalar, locals: ReadonlyMap<string, number>): number {
  switch (scalar.op) {
    case "const":
      return Number(scalar.value);
    case "local":
      return locals.get(scalar.name)!;
    case "binary": {
      const [left, right] = [valueOf(scalar.left, locals), valueOf(scalar.right, locals)];
      return Number(evaluateBinary(scalar.fn, left, right));
    }
    default:
      throw new Error(`No ${scalar.op} in these nests`);
  }
}

deviceTest("random nests of jumps end where an interpreter ends", async () => {
  const rows = Array.from({ length: 64 }, (_, row) => Math.imul(row, 0x9e3779b1));
  await withDevice(async (context) => {
    await forSeeds(8, async (random) => {
      const bodies = Array.from({ length: 4 }, () => new Nests(random).list(5, []));
      const kernels = bodies.map((body) =>
        rowKernel([INT32], INT32, [
          declare("state", word(0)),
          declare("fuel", int(60)),
          ...body,
          result(binary(state, "+", fuel)),
        ])
      );
      const columns = await computeOnDevice(context, kernels, [columnOf(INT32, rows)], 64);
      for (const [k, body] of bodies.entries()) {
        const expected = rows.map((row) => {
          const locals = new Map([["state", row], ["fuel", 60]]);
          interpret(body, locals);
          return (locals.get("state")! + locals.get("fuel")!) | 0;
        });
        assertEquals(valuesOf(columns[k]!), expected);
      }
    });
  });
});

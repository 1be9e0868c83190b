/**
 * The locals of a row function while it is inlined: known values, or variables of the generated
 * code.
 *
 * @module
 */

import { InternalError, NoValueError } from "../../../base/errors/internal_error.ts";
import type { ListValue, LowerValue, SpaceRef } from "./lower_value.ts";
import type { Scalar } from "../ir/ir.ts";
import type { LowerContext } from "./lower_context.ts";
import type { Local } from "./row_locals.ts";

/** One number or bool: a known expression, or a variable of the generated code. */
interface Slot {
  readonly scalar: Scalar;
  readonly variable: Local | null;
}

type Binding =
  | { readonly is: "scalar"; readonly slot: Slot }
  /** A list is a parameter that never changes. */
  | { readonly is: "list"; readonly list: ListValue }
  | {
    readonly is: "view";
    readonly space: SpaceRef;
    readonly ascii: boolean;
    readonly start: Slot;
    readonly stop: Slot;
  };

/** The locals of a row function while it is inlined. */
export class InlineLocals {
  readonly #context: LowerContext;
  #names = new Map<string, Binding>();

  constructor(context: LowerContext) {
    this.#context = context;
  }

  /** Binds a name to a value. */
  bind(name: string | null, value: LowerValue): void {
    if (name === null) return;
    if (value.is === "wide") throw new InternalError("A local has no 64 bits");
    const { builder } = this.#context;
    if (value.is === "scalar") {
      const scalar = builder.stable(name, value.scalar);
      this.#names.set(name, { is: "scalar", slot: { scalar, variable: null } });
      return;
    }
    if (value.is === "list") {
      this.#names.set(name, value);
      return;
    }
    const { space, ascii } = value.view;
    const start = builder.stable(`${name}_start`, value.view.start);
    const stop = builder.stable(`${name}_stop`, value.view.stop);
    this.#names.set(name, {
      is: "view",
      space,
      ascii,
      start: { scalar: start, variable: null },
      stop: { scalar: stop, variable: null },
    });
  }

  /** Binds a name to a variable of the code. */
  bindVariable(name: string, variable: Local): void {
    this.#names.set(name, { is: "scalar", slot: { scalar: variable, variable } });
  }

  /** Returns the value of a name. */
  read(name: string): LowerValue {
    const binding = this.#names.get(name);
    if (binding === undefined) throw new NoValueError(`The local ${name} has no value`);
    if (binding.is === "list") return binding;
    if (binding.is === "scalar") return { is: "scalar", scalar: binding.slot.scalar };
    const { space, ascii, start, stop } = binding;
    return { is: "view", view: { space, ascii, start: start.scalar, stop: stop.scalar } };
  }

  /** Whether a name is bound to a number that is a variable of the code. */
  isVariable(name: string): boolean {
    const binding = this.#names.get(name);
    return binding?.is === "scalar" && binding.slot.variable !== null;
  }

  /** Assigns a name. */
  set(name: string, value: LowerValue): void {
    const { builder } = this.#context;
    const binding = this.#names.get(name);
    if (binding?.is === "scalar" && value.is === "scalar") {
      if (binding.slot.variable === null) return this.bind(name, value);
      return builder.set(binding.slot.variable, value.scalar);
    }
    if (binding?.is !== "view" || value.is !== "view") return;
    if (binding.start.variable === null || binding.stop.variable === null) {
      return this.bind(name, value);
    }
    const start = builder.stable(`${name}_start`, value.view.start);
    builder.set(binding.stop.variable, value.view.stop);
    builder.set(binding.start.variable, start);
  }

  /** Turns locals that are about to be assigned on only some paths into variables of the code. */
  makeVariables(names: Iterable<string>): void {
    const { builder } = this.#context;
    const variable = (hint: string, slot: Slot): Slot => {
      if (slot.variable !== null) return slot;
      const local = builder.variable(hint, slot.scalar);
      return { scalar: local, variable: local };
    };
    for (const name of names) {
      const binding = this.#names.get(name);
      if (binding === undefined || binding.is === "list") continue;
      this.#names.set(
        name,
        binding.is === "scalar" ? { is: "scalar", slot: variable(name, binding.slot) } : {
          ...binding,
          start: variable(`${name}_start`, binding.start),
          stop: variable(`${name}_stop`, binding.stop),
        },
      );
    }
  }

  /** Runs `body`, and then drops its bindings. */
  scoped(body: () => void): void {
    const names = this.#names;
    this.#names = new Map(names);
    body();
    this.#names = names;
  }

  /** Runs `body`, and keeps its bindings if it returns true. */
  tried(body: () => boolean): boolean {
    const names = this.#names;
    this.#names = new Map(names);
    const keep = body();
    if (!keep) this.#names = names;
    return keep;
  }
}

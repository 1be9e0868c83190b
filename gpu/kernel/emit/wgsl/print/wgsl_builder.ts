/**
 * Builds a WGSL module: the parameters and bindings of group 0, then declarations and functions in
 * the order in which they are added.
 *
 * @module
 */

/** A module under construction. */
export class WgslBuilder {
  #code = "";
  #numBindings = 0;

  /** Begins with the parameters: a uniform array of vec4 at binding 0. */
  constructor(numParams: number) {
    this.bind(`var<uniform> params: array<vec4<u32>, ${numParams}>`);
  }

  /** Declares the next binding. */
  bind(...declarations: readonly string[]): this {
    for (const declaration of declarations) {
      this.#code += `@group(0) @binding(${this.#numBindings++}) ${declaration};\n`;
    }
    return this;
  }

  /** Adds declarations and functions, each with its empty line. */
  add(...parts: readonly string[]): this {
    this.#code += parts.join("");
    return this;
  }

  /** Adds the printed form of each of some things. */
  addEach<T>(things: Iterable<T>, print: (thing: T) => string): this {
    for (const thing of things) this.add(print(thing));
    return this;
  }

  /** The code. */
  get code(): string {
    return this.#code;
  }
}

/** Prints a function after an empty line; its lines are indented. */
export function printFunction(name: string, parameters: string, lines: string): string {
  return `\nfn ${name}(${parameters}) {\n${lines}}\n`;
}

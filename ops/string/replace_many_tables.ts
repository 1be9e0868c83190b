/** @module */

/** A tree of the bytes of texts, as tables, and what the texts become. */
export interface ReplaceManyTables {
  /** For each byte the number of the node of depth 1 that has it; 0 for none. */
  readonly roots: Int32Array;
  /** The byte of each node; node 0 is none. */
  readonly bytes: Int32Array;
  /** The first node below each node; 0 for none. */
  readonly children: Int32Array;
  /** The next node beside each node; 0 for none. */
  readonly siblings: Int32Array;
  /** The number, counted from 1, of the target that ends in each node; 0 for none. */
  readonly targets: Int32Array;
  /** Where the replacement of each target starts in `chars`, and after the last one its size. */
  readonly starts: Int32Array;
  /** The code points of all replacements. */
  readonly chars: Int32Array;
  readonly [name: string]: Int32Array;
}

/**
 * The tables of `replaceMany`. A target that starts with an earlier one of the list can never be
 * the first, and is left out. So of the targets on a way down the tree the lowest stands first.
 */
export function replaceManyTables(
  targets: readonly string[],
  replacements: readonly string[],
): ReplaceManyTables {
  const tree = new ByteTree();
  targets.forEach((target, index) => tree.add(new TextEncoder().encode(target), index + 1));
  const chars = replacements.map((text) => Array.from(text, (char) => char.codePointAt(0) ?? 0));
  const starts = new Int32Array(chars.length + 1);
  chars.forEach(({ length }, index) => starts[index + 1] = starts[index]! + length);
  return { ...tree.tables(), starts, chars: Int32Array.from(chars.flat()) };
}

class ByteTree {
  readonly #roots = new Int32Array(256);
  readonly #bytes = [0];
  readonly #children = [0];
  readonly #siblings = [0];
  readonly #targets = [0];

  /** Adds a text that no text added before is the start of. */
  add(text: Uint8Array, target: number): void {
    let node = 0;
    for (const [index, byte] of text.entries()) {
      node = index === 0 ? this.#root(byte) : this.#child(node, byte);
      if (this.#targets[node] !== 0) return;
    }
    this.#targets[node] = target;
  }

  tables() {
    return {
      roots: this.#roots,
      bytes: Int32Array.from(this.#bytes),
      children: Int32Array.from(this.#children),
      siblings: Int32Array.from(this.#siblings),
      targets: Int32Array.from(this.#targets),
    };
  }

  #root(byte: number): number {
    if (this.#roots[byte] === 0) this.#roots[byte] = this.#node(byte, 0);
    return this.#roots[byte]!;
  }

  #child(parent: number, byte: number): number {
    let node = this.#children[parent]!;
    while (node !== 0 && this.#bytes[node] !== byte) node = this.#siblings[node]!;
    if (node !== 0) return node;
    this.#children[parent] = this.#node(byte, this.#children[parent]!);
    return this.#children[parent];
  }

  #node(byte: number, sibling: number): number {
    this.#bytes.push(byte);
    this.#siblings.push(sibling);
    this.#children.push(0);
    return this.#targets.push(0) - 1;
  }
}

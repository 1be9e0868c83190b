/**
 * The grids that a search for chains goes on with.
 *
 * @module
 */

/** A grid that a stage can end with. */
export interface ChainNode {
  /** Places in the lengths of each axis. */
  readonly places: readonly number[];
  /** Operations so far, counted once for reading and once for writing. */
  readonly operations: number;
  /** These and the least that the stages to come can take. */
  readonly estimate: number;
  readonly before: ChainNode | undefined;
}

/** The nodes of the least estimate among those of a stage, one for each grid. */
export class BestNodes {
  readonly #most: number;
  readonly #byGrid = new Map<string, ChainNode>();
  /** The cost that a node has to beat. */
  worst = Infinity;

  constructor(most: number) {
    this.#most = most;
  }

  add(node: ChainNode): void {
    const key = node.places.join();
    const known = this.#byGrid.get(key);
    if (known !== undefined && known.operations <= node.operations) return;
    this.#byGrid.set(key, node);
    if (this.#byGrid.size >= 2 * this.#most) this.#trim();
  }

  nodes(): ChainNode[] {
    this.#trim();
    return [...this.#byGrid.values()];
  }

  #trim(): void {
    const sorted = [...this.#byGrid].sort(([, a], [, b]) => a.estimate - b.estimate);
    if (sorted.length > this.#most) this.worst = sorted[this.#most - 1]![1].estimate;
    this.#byGrid.clear();
    for (const [key, node] of sorted.slice(0, this.#most)) this.#byGrid.set(key, node);
  }
}

/**
 * The best partial chains of a stage, from which the search for chains continues.
 *
 * @module
 */

/** A grid that a stage can end with. */
export interface ChainNode {
  /** The indices of the grid's lengths in the candidates of each axis. */
  readonly places: readonly number[];
  /** The number of operations so far, reads and writes counted separately. */
  readonly operations: number;
  /** The operations so far plus a lower bound of those of the stages to come. */
  readonly estimate: number;
  readonly before: ChainNode | undefined;
}

/** The nodes of a stage with the least estimates, one for each grid. */
export class BestNodes {
  readonly #most: number;
  readonly #byGrid = new Map<string, ChainNode>();
  /** The estimate that a node has to beat. */
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

/**
 * Which dictionaries must be written before a batch.
 *
 * @module
 */

import {
  type Data,
  DataType,
  type Dictionary,
  type RecordBatch,
  type Schema,
  type Vector,
} from "apache-arrow";
import type { ArrowFormat } from "./message.ts";
import { isPrefixOf } from "./same_value.ts";

/** A dictionary, or what is new at its end. */
interface DictionaryUpdate {
  readonly id: number;
  readonly values: Vector;
  readonly isDelta: boolean;
}

/**
 * Remembers the dictionaries that were written. A dictionary belongs to a place in the schema, whose
 * dictionaries must be numbered: the ids that batches carry are ignored, as every batch may have
 * been given new ones.
 */
export class DictionaryTracker {
  readonly #schema: Schema;
  readonly #format: ArrowFormat;
  readonly #written = new Map<number, Vector>();

  constructor(schema: Schema, format: ArrowFormat) {
    this.#schema = schema;
    this.#format = format;
  }

  /** The dictionaries that a batch needs and that were not written yet, inner ones first. */
  updates(batch: RecordBatch): DictionaryUpdate[] {
    const updates: DictionaryUpdate[] = [];
    for (const [index, field] of this.#schema.fields.entries()) {
      this.#visit(field.type, batch.data.children[index]!, field.name, updates);
    }
    return updates;
  }

  #visit(type: DataType, data: Data, name: string, updates: DictionaryUpdate[]): void {
    if (!DataType.isDictionary(type)) {
      for (const [index, child] of (type.children ?? []).entries()) {
        const nested = data.children[index];
        if (nested !== undefined) this.#visit(child.type, nested, name, updates);
      }
      return;
    }
    const values = data.dictionary as Vector;
    for (const chunk of values.data) this.#visit(type.dictionary, chunk, name, updates);
    const update = this.#update(type, values, name);
    if (update === undefined) return;
    updates.push(update);
    this.#written.set(type.id, values);
  }

  #update({ id }: Dictionary, values: Vector, name: string): DictionaryUpdate | undefined {
    const written = this.#written.get(id);
    if (written === undefined) return { id, values, isDelta: false };
    if (written === values || isPrefixOf(values, written)) return undefined;
    if (isPrefixOf(written, values)) {
      return { id, values: values.slice(written.length), isDelta: true };
    }
    if (this.#format === "file") {
      throw new TypeError(
        `column ${name} changes its dictionary between batches, which an Arrow file cannot hold; ` +
          `write the stream format (.arrows)`,
      );
    }
    return { id, values, isDelta: false };
  }
}

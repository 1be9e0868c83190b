/**
 * Checks the counts in the description of a message, or in a footer, before it is decoded. The
 * decoder believes them, and would loop for billions of entries that the bytes do not hold.
 *
 * Descriptions are flatbuffers: a table begins with the distance back to its vtable, which gives
 * the place of each field (https://flatbuffers.dev/internals). The numbers of the fields are those
 * of the order in Message.fbs, Schema.fbs and File.fbs of the Arrow format.
 *
 * @module
 */

const headers = { schema: 1, dictionaryBatch: 2, recordBatch: 3 } as const;

/** Throws a RangeError where the description of a message points outside its bytes. */
export function verifyMessage(bytes: Uint8Array): void {
  const message = rootTable(bytes);
  verifyKeyValues(message, 4);
  const header = message.table(2);
  if (header === undefined) return;
  switch (message.byte(1)) {
    case headers.schema:
      return verifySchema(header);
    case headers.dictionaryBatch:
      return verifyBatch(header.table(1));
    case headers.recordBatch:
      return verifyBatch(header);
  }
}

/** Throws a RangeError where a footer points outside its bytes. */
export function verifyFooter(bytes: Uint8Array): void {
  const footer = rootTable(bytes);
  verifySchema(footer.table(1));
  const blockBytes = 24;
  footer.vector(2, blockBytes);
  footer.vector(3, blockBytes);
  verifyKeyValues(footer, 4);
}

function verifySchema(schema: FlatTable | undefined): void {
  if (schema === undefined) return;
  for (const field of schema.tables(1)) verifyField(field);
  verifyKeyValues(schema, 2);
}

function verifyField(field: FlatTable): void {
  const unionType = 14;
  // Of the types only a union has a vector: the ids of its children.
  if (field.byte(2) === unionType) field.table(3)?.vector(1, 4);
  for (const child of field.tables(5)) verifyField(child);
  verifyKeyValues(field, 6);
}

function verifyBatch(batch: FlatTable | undefined): void {
  const pairBytes = 16;
  batch?.vector(1, pairBytes);
  batch?.vector(2, pairBytes);
  batch?.vector(4, 8);
}

function verifyKeyValues(table: FlatTable, field: number): void {
  for (const _ of table.tables(field));
}

function rootTable(bytes: Uint8Array): FlatTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new FlatTable(view, view.getUint32(0, true));
}

/** A table of a flatbuffer. A DataView refuses every position outside its bytes. */
class FlatTable {
  readonly #view: DataView;
  readonly #position: number;

  constructor(view: DataView, position: number) {
    this.#view = view;
    this.#position = position;
  }

  /** A field of one byte; 0 where it is absent. */
  byte(field: number): number {
    const place = this.#place(field);
    return place === 0 ? 0 : this.#view.getUint8(place);
  }

  /** A field that is a table. */
  table(field: number): FlatTable | undefined {
    const place = this.#place(field);
    return place === 0 ? undefined : this.#tableAt(place);
  }

  /** Where the elements of a vector begin, and how many there are. */
  vector(field: number, elementBytes: number): { start: number; length: number } {
    const place = this.#place(field);
    if (place === 0) return { start: 0, length: 0 };
    const vector = place + this.#view.getUint32(place, true);
    const length = this.#view.getUint32(vector, true);
    const start = vector + 4;
    if (start + length * elementBytes > this.#view.byteLength) {
      throw new RangeError(`a list claims ${length} entries`);
    }
    return { start, length };
  }

  /** The elements of a vector of tables. */
  *tables(field: number): Generator<FlatTable, void, void> {
    const { start, length } = this.vector(field, 4);
    for (let i = 0; i < length; i++) yield this.#tableAt(start + 4 * i);
  }

  /** Tables lie behind what points to them, so that there is no going round in circles. */
  #tableAt(place: number): FlatTable {
    const position = place + this.#view.getUint32(place, true);
    if (position <= place) throw new RangeError("a table contains itself");
    return new FlatTable(this.#view, position);
  }

  /** The position of a field; 0 where it is absent. */
  #place(field: number): number {
    const vtable = this.#position - this.#view.getInt32(this.#position, true);
    const entry = 4 + 2 * field;
    if (entry >= this.#view.getUint16(vtable, true)) return 0;
    const offset = this.#view.getUint16(vtable + entry, true);
    return offset === 0 ? 0 : this.#position + offset;
  }
}

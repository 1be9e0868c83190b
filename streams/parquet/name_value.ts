/** @module */

/** Names a value in errors; its row where it does not lie in a list or struct. */
export type NameValue = (row?: number) => string;

/** Names the values of a column of a batch whose first row is the row `firstRow` of the file. */
export function valueNamer(column: string, firstRow: number): NameValue {
  return (row) =>
    row === undefined ? `column ${column}` : `column ${column}, row ${firstRow + row}`;
}

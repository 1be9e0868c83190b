/**
 * Formats rows as an aligned table.
 *
 * @module
 */

import { fieldTypeName } from "../library/values.ts";
import { DataType, type Table } from "apache-arrow";
import { cellFormatter } from "./cell.ts";
import { cutToWidth, displayWidth } from "./terminal.ts";
import { formatRows } from "./quantities.ts";
import { formatCount } from "../../base/quantities.ts";
import { showControls } from "../../base/show_controls.ts";

/** The part of a table to print. */
interface TableOptions {
  /** The most rows to print. */
  readonly count: number;
  /** The total number of rows, if known and `table` does not have all of them. */
  readonly total: number | undefined;
  /** Width in columns; Infinity cuts nothing. */
  readonly width: number;
}

interface Column {
  readonly cells: readonly string[];
  readonly right: boolean;
  /** Whether its values are never cut: a part of a number is another number. */
  readonly isWhole: boolean;
}

const gap = 2;
/** The least width of cut text and of cut names. */
const leastText = 12;
const leastName = 6;

/** Formats the first rows of a table: names, types, a rule, the rows, and the number of rows. */
export function formatTable(table: Table, { count, total, width }: TableOptions): string {
  const columns = table.schema.fields.map((field, index): Column => ({
    cells: [showControls(field.name), fieldTypeName(field), ...columnCells(table, index, count)],
    right: isNumber(field.type),
    isWhole: isNumber(field.type) || isTime(field.type),
  }));
  const widths = fitWidths(columns, width);
  const lines = [0, 1].concat(rowNumbers(Math.min(count, table.numRows))).map((row) =>
    formatLine(
      widths.map((width, i) => alignCell(columns[i]!.cells[row]!, width, columns[i]!.right)),
    )
  );
  lines.splice(2, 0, formatLine(widths.map((width) => "─".repeat(width))));
  const hidden = columns.length - widths.length;
  const footer = rowsLine(Math.min(count, table.numRows), table.numRows, total) +
    (hidden === 0 ? "" : `, ${formatCount(hidden)} more ${hidden === 1 ? "column" : "columns"}`);
  return (columns.length === 0 ? [] : lines).concat(footer, "").join("\n");
}

/** Returns `10 of 3,000,000 rows`, `3 rows`, or `first 10 rows` if the total is unknown. */
function rowsLine(shown: number, numRows: number, total: number | undefined): string {
  const all = total ?? (shown === numRows ? numRows : undefined);
  if (all === undefined) return `first ${formatRows(shown)}`;
  return shown === all ? formatRows(all) : `${formatCount(shown)} of ${formatRows(all)}`;
}

function rowNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, row) => row + 2);
}

function columnCells(table: Table, index: number, count: number): string[] {
  const cells: string[] = [];
  const field = table.schema.fields[index]!;
  for (const batch of table.batches) {
    const vector = batch.getChildAt(index)!;
    const format = cellFormatter(vector.data[0]!, (row) => vector.get(row), field);
    for (let row = 0; row < batch.numRows && cells.length < count; row++) cells.push(format(row));
  }
  return cells;
}

function isNumber(type: DataType): boolean {
  return DataType.isInt(type) || DataType.isFloat(type) || DataType.isDecimal(type);
}

function isTime(type: DataType): boolean {
  return DataType.isDate(type) || DataType.isTimestamp(type) || DataType.isTime(type) ||
    DataType.isDuration(type) || DataType.isInterval(type);
}

function formatLine(cells: readonly string[]): string {
  return cells.join(" ".repeat(gap)).trimEnd();
}

function alignCell(cell: string, width: number, right: boolean): string {
  const cut = cutToWidth(cell, width);
  const padding = " ".repeat(width - displayWidth(cut));
  return right ? padding + cut : cut + padding;
}

/**
 * Returns the widths of the columns that fit. Cuts text and names, the widest first, all to one width; once
 * they would be too narrow to read, drops the last columns.
 */
function fitWidths(columns: readonly Column[], total: number): number[] {
  const room = (count: number) => total - gap * (count - 1);
  const natural = columns.map(({ cells }) => widest(cells));
  const least = columns.map(({ cells, isWhole }, index) =>
    Math.min(natural[index]!, isWhole ? Math.max(leastName, widest(cells.slice(2))) : leastText)
  );
  let count = columns.length;
  const needed = () => least.slice(0, count).reduce((sum, width) => sum + width, 0);
  while (count > 1 && needed() > room(count)) count--;
  // If even the first column does not fit, its text is cut further.
  if (count === 1 && columns[0]?.isWhole === false) least[0] = Math.min(least[0]!, total);
  const cut = (cap: number) =>
    natural.slice(0, count).map((width, index) => Math.max(least[index]!, Math.min(width, cap)));
  let cap = Math.max(1, ...natural.slice(0, count));
  while (cap > 1 && cut(cap).reduce((sum, width) => sum + width, 0) > room(count)) cap--;
  return cut(cap);
}

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), 0);
}

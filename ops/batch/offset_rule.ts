/**
 * Chooses between 32-bit and 64-bit text offsets for each column of each batch.
 *
 * The rule is that of libcudf: text below the threshold has 32-bit offsets and all other text
 * 64-bit ones, whatever the width in the source columns. Operators choose the width that they need;
 * between operators, and in the output, this rule decides.
 *
 * @module
 */

import { type Data, DataType } from "apache-arrow";
import { type HostColumn, stringDataBytes } from "../../gpu/column/column.ts";
import { OverflowError } from "../../base/errors/value_error.ts";
import { isWide, narrowOffsets } from "../../gpu/column/offsets.ts";
import { inheritOrigin } from "../../gpu/column/text_origin.ts";

/** The rule for when text gets 64-bit offsets. */
export interface OffsetRule {
  /** The bytes of text in one column of one batch at which its offsets become 64-bit. */
  readonly threshold: number;
  /** Whether 64-bit offsets are allowed. If not, text that needs them is an OverflowError. */
  readonly enabled: boolean;
}

/** The limit of 32-bit offsets as in libcudf: 2^31 - 1 bytes already need 64 bits. */
export const MAX_THRESHOLD: number = 2 ** 31 - 1;

export const defaultOffsetRule: OffsetRule = { threshold: MAX_THRESHOLD, enabled: true };

/**
 * Converts offsets, also of nested columns, to the width that the rule requires. Returns the same
 * object if nothing changes. Throws an OverflowError that names the column and the row if the rule
 * forbids 64 bits.
 */
export function settleOffsets(column: HostColumn, rule: OffsetRule, name: string): HostColumn {
  const { type, offsets, length } = column;
  if (column.children.length > 0) {
    const children = column.children.map((child) => settleOffsets(child, rule, name));
    const isSettled = children.every((child, index) => child === column.children[index]);
    return isSettled ? column : { ...column, children };
  }
  if (type.kind !== "string" || offsets === null) return column;
  const mustBeWide = stringDataBytes(column) >= rule.threshold;
  if (mustBeWide && !rule.enabled) throw overflowOf(column, rule, name);
  if (mustBeWide === isWide(offsets)) return column;
  const settled = mustBeWide
    ? { ...column, offsets: new Float64Array(offsets) }
    : { ...column, data: ownText(column), offsets: narrowOffsets(offsets, length) };
  inheritOrigin(settled, column, 0);
  return settled;
}

function ownText({ data, offsets, length }: HostColumn): Uint8Array {
  const first = offsets![0] ?? 0;
  return data.subarray(first, offsets![length] ?? first);
}

function overflowOf(column: HostColumn, { threshold }: OffsetRule, name: string): OverflowError {
  const offsets = column.offsets!;
  const end = offsets.findIndex((offset) => offset - offsets[0]! >= threshold);
  const bytes = offsets[end]! - offsets[0]!;
  const row = end - 1;
  return new OverflowError(
    `Size of output exceeds ${threshold - 1} bytes: text of column ${name} ends at byte ${bytes} ` +
      `in row ${row} of its batch; regroup to fewer rows, or allow 64-bit offsets`,
    row,
    bytes,
    { column: name },
  );
}

/**
 * Whether Arrow data already has plain layouts, with offsets of the width that the rule requires.
 */
export function isSettled(
  { type, length, valueOffsets, children }: Data,
  rule: OffsetRule,
): boolean {
  const isWideText = DataType.isLargeUtf8(type) || DataType.isLargeBinary(type);
  if (isWideText || DataType.isUtf8(type) || DataType.isBinary(type)) {
    const numBytes = length === 0 ? 0 : Number(valueOffsets[length]) - Number(valueOffsets[0]);
    return isWideText === numBytes >= rule.threshold;
  }
  return !(DataType.isUtf8View(type) || DataType.isBinaryView(type) ||
    DataType.isLargeList(type)) &&
    !DataType.isDictionary(type) &&
    // apache-arrow omits children of empty data.
    (type.children ?? []).every((_, i) => children[i] ? isSettled(children[i], rule) : false);
}

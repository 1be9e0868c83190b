/**
 * When the offsets of text are of 32 bits and when of 64: column by column, batch by batch.
 *
 * The rule is that of libcudf: text of fewer bytes than the threshold has offsets of 32 bits, all
 * other text of 64, whatever the columns had that it was made from. Operators make the width that
 * they need; between them, and on the way out, this rule decides.
 *
 * @module
 */

import { type Data, DataType } from "apache-arrow";
import { type HostColumn, stringDataBytes } from "../../gpu/column/column.ts";
import { OverflowError } from "../../gpu/errors.ts";
import { isWide, narrowOffsets } from "../../gpu/column/offsets.ts";

/** When text gets offsets of 64 bits. */
export interface OffsetRule {
  /** Bytes of text in one column of one batch from which its offsets have 64 bits. */
  readonly threshold: number;
  /** Whether they may; if not, so much text is an OverflowError. */
  readonly enabled: boolean;
}

/** What 32 bits hold, as libcudf counts it: from 2^31 - 1 bytes on offsets have 64 bits. */
export const MAX_THRESHOLD: number = 2 ** 31 - 1;

/** The rule where nobody says anything else. */
export const defaultOffsetRule: OffsetRule = { threshold: MAX_THRESHOLD, enabled: true };

/**
 * The same rows with offsets of the width that the rule wants, nested columns too; the same object
 * where they have it. Throws an OverflowError that names the column and the row where the rule does
 * not allow 64 bits.
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
  if (mustBeWide) return { ...column, offsets: new Float64Array(offsets) };
  const first = offsets[0] ?? 0;
  const data = column.data.subarray(first, offsets[length] ?? first);
  return { ...column, data, offsets: narrowOffsets(offsets, length) };
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

/** Whether Arrow data has the layouts that the rule gives: plain ones, as wide as their text. */
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
    // apache-arrow leaves children out where it makes data of no rows.
    (type.children ?? []).every((_, i) => children[i] ? isSettled(children[i], rule) : false);
}

/** Random joins. */

import { DataType } from "apache-arrow";
import { fuzzHows } from "./fuzz_case.ts";
import type { SeededRandom } from "../support/seeded_random.ts";
import type { TypeJson } from "./case_types.ts";
import type { CaseStep, CaseTable } from "./fuzz_case.ts";
import { randomTable, valuesOfType } from "./random_table.ts";
import type { ModelTable } from "./step_model.ts";

/** Keys of these types can be joined. */
function keyTypes(type: DataType): readonly TypeJson[] {
  if (DataType.isUtf8(type)) return ["utf8"];
  if (DataType.isBinary(type)) return ["binary"];
  if (DataType.isInt(type)) {
    return type.isSigned
      ? ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"]
      : ["uint8", "uint16", "uint32", "uint64"];
  }
  if (DataType.isDate(type)) return [type.unit === 0 ? "date32" : "date64"];
  const unit = (type as DataType & { unit: number }).unit;
  const name = ["s", "ms", "us", "ns"][unit]!;
  if (DataType.isTimestamp(type)) {
    return [type.timezone ? ["timestamp", name, type.timezone] : ["timestamp", name]];
  }
  if (DataType.isTime(type)) return [["time", name]];
  return DataType.isDuration(type) ? [["duration", name]] : [];
}

/** A join with a table whose keys come from both sides. */
export function joinRows(random: SeededRandom, { columns }: ModelTable): CaseStep[] | undefined {
  const keys = columns.filter(({ type }) => keyTypes(type).length > 0);
  if (keys.length === 0) return undefined;
  const key = random.pick(keys);
  const type = random.pick(keyTypes(key.type));
  const build = randomTable(random, random.pick([1, 1, 2, 4]), random.pick(["", "r_"]));
  const [first, ...rest] = build.columns.slice(0, 1 + random.below(3));
  // Keys of the other side come from this one, or nothing would match.
  const own = valuesOfType(random, type);
  const values = first!.values.map(() => {
    const value = random.chance(0.7) ? random.pick(key.values) : undefined;
    return value === undefined || !isOfType(value, type)
      ? random.chance(0.1) ? null : own()
      : value;
  });
  const columnsOfBuild = [{ name: first!.name, type, values }, ...rest];
  const table: CaseTable = {
    columns: columnsOfBuild,
    batches: build.batches.map(({ rows, seed, layouts }) => ({
      rows,
      seed,
      layouts: Object.fromEntries(
        Object.entries(layouts ?? {}).filter(([name]) =>
          rest.some((column) => column.name === name)
        ),
      ),
    })),
  };
  return [{
    do: "join",
    table,
    left: key.name,
    right: first!.name,
    how: random.pick(fuzzHows),
    suffix: "_2",
    keepKeys: random.chance(0.2),
  }];
}

/** Whether a key of another width of integers is one of this type. */
function isOfType(value: unknown, type: TypeJson): boolean {
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(String(type)) ?? [];
  if (bits === undefined || value === null) return true;
  if ((bits === "64") !== (typeof value === "bigint")) return false;
  const whole = BigInt(value as number);
  const own = sign === "u"
    ? BigInt.asUintN(Number(bits), whole)
    : BigInt.asIntN(Number(bits), whole);
  return own === whole;
}

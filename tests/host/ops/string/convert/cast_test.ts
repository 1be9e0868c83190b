import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  Binary,
  DataType,
  Decimal,
  DurationSecond,
  Field,
  FixedSizeBinary,
  Float64,
  Int64,
  Int8,
  List,
  Null,
  Schema,
  tableFromArrays,
  TimestampMicrosecond,
  TimestampSecond,
  Utf8,
} from "apache-arrow";
import { expr, fromBatches, join, toTable, withColumns } from "../../../../../mod.ts";
import { bindExpr } from "../../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../../ops/expr/compile_exprs.ts";
import { explainKernels } from "../../../../../ops/expr/explain.ts";
import { typeName } from "../../../../../ops/batch/arrow_types.ts";
import { col, lit, printExpr } from "../../../../../ops/expr/expr.ts";
import { ExprError } from "../../../../../base/errors/expr_error.ts";
import { NAMED_TYPES, namedType } from "../../../../../ops/syntax/named_types.ts";
import { castModel, isCastable } from "../../../../support/models/cast_model.ts";
import { bytesColumn, castValues, damagedTexts } from "../../../../support/values/cast_values.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { valuesOf } from "../../../../support/values/host_columns.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { compileTyped, evaluateTyped } from "../../../../support/kernels/programs.ts";
import { someOf } from "../../../../support/random/test_size.ts";

const TYPES: readonly DataType[] = [
  ...NAMED_TYPES,
  new TimestampSecond("UTC"),
  new TimestampMicrosecond("Europe/Paris"),
];
const x = col("x");

Deno.test("every type is named as errors and schemas print it", () => {
  for (const type of TYPES) assertEquals(String(namedType(typeName(type))), String(type));
  assertEquals(String(namedType("date32")), "Date32<DAY>");
  assertEquals(String(namedType("time64[ns]")), "Time64<NANOSECOND>");
  assertEquals(
    String(namedType("timestamp[us, Asia/Tokyo]")),
    "Timestamp<MICROSECOND, Asia/Tokyo>",
  );
  assertEquals(String(namedType("timestamp[s,UTC]")), "Timestamp<SECOND, UTC>");
  for (const type of TYPES) {
    const spelt = DataType.isTimestamp(type) && type.timezone
      ? `timestamp<${["second", "", "microsecond"][type.unit]}, ${type.timezone}>`
      : String(type).toLowerCase();
    assertEquals(String(namedType(spelt)), String(type));
  }
  assertEquals([namedType("INT64"), namedType("timestamp<day>"), namedType("time64[s]")], [
    undefined,
    undefined,
    undefined,
  ]);
});

for (const from of TYPES) {
  Deno.test(`casts of ${typeName(from)} give every value that the other type has`, () =>
    forSeeds(1, (random) => {
      for (const to of someOf(TYPES, 8)) {
        const cast = x.tryCast(typeName(to));
        if (!isCastable(from, to)) {
          assertThrows(
            () => compileTyped(cast, { x: [from, []] }),
            ExprError,
            `Cannot cast x from ${typeName(from)} to ${typeName(to)}; `,
          );
          continue;
        }
        const values = [null, ...castValues(random, from, 60)];
        const { type } = compileTyped(cast, { x: [from, []] });
        assertEquals(String(type), String(to));
        const wanted = values.map((value) => value === null ? null : castModel(value, from, to));
        for (const fuse of [true, false]) {
          const given = evaluateTyped(cast, { x: [from, values] }, fuse);
          given.forEach((value, row) => {
            const same = Object.is(value, wanted[row]);
            assert(same, `${values[row]} to ${typeName(to)}: ${value}, not ${wanted[row]}`);
          });
        }
      }
    }));
}

Deno.test("a cast to the own type and one to more bits is no work, and never null", () => {
  const ways = [["int8", "int64"], ["uint32", "int64"], ["uint8", "uint64"], ["float32", "float64"]]
    .concat([["int64", "timestamp[s]"], ["date32", "int64"], ["string", "binary"]])
    .concat([["timestamp[s]", "timestamp[s, UTC]"], ["float16", "float64"]])
    .concat(TYPES.map((type) => [typeName(type), typeName(type)]));
  for (const [from, to] of ways) {
    const schema = new Schema([new Field("x", namedType(from!)!, false)]);
    const bound = bindExpr(x.cast(to!), schema);
    assertEquals(bound.nullable, false, `${from} to ${to}`);
    assertEquals(compileExprs([bound]).checked, undefined, `${from} to ${to}`);
  }
});

Deno.test("a null is null in every type", () => {
  for (const to of someOf(TYPES, Math.ceil(TYPES.length / 3))) {
    assertEquals(evaluateTyped(lit(null).cast(typeName(to)), {}), [null]);
    const schema = new Schema([new Field("x", new Null(), true)]);
    assertEquals(String(bindExpr(x.cast(typeName(to)), schema).type), String(to));
    for (const from of TYPES.filter((from) => isCastable(from, to))) {
      const given = evaluateTyped(x.cast(typeName(to)), { x: [from, [null, null]] });
      assertEquals(given, [null, null]);
    }
  }
});

Deno.test("bytes are text where they are UTF-8", () => {
  const rows = damagedTexts();
  const column = bytesColumn(rows);
  const { program } = compileTyped(x.tryCast("string"), { x: [new Binary(), []] });
  const [result] = evaluateAround(program, [column], rows.length, testKernels());
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const wanted = rows.map((bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  });
  assertEquals(valuesOf(result!), wanted);
  assert(wanted.filter((text) => text === null).length > 100);
});

Deno.test("an unknown type is a mistake at its place, with the nearest name", () => {
  const cases = [
    ["cast(x, 'int46')", 'cast(): unknown type "int46"; did you mean int16?'],
    ["x.cast('Float64')", 'cast(): unknown type "Float64"; did you mean float64?'],
    ["x.tryCast('varchar')", 'tryCast(): unknown type "varchar"; did you mean string?'],
    ["x.cast('timestamp')", 'unknown type "timestamp"; did you mean timestamp[us]?'],
    ["x.cast('timestamp<second, >')", "did you mean timestamp[s]?"],
    ["x.cast('q')", 'unknown type "q"; there are int8, int16, '],
    ["x.cast('decimal(40, 2)')", "38 are the most"],
    ["x.cast('decimal(4, 5)')", 'unknown type "decimal(4, 5)"; decimal(10, 2) has 10 digits'],
    ["x.cast('float64', { decimal: ';' })", 'cast(): decimal is "." or ","'],
    ["x.cast(64)", "cast(): the type is a text, such as int64"],
    ["x.cast()", "cast(type, decimal?) needs type"],
    ["x.cast(x)", "cast(type, decimal?): type must be a literal"],
  ];
  for (const [text, message] of cases) {
    const error = assertThrows(() => expr(text!), ExprError);
    assert(error.message.includes(message!), error.message);
    assert(!error.message.includes("\n"));
  }
});

Deno.test("what has no cast is an error that says what has", () => {
  const cases: [DataType, string, string][] = [
    [
      new Float64(),
      "date32",
      "from float64 to date32; float64 is cast to integers, floats, decimals, bool and string",
    ],
    [
      new DurationSecond(),
      "date32",
      "to date32; duration[s] is cast to integers, string and",
    ],
    [
      new List(new Field("item", new Int8(), true)),
      "int8",
      "from list<int8> to int8; nothing is cast from list<int8>",
    ],
    [
      new Decimal(2, 10, 128),
      "date32",
      "decimal128(10, 2) is cast to integers, floats, decimals and string",
    ],
    [new FixedSizeBinary(4), "string", "nothing is cast from fixed_size_binary[4]"],
  ];
  for (const [type, to, message] of cases) {
    const schema = new Schema([new Field("x", type, true)]);
    const error = assertThrows(() => bindExpr(expr(`x.cast("${to}")`), schema), ExprError);
    assert(
      error.message.startsWith("Cannot cast x from ") && error.message.includes(message),
      error.message,
    );
  }
});

Deno.test("a cast fuses with what is around it, and explain shows the type", () => {
  const schema = new Schema([
    new Field("age", new Utf8(), true),
    new Field("n", new Int64(), true),
  ]);
  const bound = bindExpr(expr('age.strip().cast("int8") == n.tryCast("int8")'), schema);
  const lines = explainKernels(compileExprs([bound], { names: ["age", "n"] })).split("\n");
  assertEquals(lines, [
    'kernel 1: age.strip().cast("int8") == n.tryCast("int8")',
    "  reads: age, n",
    '  fuses: strip, cast("int8"), tryCast("int8"), ==',
    '  may fail: cast(strip(age), "int8")',
    "results: kernel 1",
  ]);
});

Deno.test("a cast is printed as it is written", () => {
  assertEquals(printExpr(expr("cast(name, 'int64')")), 'name.cast("int64")');
  assertEquals(
    printExpr(x.tryCast("timestamp[s, UTC]")),
    'x.tryCast("timestamp[s, UTC]")',
  );
});

Deno.test("keys of other types are equal as a type that holds both", async () => {
  const left = tableFromArrays({ id: BigInt64Array.of(1n, 2n, 3n, 2n ** 53n) });
  const right = tableFromArrays({
    id: ["3", "1", "9007199254740993"],
    city: ["Lagos", "Lima", "Oslo"],
  });
  const cities = fromBatches(right).pipeThrough(withColumns({ id: expr('cast(id, "int64")') }));
  const joined = await toTable(fromBatches(left).pipeThrough(join(cities, { on: "id" })));
  assertEquals(joined.toArray().map(({ id, city }) => [id, city]), [[1n, "Lima"], [3n, "Lagos"]]);
});

Deno.test("a stream has columns of every type, on the host as Arrow stores them", async () => {
  const table = tableFromArrays({ n: BigInt64Array.of(0n, 1n, 1n) });
  for (const to of TYPES.filter((to) => isCastable(new Int64(), to))) {
    const name = typeName(to);
    const given = await toTable(
      fromBatches(table).pipeThrough(withColumns({ x: expr(`n.tryCast("${name}")`) })),
    );
    const column = given.getChild("x")!;
    assertEquals(String(column.type), String(to));
    const wanted = castModel(1n, new Int64(), to);
    assertEquals(column.nullCount, wanted === null ? 2 : 0, name);
    const value = column.data[0]!.values[1];
    if (DataType.isUtf8(to)) assertEquals(column.get(1), "1");
    else if (DataType.isBool(to)) assertEquals(column.get(1), true);
    // Arrow JavaScript keeps halves as their bits.
    else if (DataType.isFloat(to) && to.precision === 0) assertEquals(value, 0x3c00);
    else if (wanted !== null) assertEquals(value, wanted, name);
  }
  const bytes = await toTable(
    fromBatches(tableFromArrays({ s: ["é", null, ""] }))
      .pipeThrough(withColumns({ b: expr("s.cast('binary')") }))
      .pipeThrough(withColumns({ t: expr("b.cast('string')") })),
  );
  assertEquals([...bytes.getChild("b")!], [Uint8Array.of(0xc3, 0xa9), null, new Uint8Array()]);
  assertEquals([...bytes.getChild("t")!], ["é", null, ""]);
});

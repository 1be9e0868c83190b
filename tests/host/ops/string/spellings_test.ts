import { assertEquals } from "@std/assert";
import { Int64, Uint64, Utf8 } from "apache-arrow";
import { col } from "../../../../ops/expr/expr.ts";
import {
  INTEGER_EDGES,
  integerOf,
  ODD_INTEGERS,
  randomInteger,
} from "../../../support/values/number_texts.ts";
import { askPython, pythonTest } from "../../../support/judges/python.ts";
import { randomText } from "../../../support/random/random_text.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const x = col("x");
const texts = (values: readonly (string | null)[]) => ({ x: [new Utf8(), values] }) as const;

Deno.test("isInteger() is true exactly where toInteger() reads an integer", () =>
  forSeeds(fewOr(6, 20), (random) => {
    const near = INTEGER_EDGES.flatMap((edge) => [`${edge}`, `00${edge}`, `${edge}0`]);
    const values = [
      ...near,
      ...ODD_INTEGERS,
      ...Array.from({ length: 200 }, () => randomInteger(random)),
    ];
    assertEquals(
      evaluateTyped(x.isInteger(), texts(values)),
      values.map((text) => integerOf(text) !== null),
    );
    assertEquals(evaluateTyped(x.isInteger(), texts([null])), [null]);
  }));

Deno.test("toBoolean() takes true and false in any case, and nothing else", () => {
  const values = [
    "true",
    "TRUE",
    "tRuE",
    "false",
    "False",
    "t",
    "1",
    "",
    "true ",
    "fals\u0045",
    "yes",
  ];
  const wanted = [true, true, true, false, false, null, null, null, null, false, null];
  assertEquals(evaluateTyped(x.toBoolean(), texts(values)), wanted);
  // A byte that differs from a letter in the bit of the case alone.
  assertEquals(evaluateTyped(x.toBoolean(), texts(["TRU\u0005", "\u0054rue"])), [null, true]);
});

const HEX = [
  "",
  "-",
  "0x",
  "-0x",
  "0",
  "00000000000000000000ff",
  "0xFF",
  "+0xff",
  "-0x80",
  "f_f",
  " f",
  "g",
  "0x0x1",
]
  .concat(INTEGER_EDGES.flatMap((edge) => [edge.toString(16), edge.toString(16).toUpperCase()]));

pythonTest("hexToInteger() agrees with Python's int(text, 16) within 64 bits", async () => {
  const answers = await askPython(HEX.map((text) => ({ op: "hex", text, args: [] })));
  const wanted = HEX.map((text, row) => {
    const value = answers[row] === null || /[_ ]/.test(text) ? null : BigInt(String(answers[row]));
    return value !== null && BigInt.asIntN(64, value) === value ? value : null;
  });
  assertEquals(evaluateTyped(x.hexToInteger(), texts(HEX)), wanted);
});

Deno.test("integerToHex() writes what hexToInteger() reads", () => {
  const signed = INTEGER_EDGES.map((edge) => BigInt.asIntN(64, edge));
  const unsigned = INTEGER_EDGES.map((edge) => BigInt.asUintN(64, edge));
  const columns = { x: [new Int64(), signed] } as const;
  assertEquals(evaluateTyped(x.integerToHex(), columns), signed.map((value) => value.toString(16)));
  assertEquals(evaluateTyped(x.integerToHex().hexToInteger(), columns), signed);
  assertEquals(
    evaluateTyped(x.integerToHex(), { x: [new Uint64(), unsigned] }),
    unsigned.map((value) => value.toString(16)),
  );
});

pythonTest(
  "ipv4ToInteger() agrees with Python's ipaddress, and integerToIpv4() writes it back",
  () =>
    forSeeds(fewOr(1, 3), async (random) => {
      const part = () =>
        random.pick(["0", "1", "9", "10", "99", "100", "255", "256", "01", "", "1000", "a"]);
      const values = [
        ...[
          "",
          ".",
          "1.2.3",
          "1.2.3.4.5",
          "1.2.3.",
          ".1.2.3",
          "1.2.3.4 ",
          "0.0.0.0",
          "255.255.255.255",
        ],
        ...Array.from({ length: 300 }, () => [part(), part(), part(), part()].join(".")),
        ...Array.from({ length: 100 }, () => [4, 3, 2, 1].map(() => random.below(256)).join(".")),
      ];
      const answers = await askPython(values.map((text) => ({ op: "ipv4", text, args: [] })));
      const wanted = answers.map((answer) => answer === null ? null : BigInt(String(answer)));
      assertEquals(evaluateTyped(x.ipv4ToInteger(), texts(values)), wanted);
      assertEquals(
        evaluateTyped(x.ipv4ToInteger().integerToIpv4(), texts(values)),
        values.map((text, row) => wanted[row] === null ? null : text),
      );
    }),
);

Deno.test("integerToIpv4() is null outside of 32 bits without a sign", () => {
  const values = [-1n, 0n, 2n ** 32n - 1n, 2n ** 32n, -(2n ** 63n), 2n ** 63n - 1n];
  assertEquals(evaluateTyped(x.integerToIpv4(), { x: [new Int64(), values] }), [
    ...[null, "0.0.0.0", "255.255.255.255", null, null, null],
  ]);
});

pythonTest(
  "urlEncode() and urlDecode() agree with Python's quote and unquote",
  () =>
    forSeeds(fewOr(1, 3), async (random) => {
      const escapes = [
        "%",
        "%4",
        "%41",
        "%zz",
        "%C3",
        "%A9",
        "%c3%a9",
        "%E0",
        "%E0%A0",
        "%ED%A0",
        "%80",
      ]
        .concat([
          "%F0%9F%99%82",
          "%F0%9F",
          "%F4%90",
          "%F5",
          "%C0%80",
          "%20",
          "+",
          "a",
          "é",
          "%25",
          "%00",
        ]);
      const values = [
        Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join(""),
        "\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}",
        ...Array.from({ length: 200 }, () => randomText(random, 9)),
        ...Array.from(
          { length: 600 },
          () => Array.from({ length: random.below(6) }, () => random.pick(escapes)).join(""),
        ),
      ];
      const encoded = await askPython(values.map((text) => ({ op: "quote", text, args: [] })));
      assertEquals(evaluateTyped(x.urlEncode(), texts(values)), encoded);
      const decoded = await askPython(values.map((text) => ({ op: "unquote", text, args: [] })));
      assertEquals(evaluateTyped(x.urlDecode(), texts(values)), decoded);
      assertEquals(evaluateTyped(x.urlEncode().urlDecode(), texts(values)), values);
      const ascii = values.filter((text) => /^[\0-\x7f]*$/.test(text));
      assertEquals(evaluateTyped(x.urlEncode().urlDecode(), texts(ascii)), ascii);
    }),
);

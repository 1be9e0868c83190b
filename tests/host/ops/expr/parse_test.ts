import { assert, assertEquals, assertThrows } from "@std/assert";
import { Field, Schema, Utf8 } from "apache-arrow";
import { filter, fromBatches, join, withColumns } from "../../../../mod.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { defineStringOp } from "../../../../ops/string/define/define_string_op.ts";
import { col, concat, type Expr, lit, makeExpr, right, when } from "../../../../ops/expr/expr.ts";
import { ExprError, showPlace } from "../../../../base/errors/expr_error.ts";
import type { ExprNode } from "../../../../ops/syntax/node.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";

const partitioned = col("a").partition(" ").node;

const SAME: readonly (readonly [text: string, built: Expr])[] = [
  ["name", col("name")],
  ["naïve", col("naïve")],
  ['col("first name")', col("first name")],
  ["(name)", col("name")],
  ["'text'", lit("text")],
  ["12", lit(12)],
  ["-12", lit(-12)],
  ["1.5e3", lit(1500)],
  ["123n", lit(123n)],
  ["-9223372036854775808", lit(-9223372036854775808n)],
  ["18446744073709551615", lit(18446744073709551615n)],
  ["true", lit(true)],
  ["null", lit(null)],
  ["NaN", lit(NaN)],
  ["a == b", col("a").eq(col("b"))],
  ["a === b", col("a").eq(col("b"))],
  ["a != b", col("a").ne(col("b"))],
  ["a !== b", col("a").ne(col("b"))],
  ["a < 1", col("a").lt(1)],
  ["a <= 1", col("a").le(1)],
  ["a > -1", col("a").gt(-1)],
  ["1 >= a", lit(1).ge(col("a"))],
  ["a && b || !c", col("a").and(col("b")).or(col("c").not())],
  ["a || b && c", col("a").or(col("b").and(col("c")))],
  ["a ? b : c ? d : e", when(col("a"), col("b"), when(col("c"), col("d"), col("e")))],
  ["a + b + 'x'", col("a").add(col("b")).add("x")],
  ["a - b - c", col("a").sub(col("b")).sub(col("c"))],
  ["a - (b - 1)", col("a").sub(col("b").sub(1))],
  ["a * b / c % 2", col("a").mul(col("b")).div(col("c")).rem(2)],
  ["a + b * -c", col("a").add(col("b").mul(col("c").neg()))],
  ["a ** b ** 2", col("a").pow(col("b").pow(2))],
  ["(-2) ** a", lit(-2).pow(col("a"))],
  ["-(2)", lit(2).neg()],
  ["- -a", col("a").neg().neg()],
  ["a - -5", col("a").sub(-5)],
  ["1_000 * a", lit(1000).mul(col("a"))],
  ["9_007_199_254_740_993", lit(9007199254740993n)],
  [
    "~a & b | c << 2 >> d",
    col("a").bitNot().bitAnd(col("b")).bitOr(
      col("c").shiftLeft(2).shiftRight(col("d")),
    ),
  ],
  ["a & b == c", col("a").bitAnd(col("b").eq(col("c")))],
  ["a.sub(b)", col("a").sub(col("b"))],
  ["a.b", col("a").field("b")],
  ["a.b.c.upper()", col("a").field("b").field("c").upper()],
  ['a["post code"].b', col("a").field("post code").field("b")],
  ["a.length", col("a").field("length")],
  ["a.field('b')", col("a").field("b")],
  ["a[0]", col("a").get(0)],
  ["a[-1].b[i]", col("a").get(-1).field("b").get(col("i"))],
  ["right.a.b", right("a").field("b")],
  ['col("right").a', col("right").field("a")],
  ["right[0]", col("right").get(0)],
  ["a.partition(' ').before", makeExpr({ ...partitioned, part: "before" } as ExprNode)],
  ["add(a, b)", col("a").add(col("b"))],
  ["a.between(1, b)", col("a").ge(1).and(col("a").le(col("b")))],
  ["a.isNotNull()", col("a").isNull().not()],
  ["a.nullIf('')", when(col("a").eq(""), null, col("a"))],
  ["a.floorDiv(b).mod(7)", col("a").floorDiv(col("b")).mod(7)],
  ["(a * b).orNull()", col("a").mul(col("b")).orNull()],
  ["name.upper()", col("name").upper()],
  ["upper(name)", col("name").upper()],
  ["name.splitPart(' ', 1).slice(0, 1)", col("name").splitPart(" ", 1).slice(0, 1)],
  ["name.slice(null, null, -1)", col("name").slice(null, null, -1)],
  ["name.slice(1, null)", col("name").slice(1)],
  ["name.strip()", col("name").strip()],
  ["name.isNull()", col("name").isNull()],
  ["isNull(name)", col("name").isNull()],
  ["name.fillNull('?')", col("name").fillNull("?")],
  ["test.ifElse(1, 2)", col("test").ifElse(1, 2)],
  ["a.concat(b, 'c')", concat(col("a"), col("b"), "c")],
  ["concat(a, b, { separator: ', ' })", concat(col("a"), ", ", col("b"))],
  [
    "concat(a, b, { separator: '-', nulls: '' })",
    concat(col("a").fillNull(""), "-", col("b").fillNull("")),
  ],
  ["'abc'.length()", lit("abc").length()],
  ["name // the name\n .upper()", col("name").upper()],
  ["start <= right.t", col("start").le(right("t"))],
  ['right["first name"].upper()', right("first name").upper()],
  ["right.upper.lower()", right("upper").lower()],
  ["right.upper()", col("right").upper()],
];

Deno.test("parseExpr() gives what the methods give", async (t) => {
  for (const [text, built] of SAME) {
    await t.step(text, () => assertEquals(parseExpr(text).node, built.node));
  }
});

const OPTIONAL = "Optional chaining is not supported; what is computed of null is null: a.abs()";
const CHOICE = "a choice is written test ? a : b, or ifElse(test, a, b)";
const MISTAKES: readonly (readonly [text: string, carets: string, message: string])[] = [
  ["", "^", "The expression is empty"],
  ["a +", "   ^", "The expression ends too early"],
  ["a.upper(", "        ^", "The expression ends too early"],
  ["a + )", "    ^", 'Unexpected ")"'],
  ["a b", "  ^", "The expression should have ended here"],
  ["a; b.upper()", " ^^^^^^^^^^^", "The expression should have ended here"],
  ["'abc", "^", "Unterminated string constant"],
  [
    "a ^ 2",
    "^^^^^",
    "The operator ^ is not supported; ** is the power, and bitXor() compares bits",
  ],
  ["a >>> b", "^^^^^^^", "The operator >>> is not supported; >> shifts bits"],
  [
    "+a",
    "^^",
    "The operator + is not supported; toInteger() and toFloat() read a number",
  ],
  [
    "-a ** b",
    "   ^",
    'Unexpected "*"; a sign in front of a power needs brackets: -(a ** b)',
  ],
  [
    "a mod b",
    "  ^^^^^",
    "The expression should have ended here; % is the remainder, with the sign of the dividend; mod() " +
    "has that of the divisor",
  ],
  [
    "a // b",
    "  ^^^^",
    "The expression should have ended here; floorDiv() is whole division, a.floorDiv(b), and // starts " +
    "a comment",
  ],
  ["a.isNotNull(1)", "  ^^^^^^^^^^^^", "isNotNull() takes 0 values"],
  ["a.is_between(1, 2)", "  ^^^^^^^^^^", "Unknown operation is_between; it is called between here"],
  [
    "date_trunc(a, 'day')",
    "^^^^^^^^^^",
    'Unknown operation date_trunc; it is called truncate here: day.truncate("month")',
  ],
  ["a.minus(b)", "  ^^^^^", "Unknown operation minus; it is called sub here"],
  ["power(a, 2)", "^^^^^", "Unknown operation power; it is called pow here"],
  ["a.add('x', 1)", "  ^^^^^^^^^^^", "add(other) takes no more than 1 argument"],
  ["(a * b).orNull(1)", "        ^^^^^^^^^", "orNull() takes 0 values"],
  ["a ?? b", "^^^^^^", "The operator ?? is not supported; use fillNull()"],
  ["a = 1", "^^^^^", "Assignment is not supported; == compares"],
  [
    "a =~ /b/",
    "^^^^^^^^",
    "The operator =~ is not supported; containsRe() looks for a pattern: text.containsRe(/pattern/)",
  ],
  ["a = ~b", "^^^^^^", "Assignment is not supported; == compares"],
  ["a++", "^^^", "Assignment is not supported"],
  ["`x`", "^^^", "Templates are not supported; + joins text"],
  ["/x/", "^^^", "Regular expressions are not supported"],
  ["name.upper(() => 1)", "           ^^^^^^^", "Functions are not supported"],
  ["[a]", "^^^", "Lists are not supported"],
  ["a, b", "^^^^", "A list of expressions is not supported"],
  [
    "unnest(a)",
    "^^^^^^",
    "unnest() is not supported; parts are read one by one: city = address.city, tag = tags[0]",
  ],
  [
    "struct_extract(a, 'b')",
    "^^^^^^^^^^^^^^",
    "Unknown operation struct_extract; it is called field here",
  ],
  ["a.getfield('b')", "  ^^^^^^^^", "Unknown operation getfield; it is called field here"],
  [
    "a.field(b)",
    "  ^^^^^^^^",
    'field() takes the name of a field, in quotes: address.field("city")',
  ],
  ["array_length(a)", "^^^^^^^^^^^^", "Unknown operation array_length; it is called length here"],
  ["a.list.len()", "       ^^^", "Unknown operation len; it is called length here"],
  ["element_at(a, 0)", "^^^^^^^^^^", "Unknown operation element_at; it is called get here"],
  ["json_extract(a, 'b')", "^^^^^^^^^^^^", "Unknown operation json_extract; it is called at here"],
  [
    "a ->> 'b'",
    "   ^",
    'Unexpected ">"; at() reads JSON text: event.at("user.id"); a field of a struct is address.city',
  ],
  ["a.at('$.b')", "  ^^^^^^^^^", 'at(): a path starts with a key, without $: "b"'],
  ["a[1.5]", "^^^^^^", "get(index): index must be a whole number"],
  ["a['upper']()", "^^^^^^^^^^", "Only operations can be called, by their names"],
  ["a?.upper()", "^^^^^^^^^^", OPTIONAL],
  ["right?.a", "^^^^^^^^", OPTIONAL],
  ["name.uper()", "     ^^^^", "Unknown operation uper; did you mean upper?"],
  ["name.valueOf()", "     ^^^^^^^", "Unknown operation valueOf"],
  ["splitpart(a, ' ', 0)", "^^^^^^^^^", "Unknown operation splitpart; did you mean splitPart?"],
  ["a.upper(1)", "  ^^^^^^^^", "upper() takes no arguments"],
  ["upper()", "^^^^^^^", "upper() needs the text that it works on"],
  ["a.contains()", "  ^^^^^^^^^^", "contains(target) needs target"],
  ["a.splitPart(1, 1)", "  ^^^^^^^^^^^^^^^", "splitPart(delimiter, index): delimiter must be text"],
  [
    "a.splitPart(' ', 'x')",
    "  ^^^^^^^^^^^^^^^^^^^",
    "splitPart(delimiter, index): index must be a whole number",
  ],
  ["a.splitPart('', 1)", "  ^^^^^^^^^^^^^^^^", "splitPart(): the delimiter is empty"],
  ["a.replace('', 'x')", "  ^^^^^^^^^^^^^^^^", "replace(): the target is empty"],
  ["a.slice(0, 9, 0)", "  ^^^^^^^^^^^^^^", "slice(): the step is 0"],
  ["a.slice(0, 9, b)", "  ^^^^^^^^^^^^^^", "slice(): the step must be a literal"],
  [
    "a.slice(2147483648)",
    "  ^^^^^^^^^^^^^^^^^",
    "slice(start?, stop?, step?): start must fit in 32 bits, but 2147483648 does not",
  ],
  ["a.isNull(1)", "  ^^^^^^^^^", "isNull() takes 0 values"],
  ["a.fillNull()", "  ^^^^^^^^^^", "fillNull() takes 1 value"],
  ["col(1)", "^^^^^^", 'col() takes the name of a column: col("first name")'],
  ["concat(a, {sep: ','})", "           ^^^", "Unknown option sep"],
  ["concat(a, {nulls: b})", "           ^^^^^^^^", "Options are written as name: text"],
  ["'\\ud800' + a", "^^^^^^^^", "Text with a lone surrogate cannot be written as UTF-8"],
  ["if(k == 1, 2, 3)", "^^", `Unexpected "if"; ${CHOICE}`],
  [
    "CASE WHEN a THEN b END",
    "     ^^^^^^^^^^^^^^^^^",
    `The expression should have ended here; ${CHOICE}`,
  ],
  ["not a", "    ^", "The expression should have ended here; ! stands for not"],
  ["a AND b", "  ^^^^^", "The expression should have ended here; && stands for and"],
  ["a <> b", "   ^", 'Unexpected ">"; != stands for <>'],
  [
    "a in ['x']",
    "^^^^^^^^^^",
    'The operator in is not supported; isIn() asks for one of several values: state.isIn(["CA", "NV"])',
  ],
  [
    "a between 1 and 2",
    "  ^^^^^^^^^^^^^^^",
    "The expression should have ended here; between() is a method: a.between(low, high)",
  ],
  [
    "cast(a as int64)",
    "       ^^",
    'Unexpected "as"; a type is cast to by its name: cast(a, "int64"); a column is named in with: ' +
    "name = expression",
  ],
  ["hash(a)", "^^^^", "hash() is not supported yet"],
  ["avg(a)", "^^^", "avg() is over many rows: group computes it as mean(x)"],
  ["count(*)", "      ^", 'Unexpected "*"; count() is the number of rows'],
  ["var(a)", "^^^", 'Unexpected "var"; variance(x) is the variance'],
  [
    "lag(a)",
    "^^^",
    "lag() is over many rows, which is not supported yet: an expression sees one row",
  ],
  [
    "a.match(/x/)",
    "  ^^^^^",
    "match() is not here; containsRe tells whether the text has a match, extract takes it",
  ],
  [
    String.raw`a.redact("[\w.+-]+@")`,
    "           ^^",
    String
      .raw`\w is not an escape in quoted text; a pattern is written /[\w.+-]+@/, and a backslash in text is \\`,
  ],
  [
    String.raw`col("C:\data")`,
    "       ^^",
    String
      .raw`\d is not an escape in quoted text; a pattern is written /C:\data/, and a backslash in text is \\`,
  ],
  [
    String.raw`a.replaceRe(/(x)/, "<\1>")`,
    "                     ^^",
    String
      .raw`\1 is not an escape in quoted text; in a replacement $1 is group 1, and a backslash is \\`,
  ],
  [
    String.raw`a.containsRe("\bx")`,
    "  ^^^^^^^^^^^^^^^^^",
    String
      .raw`containsRe(): the pattern has a backspace, which \b is in quoted text; it is written /\b/, or "\\b"`,
  ],
  [
    "'🙂' + a ^ b",
    "^^^^^^^^^^^",
    "The operator ^ is not supported; ** is the power, and bitXor() compares bits",
  ],
];

Deno.test("a mistake in an expression is told with its place", async (t) => {
  for (const [text, carets, message] of MISTAKES) {
    await t.step(text, () => {
      const error = assertThrows(() => parseExpr(text), ExprError);
      assertEquals(error.message, message);
      assertEquals(error.place && showPlace(error.place), `${text}\n${carets}`);
    });
  }
});

Deno.test("showPlace() shows the line of the place and no other", () => {
  const error = assertThrows(() => parseExpr("name\n  .uper()\n  .lower()"), ExprError);
  assertEquals(error.place && showPlace(error.place), "  .uper()\n   ^^^^");
});

Deno.test("showPlace() and messages quote an expression of ten million characters in part", () => {
  const long = "x".repeat(10_000_000);
  const unknown = assertThrows(() => parseExpr(`"${long}".uper() + "${long}"`), ExprError);
  assertEquals(
    showPlace(unknown.place!),
    `…${"x".repeat(58)}".uper() + "${"x".repeat(34)}…\n${" ".repeat(61)}^^^^`,
  );
  const deep = assertThrows(() => parseExpr(`${long} ${long}`), ExprError);
  const [line = "", carets = ""] = showPlace(deep.place!).split("\n");
  assertEquals([line.length, carets], [182, `${" ".repeat(61)}${"^".repeat(80)}`]);
  const emoji = assertThrows(() => parseExpr(`"${"🙂".repeat(400)}" 5`), ExprError);
  assert(showPlace(emoji.place!).isWellFormed());
  const schema = new Schema([new Field("a", new Utf8(), true)]);
  const types = assertThrows(() => bindExpr(parseExpr(`a + "${long}" + 5`), schema), ExprError);
  assert(types.message.length < 1100 && types.message.includes(" … "), types.message.slice(0, 80));
});

Deno.test("text with every escape of JavaScript is what JavaScript reads, and prints as it was", () => {
  const text = String.raw`"\n\t\r\b\f\v\0\\\'\"\/\x41\u00e9\u{1f642}"`;
  const parsed = parseExpr(text);
  assertEquals(parsed.node, lit("\n\t\r\b\f\v\0\\'\"/A\u00e9🙂").node);
  assertEquals(parseExpr(String(parsed)).node, parsed.node);
  const letters = "acdeghijklmopqswyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (const char of `${letters}123456789.$^*+?()[]{}|-! é`) {
    assertThrows(() => parseExpr(`"\\${char}"`), ExprError, "is not an escape");
  }
});

Deno.test("a test of text alone is refused where it was written, and nowhere else", () => {
  const meant = (text: string, name: string) =>
    `${text} reads no column, only text in quotes; write names without quotes, as ${name}, and ` +
    'names with blanks as col("Major Genre")';
  const cases: [string, string, string][] = [
    ['"origin" == "SFO"', "origin", "^^^^^^^^^^^^^^^^^"],
    ['"Major Genre".isNull()', "origin", "^^^^^^^^^^^^^^^^^^^^^^"],
    ['"origin".upper().isIn(["SFO"])', "origin", "^".repeat(30)],
    ['"origin".contains("SF")', "origin", "^^^^^^^^^^^^^^^^^^^^^^^"],
    ['delay > 5 || !("origin" < "b")', "origin", "               ^^^^^^^^^^^^^^"],
  ];
  for (const [text, name, carets] of cases) {
    const error = assertThrows(() => filter(parseExpr(text)), ExprError);
    const part = text.slice(carets.indexOf("^"), carets.length);
    assertEquals(error.message, meant(part, name));
    assertEquals(showPlace(error.place!), `${text}\n${carets}`);
    assertThrows(
      () => join(fromBatches([]), { where: parseExpr(text) }),
      ExprError,
      "reads no column",
    );
  }
  assertThrows(() => withColumns({ b: parseExpr('"a" == "b" ? 1 : 2') }), ExprError, "no column");
  const allowed = ["true", '"a".upper()', '"a".contains("b")', '1 == 1 ? "a" : "b"', '"a" + name'];
  for (const text of allowed) withColumns({ b: parseExpr(text) });
  for (const text of ["true", "1 == 1", 'a == "x" && "x" != a', 'lit || "x"']) {
    filter(parseExpr(text));
  }
  // What was built is meant, and so is a column that a rewrite replaces by its text.
  filter(lit("a").eq("b"));
});

Deno.test("parseExpr() knows the operations that it is given, and no others", () => {
  const shout = defineStringOp({
    name: "shout",
    kind: "map",
    row(out, char) {
      out.put(char);
    },
  });
  const parsed = parseExpr("name.shout()", { operations: [shout] });
  assertEquals(parsed.node, shout(col("name")).node);
  assertThrows(() => parseExpr("name.shout()"), ExprError, "Unknown operation shout");
  assertThrows(() => parseExpr("name.upper()", { operations: [shout] }), ExprError, "upper");
});

Deno.test("mistakes in a builder surface where they are written", () => {
  assertThrows(() => col("a").splitPart("", 1), RangeError, "the delimiter is empty");
  assertThrows(() => col("a").slice(0.5), TypeError, "start must be a whole number");
  assertThrows(() => lit("\ud800"), TypeError, "lone surrogate");
  assertThrows(() => concat(), TypeError, "at least one");
  // deno-lint-ignore no-explicit-any -- what a caller without types could write
  assertThrows(() => col("a").eq(undefined as any), TypeError, "a literal is needed");
  // deno-lint-ignore no-explicit-any -- as above
  assertThrows(() => col(3 as any), TypeError, "name of a column");
});

Deno.test("expressions are immutable", () => {
  const expr = col("a").upper();
  assertEquals(Object.isFrozen(expr), true);
  assertEquals(Object.isFrozen(expr.node), true);
});

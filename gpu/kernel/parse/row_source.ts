/**
 * The source of a row function, as acorn parses it.
 *
 * @module
 */

import { type Expression, type Function as FunctionNode, type Node, parse } from "acorn";
import { KernelError } from "../../../base/errors/expr_error.ts";

const MAX_SNIPPET = 40;

/** The source of one row function, and errors that point into it. */
export class RowSource {
  /** The name of the operation, for errors. */
  readonly operation: string;
  readonly text: string;
  /** The function as acorn parsed it; its positions are those in `text`. */
  readonly node: FunctionNode;

  constructor(operation: string, row: unknown) {
    this.operation = operation;
    if (typeof row !== "function") {
      throw new KernelError(`${operation}: row must be a function, not ${typeof row}`);
    }
    this.text = Function.prototype.toString.call(row);
    if (/\{\s*\[native code\]\s*\}$/.test(this.text)) {
      throw new KernelError(
        `${operation}: the source of a bound or native function cannot be read`,
      );
    }
    this.node = parseFunction(this.text) ?? this.#unreadable();
  }

  /** Throws the error for a construct, with its place. */
  fail(node: Pick<Node, "start" | "end">, message: string): never {
    throw this.errorAt(node, message);
  }

  /** Returns the error for a construct, with its place. */
  errorAt(node: Pick<Node, "start" | "end">, message: string): KernelError {
    const before = this.text.slice(0, node.start).split("\n");
    const column = (before.at(-1) ?? "").length + 1;
    const snippet = this.text.slice(node.start, node.end).replace(/\s+/g, " ");
    const shown = snippet.length > MAX_SNIPPET ? `${snippet.slice(0, MAX_SNIPPET)}...` : snippet;
    return new KernelError(
      `${this.operation}: ${message} (line ${before.length}, column ${column}: ${shown})`,
    );
  }

  #unreadable(): never {
    throw new KernelError(`${this.operation}: the source of row cannot be parsed as a function`);
  }
}

/** A method in shorthand parses only inside an object, and every other form only outside one. */
function parseFunction(text: string): FunctionNode | null {
  // Parsed this way, an arrow function is a syntax error, which costs more than parsing it.
  const isArrow = /^(\(|[\w$]+\s*=>)/.test(text);
  const method = isArrow ? null : parseExpression(text, "({", "})");
  if (method?.type === "ObjectExpression") {
    const property = method.properties[0];
    if (
      property?.type === "Property" && property.kind === "init" && isFunction(property.value)
    ) {
      return property.value;
    }
  }
  const plain = parseExpression(text, " (", ")");
  return plain !== null && isFunction(plain) ? plain : null;
}

/** Parses with `before` on a line that does not count, so positions are those in `text`. */
function parseExpression(text: string, before: string, after: string): Expression | null {
  try {
    const program = parse(before + text + after, { ecmaVersion: "latest" });
    const statement = program.body[0];
    if (statement?.type !== "ExpressionStatement") return null;
    shift(statement, -before.length);
    return statement.expression;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function shift(node: Node, by: number): void {
  node.start += by;
  node.end += by;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child !== null && typeof child === "object" && typeof child.type === "string") {
        shift(child, by);
      }
    }
  }
}

function isFunction(node: Expression): node is Expression & FunctionNode {
  return node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";
}

import { ConstantView } from "./constant_view.ts";
import { type Constant, interpret } from "./interpret.ts";
import type { Tree } from "../tree/tree.ts";
import { childrenOf, withChildren } from "../tree/tree_facts.ts";

type Literal = Tree & { node: "literal" };

/** Replaces what is known at compile time: calls on literals, and literals that stand together. */
export function foldTree(tree: Tree): Tree {
  const children = childrenOf(tree);
  if (children.length === 0) return tree;
  const folded = withChildren(tree, children.map(foldTree));
  if (folded.node === "call") return foldCall(folded);
  return folded.node === "concat" ? { ...folded, parts: joinLiterals(folded.parts) } : folded;
}

function foldCall(tree: Tree & { node: "call" }): Tree {
  const literals = childrenOf(tree).filter((child): child is Literal => child.node === "literal");
  if (literals.length < tree.args.length + 1) return tree;
  if (literals.some(({ value }) => value === null)) {
    return { node: "literal", value: null, type: tree.type };
  }
  const [text = 0, ...args] = literals.map(({ value }) => constant(value));
  const result = interpret(tree.fn, text, args);
  if (result === null) return tree;
  if (result.is === "null") return { node: "literal", value: null, type: tree.type };
  const value = result.is === "text" ? new ConstantView(result.bytes) : result.value;
  if (!(value instanceof ConstantView)) return { node: "literal", value, type: tree.type };
  const decoded = decode(value.bytes);
  return decoded === null ? tree : { node: "literal", value: decoded, type: tree.type };
}

function constant(value: Literal["value"]): Constant {
  if (typeof value === "string") return new ConstantView(new TextEncoder().encode(value));
  return typeof value === "boolean" ? value : Number(value);
}

/** The text of bytes, or null where they were cut inside of a character. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function joinLiterals(parts: readonly Tree[]): Tree[] {
  const joined: Tree[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (
      part.node === "literal" && last?.node === "literal" &&
      typeof part.value === "string" && typeof last.value === "string"
    ) {
      joined[joined.length - 1] = { ...last, value: last.value + part.value };
    } else {
      joined.push(part);
    }
  }
  return joined;
}

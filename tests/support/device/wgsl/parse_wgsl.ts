/** Reads WGSL, as far as the kernels use it; throws for anything else. */

import type { Expr, Func, Global, Module, Param, Stmt, Type } from "./ast.ts";

const TOKEN =
  /\s+|\/\/[^\n]*|(0x[0-9a-fA-F]+[ui]?|\d+\.?\d*[uif]?|[A-Za-z_]\w*|->|<<=|>>=|&&|\|\||==|!=|<=|>=|<<|>>|\+\+|--|[-+*/%&|^]=|[-+*/%&|^!~<>=(){}[\].,:;@])/gy;

/** Binary operators, those that bind less before the others. */
const OPERATORS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

/** Names that types begin with when they are called. */
const TYPED_CALLS = /^(bitcast|array|vec[234])$/;

export function parseWgsl(code: string): Module {
  return new Parser(code).module();
}

class Parser {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(code: string) {
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < code.length) {
      const start = TOKEN.lastIndex;
      const match = TOKEN.exec(code);
      if (match === null) throw new Error(`No token of WGSL: ${code.slice(start, start + 20)}`);
      if (match[1] !== undefined) this.#tokens.push(match[1]);
    }
  }

  module(): Module {
    const globals: Global[] = [];
    const consts = new Map<string, Expr>();
    const functions = new Map<string, Func>();
    const structs = new Map<string, Param[]>();
    while (this.#at < this.#tokens.length) {
      const attributes = this.#attributes();
      if (this.#takes("const")) {
        const name = this.#next();
        if (this.#takes(":")) this.#type();
        this.#expect("=");
        consts.set(name, this.#expr());
        this.#expect(";");
      } else if (this.#takes("struct")) {
        const name = this.#next();
        this.#expect("{");
        structs.set(name, this.#params("}"));
        this.#takes(";");
      } else if (this.#takes("fn")) {
        const func = this.#function(attributes);
        functions.set(func.name, func);
      } else {
        globals.push(this.#global(attributes));
      }
    }
    return { globals, consts, structs, functions };
  }

  #global(attributes: ReadonlyMap<string, string>): Global {
    this.#expect("var");
    this.#expect("<");
    const space = this.#next() as Global["space"];
    const isWritable = this.#takes(",")
      ? this.#next() === "read_write"
      : space === "workgroup" || space === "private";
    this.#expect(">");
    const name = this.#next();
    this.#expect(":");
    const type = this.#type();
    const value = this.#takes("=") ? this.#expr() : null;
    this.#expect(";");
    const binding = attributes.get("binding");
    return {
      ...{ name, space, isWritable, type, value },
      binding: binding === undefined ? null : Number(binding),
    };
  }

  #attributes(): Map<string, string> {
    const found = new Map<string, string>();
    while (this.#takes("@")) {
      const name = this.#next();
      let value = "";
      if (this.#takes("(")) { while (!this.#takes(")")) value += this.#next(); }
      found.set(name, value);
    }
    return found;
  }

  #function(attributes: ReadonlyMap<string, string>): Func {
    const name = this.#next();
    this.#expect("(");
    const params = this.#params(")");
    const result = this.#takes("->") ? this.#type() : null;
    const size = attributes.get("workgroup_size");
    const workgroupSize = size === undefined ? null : Number(size);
    return { name, params, result, body: this.#block(), workgroupSize };
  }

  #params(end: string): Param[] {
    const params: Param[] = [];
    while (!this.#takes(end)) {
      const builtin = this.#attributes().get("builtin") ?? null;
      const name = this.#next();
      this.#expect(":");
      params.push({ name, type: this.#type(), builtin });
      this.#takes(",");
    }
    return params;
  }

  #type(): Type {
    const name = this.#next();
    if (!this.#takes("<")) return { name, of: [] };
    // The space of a pointer is no type, but reads as one.
    const of = [this.#type()];
    let size: number | undefined;
    if (this.#takes(",")) {
      if (/^\d/.test(this.#tokens[this.#at]!)) size = parseInt(this.#next());
      else of.push(this.#type());
    }
    if (this.#tokens[this.#at] === ">>") this.#tokens.splice(this.#at, 1, ">", ">");
    this.#expect(">");
    return size === undefined ? { name, of } : { name, of, size };
  }

  #block(): Stmt[] {
    this.#expect("{");
    const body: Stmt[] = [];
    while (!this.#takes("}")) body.push(...this.#statement());
    return body;
  }

  #statement(): Stmt[] {
    const token = this.#tokens[this.#at]!;
    switch (token) {
      case "{":
        return [{ do: "if", test: TRUE, then: this.#block(), else: [] }];
      case ";":
        this.#at++;
        return [];
      case "if":
        this.#at++;
        return [this.#if()];
      case "for": {
        this.#at++;
        this.#expect("(");
        const first = this.#takes(";") ? [] : this.#statement();
        const test = this.#takes(";") ? null : this.#exprUntil(";");
        const update = this.#takes(")") ? [] : this.#simple(")");
        return [{ do: "loop", first, test, body: this.#block(), update }];
      }
      case "while": {
        this.#at++;
        const test = this.#expr();
        return [{ do: "loop", first: [], test, body: this.#block(), update: [] }];
      }
      case "loop": {
        this.#at++;
        this.#expect("{");
        const body: Stmt[] = [];
        let update: Stmt[] = [];
        while (!this.#takes("}")) {
          if (this.#takes("continuing")) update = this.#block();
          else body.push(...this.#statement());
        }
        return [{ do: "loop", first: [], test: null, body, update }];
      }
      case "switch":
        this.#at++;
        return [this.#switch()];
      case "return": {
        this.#at++;
        const value = this.#tokens[this.#at] === ";" ? null : this.#expr();
        this.#expect(";");
        return [{ do: "return", value }];
      }
      case "break":
        this.#at++;
        if (this.#takes("if")) {
          const test = this.#exprUntil(";");
          return [{ do: "if", test, then: [{ do: "break" }], else: [] }];
        }
        this.#expect(";");
        return [{ do: "break" }];
      case "continue":
        this.#at++;
        this.#expect(";");
        return [{ do: "continue" }];
      default:
        return this.#simple(";");
    }
  }

  #if(): Stmt {
    const test = this.#expr();
    const then = this.#block();
    if (!this.#takes("else")) return { do: "if", test, then, else: [] };
    return { do: "if", test, then, else: this.#takes("if") ? [this.#if()] : this.#block() };
  }

  #switch(): Stmt {
    const value = this.#expr();
    this.#expect("{");
    const cases: { values: Expr[]; body: Stmt[] }[] = [];
    while (!this.#takes("}")) {
      const values: Expr[] = [];
      if (!this.#takes("default")) {
        this.#expect("case");
        do values.push(this.#expr()); while (this.#takes(","));
      }
      this.#takes(":");
      cases.push({ values, body: this.#block() });
    }
    return { do: "switch", value, cases };
  }

  /** A declaration, an assignment or a call, up to a token. */
  #simple(end: string): Stmt[] {
    const token = this.#tokens[this.#at]!;
    if (token === "let" || token === "var" || token === "const") {
      this.#at++;
      const name = this.#next();
      const type = this.#takes(":") ? this.#type() : null;
      const value = this.#takes("=") ? this.#expr() : null;
      this.#expect(end);
      return [{ do: "let", isVar: token === "var", name, type, value }];
    }
    const to = this.#expr();
    if (to.at === "call") {
      this.#expect(end);
      return [{ do: "call", call: to }];
    }
    const op = this.#next();
    if (op === "++" || op === "--") {
      this.#expect(end);
      const value = { at: "literal", value: 1, type: null } as const;
      return [{ do: "assign", op: op === "++" ? "+=" : "-=", to, value }];
    }
    if (!op.endsWith("=")) throw new Error(`No assignment of WGSL: ${op}`);
    return [{ do: "assign", op, to, value: this.#exprUntil(end) }];
  }

  #exprUntil(end: string): Expr {
    const expr = this.#expr();
    this.#expect(end);
    return expr;
  }

  #expr(level = 0): Expr {
    if (level === OPERATORS.length) return this.#unary();
    let left = this.#expr(level + 1);
    for (;;) {
      const op = this.#tokens[this.#at]!;
      if (!OPERATORS[level]!.includes(op)) return left;
      this.#at++;
      left = { at: "binary", op, left, right: this.#expr(level + 1) };
    }
  }

  #unary(): Expr {
    const token = this.#tokens[this.#at]!;
    if (["-", "!", "~", "*", "&"].includes(token)) {
      this.#at++;
      return { at: "unary", op: token, of: this.#unary() };
    }
    return this.#postfix();
  }

  #postfix(): Expr {
    let expr = this.#primary();
    for (;;) {
      if (this.#takes("[")) {
        expr = { at: "index", of: expr, index: this.#exprUntil("]") };
      } else if (this.#takes(".")) {
        expr = { at: "member", of: expr, name: this.#next() };
      } else return expr;
    }
  }

  #primary(): Expr {
    if (this.#takes("(")) return this.#exprUntil(")");
    const token = this.#tokens[this.#at]!;
    if (token === "true" || token === "false") {
      this.#at++;
      return { at: "literal", value: token === "true", type: { name: "bool", of: [] } };
    }
    if (/^\d/.test(token)) {
      this.#at++;
      const isHex = token.startsWith("0x");
      const suffix = /[ui]$/.exec(token)?.[0];
      const name = suffix === "u" ? "u32" : suffix === "i" ? "i32" : null;
      const digits = name === null ? token : token.slice(0, -1);
      const value = isHex ? parseInt(digits, 16) : Number(digits);
      return { at: "literal", value, type: name === null ? null : { name, of: [] } };
    }
    if (!/^[A-Za-z_]/.test(token)) throw new Error(`No expression of WGSL: ${token}`);
    const isTyped = TYPED_CALLS.test(token) && this.#tokens[this.#at + 1] === "<";
    const as = isTyped ? this.#type() : null;
    const name = as?.name ?? this.#next();
    if (!this.#takes("(")) return { at: "name", name };
    const args: Expr[] = [];
    while (!this.#takes(")")) {
      args.push(this.#expr());
      this.#takes(",");
    }
    return { at: "call", name, as, args };
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Error("WGSL ends early");
    return token;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) {
      const before = this.#tokens.slice(Math.max(0, this.#at - 12), this.#at).join(" ");
      throw new Error(`WGSL has ${found} instead of ${token}: ${before}`);
    }
  }
}

const TRUE: Expr = { at: "literal", value: true, type: { name: "bool", of: [] } };

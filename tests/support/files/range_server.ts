/**
 * A server of files that counts requests, and fails as it is told. It speaks HTTP over plain
 * sockets, so that it can break off anywhere.
 *
 * @module
 */

/** A file, and what tells one version of it from another. */
interface ServedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null: none is sent. Default: a strong one of the bytes. */
  readonly etag?: string | null;
  readonly modified?: string;
}

/** What goes wrong with a request, or is answered in the place of the file. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly headers?: Headers_ }
  /** The connection is closed after this number of bytes of the body. */
  | { readonly kind: "truncate"; readonly bytes: number }
  /** Nothing is sent after this number of bytes of the body. */
  | { readonly kind: "stall"; readonly bytes: number }
  /** So many bytes of the body come at a time, each time after a wait. */
  | { readonly kind: "drip"; readonly bytes: number; readonly next: () => Promise<void> }
  /** The connection is closed without an answer. */
  | { readonly kind: "reset" }
  /** Other headers than those that are right. An empty one is left out. */
  | { readonly kind: "headers"; readonly headers: Headers_ }
  /** The body, or another one, with any status and other headers than those that are right. */
  | {
    readonly kind: "answer";
    readonly status: number;
    readonly headers?: Headers_;
    readonly body?: Uint8Array<ArrayBuffer>;
  }
  /** So many bytes of the body more than there are, in chunks of unknown length. */
  | { readonly kind: "longer"; readonly bytes: number };

type Headers_ = Readonly<Record<string, string>>;

/** A request as the server saw it. */
export interface ServedRequest {
  readonly path: string;
  readonly query: string;
  /** The Range header without "bytes="; undefined if there is none. */
  readonly range: string | undefined;
  readonly headers: ReadonlyMap<string, string>;
  /** The status that was answered; 0 for none. */
  status: number;
  /** Bytes of the body that were handed to the system. */
  sentBytes: number;
}

/** How a server serves. */
export interface RangeServerOptions {
  /** Whether it serves ranges. Default: all; "front": none that is counted from the end. */
  readonly ranges?: boolean | "front";
  /** Milliseconds before each answer. Default: 0. */
  readonly latencyMs?: number;
  /** What goes wrong with a request; `index` counts requests from 0. */
  readonly fault?: (request: ServedRequest, index: number) => Fault | undefined;
}

/** A server on this machine, until it is disposed. */
export class RangeServer implements AsyncDisposable {
  /** Requests in the order in which they came. */
  readonly log: ServedRequest[] = [];
  /** The most requests that were being answered at a time. */
  mostAtOnce = 0;
  /** Connections so far. */
  numConnections = 0;
  readonly #files: Map<string, ServedFile>;
  readonly #options: RangeServerOptions;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #connections = new Set<Deno.TcpConn>();
  readonly #tasks = new Set<Promise<void>>();
  #atOnce = 0;

  constructor(
    files: Readonly<Record<string, Uint8Array<ArrayBuffer> | ServedFile>>,
    options: RangeServerOptions = {},
  ) {
    const served = (file: Uint8Array<ArrayBuffer> | ServedFile) =>
      file instanceof Uint8Array ? { bytes: file } : file;
    this.#files = new Map(
      Object.entries(files).map(([name, file]) => [`/${name}`, served(file)]),
    );
    this.#options = options;
    this.#run(this.#accept());
  }

  /** Host and port. */
  get host(): string {
    return `127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
  }

  /** The URL of a file. */
  url(name: string): string {
    return `http://${this.host}/${name}`;
  }

  /** Puts another version in the place of a file. */
  replace(name: string, file: ServedFile): void {
    this.#files.set(`/${name}`, file);
  }

  /** Bytes of bodies that were sent. */
  get sentBytes(): number {
    return this.log.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#connections) close(connection);
    await Promise.all(this.#tasks);
  }

  #run(task: Promise<void>): void {
    this.#tasks.add(task);
    task.then(() => this.#tasks.delete(task));
  }

  async #accept(): Promise<void> {
    try {
      for await (const connection of this.#listener) {
        // Else the system holds small bodies back for 40 ms.
        connection.setNoDelay(true);
        this.numConnections++;
        this.#connections.add(connection);
        this.#run(this.#serve(connection));
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }

  /** Answers the requests of a connection until one of both ends it. */
  async #serve(connection: Deno.TcpConn): Promise<void> {
    try {
      for (;;) {
        const request = await readRequest(connection);
        if (request === undefined) break;
        this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
        try {
          if (!await this.#answer(connection, request)) break;
        } finally {
          this.#atOnce--;
        }
      }
    } catch (error) {
      if (!isGone(error)) throw error;
    } finally {
      this.#connections.delete(connection);
      close(connection);
    }
  }

  /** Whether the connection stays open. */
  async #answer(connection: Deno.Conn, request: ServedRequest): Promise<boolean> {
    const index = this.log.push(request) - 1;
    const fault = this.#options.fault?.(request, index);
    const { latencyMs = 0 } = this.#options;
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    if (fault?.kind === "reset") return false;
    const right = this.#file(request);
    const { status, headers, body } = fault?.kind === "status"
      ? { status: fault.status, headers: fault.headers ?? {}, body: new Uint8Array(0) }
      : fault?.kind === "answer"
      ? { ...right, status: fault.status, body: fault.body ?? right.body }
      : right;
    request.status = status;
    const isLonger = fault?.kind === "longer";
    const all: Record<string, string> = {
      ...headers,
      ...(isLonger
        ? { "transfer-encoding": "chunked" }
        : { "content-length": String(body.length) }),
      ...(fault?.kind === "headers" || fault?.kind === "answer" ? fault.headers : {}),
    };
    const lines = Object.entries(all).filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}: ${value}\r\n`);
    const phrase = status === 404 ? "Not Found" : "";
    await writeAll(connection, encode(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join("")}\r\n`));
    if (isLonger) return await writeChunked(connection, request, body, fault.bytes);
    if (fault?.kind === "drip") {
      for (let start = 0; start < body.length; start += fault.bytes) {
        await fault.next();
        await send(connection, request, body.subarray(start, start + fault.bytes));
      }
      return true;
    }
    const isCut = fault?.kind === "truncate" || fault?.kind === "stall";
    await send(connection, request, isCut ? body.subarray(0, fault.bytes) : body);
    // The client gives up.
    if (fault?.kind === "stall") await connection.read(new Uint8Array(1));
    return !isCut;
  }

  #file(request: ServedRequest) {
    const nothing = new Uint8Array(0);
    const file = this.#files.get(request.path);
    if (file === undefined) return { status: 404, headers: {}, body: nothing };
    const { ranges = true } = this.#options;
    const { bytes, etag = etagOf(bytes), modified } = file;
    const headers: Record<string, string> = {
      ...(etag === null ? {} : { etag }),
      ...(modified === undefined ? {} : { "last-modified": modified }),
      ...(ranges === false ? {} : { "accept-ranges": "bytes" }),
    };
    const { range } = request;
    const ifRange = request.headers.get("if-range");
    const serves = range !== undefined && (ranges === true || (ranges && !range.startsWith("-")));
    if (!serves || (ifRange !== undefined && ifRange !== etag)) {
      return { status: 200, headers, body: bytes };
    }
    const [first, last] = range.split("-");
    const start = first === "" ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const stop = first === "" || last === ""
      ? bytes.length
      : Math.min(bytes.length, Number(last) + 1);
    if (start >= stop) {
      headers["content-range"] = `bytes */${bytes.length}`;
      return { status: 416, headers, body: nothing };
    }
    headers["content-range"] = `bytes ${start}-${stop - 1}/${bytes.length}`;
    return { status: 206, headers, body: bytes.subarray(start, stop) };
  }
}

/** A strong ETag of some bytes. */
function etagOf(bytes: Uint8Array): string {
  let hash = bytes.length;
  for (let i = 0; i < bytes.length; i += 97) hash = (hash * 31 + bytes[i]!) >>> 0;
  return `"${hash.toString(16)}"`;
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The head of the next request; undefined where the client has ended. */
async function readRequest(connection: Deno.Conn): Promise<ServedRequest | undefined> {
  const buffer = new Uint8Array(16 << 10);
  let text = "";
  while (!text.endsWith("\r\n\r\n")) {
    const count = await connection.read(buffer);
    if (count === null) return undefined;
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
  const [line = "", ...fields] = text.trimEnd().split("\r\n");
  const headers = new Map(fields.map((field) => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  }));
  const { pathname, search } = new URL(line.split(" ")[1]!, "http://localhost");
  const range = headers.get("range")?.replace(/^bytes=/, "");
  return { path: pathname, query: search, range, headers, status: 0, sentBytes: 0 };
}

/** Sends a body part by part, so that a test knows how much a client took. */
async function send(
  connection: Deno.Conn,
  request: ServedRequest,
  body: Uint8Array,
): Promise<void> {
  for (let start = 0; start < body.length; start += 64 << 10) {
    const piece = body.subarray(start, start + (64 << 10));
    await writeAll(connection, piece);
    request.sentBytes += piece.length;
  }
}

async function writeChunked(
  connection: Deno.Conn,
  request: ServedRequest,
  body: Uint8Array,
  more: number,
): Promise<boolean> {
  for (const part of [body, new Uint8Array(more)]) {
    await writeAll(connection, encode(`${part.length.toString(16)}\r\n`));
    await send(connection, request, part);
    await writeAll(connection, encode("\r\n"));
  }
  await writeAll(connection, encode("0\r\n\r\n"));
  return true;
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += await connection.write(bytes.subarray(written));
  }
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

/** Whether an error means that the connection is closed. */
function isGone(error: unknown): boolean {
  const { BadResource, BrokenPipe, ConnectionAborted, ConnectionReset, Interrupted } = Deno.errors;
  return [BadResource, BrokenPipe, ConnectionAborted, ConnectionReset, Interrupted].some((kind) =>
    error instanceof kind
  );
}

/**
 * The requests for one file on a server, and the checks that all its answers pass.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import type { OnRead } from "../byte_store.ts";
import { Exchange } from "./exchange.ts";
import type { HttpSettings } from "./http_options.ts";
import { Redirects } from "./redirects.ts";
import { describeFailure, RequestError } from "../../../base/errors/request_error.ts";
import { mayPass, retryAfterMs, retryDelay } from "./retry.ts";

/** The statuses of a signed link that has expired. */
const expired: readonly number[] = [401, 403, 410];
/** Headers that are meant for one server, and not for one to which it redirects. */
const credentials = ["authorization", "cookie", "proxy-authorization"];

/** A file on a server, which is requested range by range. */
export class RemoteFile {
  /** The file as the user named it, for errors. */
  readonly path: string;
  /** The number of requests so far, failed ones included. */
  numRequests = 0;
  readonly #settings: HttpSettings;
  readonly #onRead: OnRead;
  /** The URL to which the last redirect led. */
  #url: string;

  /** Throws a FileError for what is no URL. */
  constructor(path: string, settings: HttpSettings, onRead: OnRead) {
    if (!URL.canParse(path)) throw new FileError(path, "is not a valid URL");
    this.path = path;
    this.#url = path;
    this.#settings = settings;
    this.#onRead = onRead;
  }

  /** Returns a FileError that names this file. */
  error(problem: string, cause?: unknown): FileError {
    return new FileError(this.path, problem, { cause });
  }

  /**
   * Sends a request. Throws a `RequestError` for an answer that may change later, and a FileError for others
   * that are not about ranges.
   */
  async send(headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Exchange> {
    const isElsewhere = this.#url !== this.path;
    let exchange = await this.#send(headers, signal);
    if (expired.includes(exchange.response.status) && isElsewhere) {
      await exchange.cancel();
      this.#url = this.path;
      exchange = await this.#send(headers, signal);
    }
    const { response } = exchange;
    if ([200, 206, 416].includes(response.status)) return exchange;
    await exchange.cancel();
    const status = statusOf(response);
    if (!mayPass(response.status)) throw this.error(`the server says ${status}`);
    const asked = retryAfterMs(response.headers.get("retry-after"), Date.now());
    throw new RequestError({ kind: "status", status, retryAfterMs: asked });
  }

  /** Tries until a try succeeds; a FileError after too many failures. */
  async retry<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { tries, random, wait } = this.#settings;
    for (let number = 0;; number++) {
      try {
        return await attempt();
      } catch (error) {
        if (!isSluiceError(error, "RequestError")) throw error;
        const delayMs = retryDelay(number, error.failure, tries, random());
        if (delayMs === undefined) {
          throw this.error(describeFailure(error.failure, number + 1), error);
        }
        await wait(delayMs, signal);
      }
    }
  }

  /** Sends a request to where the last redirect led, and follows redirects of its answer. */
  async #send(more: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Exchange> {
    const way = new Redirects(this.#url);
    for (let url = this.#url;;) {
      const exchange = await this.#ask(url, more, signal);
      const step = way.follow(exchange.response);
      if (step === undefined) {
        this.#url = url;
        return exchange;
      }
      await exchange.cancel();
      if (step.problem !== undefined) throw this.error(step.problem);
      url = way.url;
    }
  }

  #ask(
    url: string,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Exchange> {
    const { stallMs, now } = this.#settings;
    const headers = new Headers(this.#settings.headers);
    if (new URL(url).origin !== new URL(this.path).origin) {
      for (const name of credentials) headers.delete(name);
    }
    // Positions count bytes of the file, not of a compressed form.
    headers.set("accept-encoding", "identity");
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    this.numRequests++;
    const facts = { path: this.path, url, headers, stallMs, now, onRead: this.#onRead };
    return Exchange.send(facts, signal);
  }
}

/** Returns the status of an answer as text. */
export function statusOf({ status, statusText }: Response): string {
  return `${status} ${statusText}`.trim();
}

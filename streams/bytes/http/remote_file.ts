/**
 * Where a file on a server is asked for, and what its answers must have in common.
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

/** Statuses that a signed link has once it has expired. */
const expired: readonly number[] = [401, 403, 410];
/** Headers that are meant for one server, and not for the one that it redirects to. */
const credentials = ["authorization", "cookie", "proxy-authorization"];

/** A file on a server: the requests for it, one by one. */
export class RemoteFile {
  /** The file as the user named it, for errors. */
  readonly path: string;
  /** Requests so far, those that failed included. */
  numRequests = 0;
  readonly #settings: HttpSettings;
  readonly #onRead: OnRead;
  /** Where the last redirect led. */
  #url: string;

  /** Throws a FileError for what is no URL. */
  constructor(path: string, settings: HttpSettings, onRead: OnRead) {
    if (!URL.canParse(path)) throw new FileError(path, "is not a valid URL");
    this.path = path;
    this.#url = path;
    this.#settings = settings;
    this.#onRead = onRead;
  }

  /** A FileError that names this file. */
  error(problem: string, cause?: unknown): FileError {
    return new FileError(this.path, problem, { cause });
  }

  /**
   * Sends a request. Throws a `RequestError` for an answer that may be another one later, and a
   * FileError for others that are not about ranges.
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

  /** Tries until it succeeds, or until it failed too often, which is a FileError. */
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

  /** Sends a request where the last redirect led, and follows those of its answer. */
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
    // Positions are those of the file, not of a compressed one.
    headers.set("accept-encoding", "identity");
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    this.numRequests++;
    const facts = { path: this.path, url, headers, stallMs, now, onRead: this.#onRead };
    return Exchange.send(facts, signal);
  }
}

/** The status of an answer for a person. */
export function statusOf({ status, statusText }: Response): string {
  return `${status} ${statusText}`.trim();
}

/**
 * Follows the redirects of servers.
 *
 * @module
 */

import { nameOfUrl } from "../../../base/url.ts";

/** The most redirects of one request. */
const mostRedirects = 20;

const statuses: readonly number[] = [301, 302, 303, 307, 308];

/** The path of one request from server to server. */
export class Redirects {
  readonly #visited: string[];

  constructor(url: string) {
    this.#visited = [withoutFragment(url)];
  }

  /** The URL of the next request. */
  get url(): string {
    return this.#visited.at(-1)!;
  }

  /**
   * Follows an answer; returns undefined if it is no redirect. A `problem`, as one clause, is a redirect that
   * no further try improves: in a circle, to no server, or one too many.
   */
  follow({ status, headers }: Response): { readonly problem?: string } | undefined {
    const location = headers.get("location");
    if (!statuses.includes(status) || location === null) return undefined;
    if (!URL.canParse(location, this.url)) {
      return { problem: "the server redirects to what is not a valid URL" };
    }
    const target = new URL(location, this.url);
    if (target.protocol !== "http:" && target.protocol !== "https:") {
      const problem = `the server redirects to a URL of ${target.protocol}`;
      return { problem: `${problem}, and only those of http: and https: are followed` };
    }
    const url = withoutFragment(target.href);
    if (this.#visited.includes(url)) {
      return { problem: `the server redirects in a circle, to ${nameOfUrl(url)} again` };
    }
    if (this.#visited.length > mostRedirects) {
      return { problem: `the server redirects more than ${mostRedirects} times` };
    }
    this.#visited.push(url);
    return {};
  }
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}

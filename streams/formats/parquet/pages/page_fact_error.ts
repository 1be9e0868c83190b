/** @module */

/** What can be done about a wrong fact: nothing, or to read the pages as Sluice itself understands them. */
export type Remedy = "none" | "plain pages";

/**
 * Pages of a column are not what the metadata, the page index or their own headers say. The message is
 * about the column, and does not name it.
 */
export class PageFactError extends TypeError {
  readonly remedy: Remedy;

  constructor(problem: string, remedy: Remedy = "none") {
    super(problem);
    this.remedy = remedy;
  }
}

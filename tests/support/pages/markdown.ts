/** What the tests of pages ask of Markdown: its code blocks, its links, and where links lead. */

/** A fenced block of code. */
interface CodeBlock {
  /** The text after the opening fence, such as `ts ignore`. */
  readonly opening: string;
  readonly code: string;
}

const fenced = /^```(.*)\n([^]*?)^```$/gm;

/** The fenced blocks of a page, in order. */
export function codeBlocks(page: string): CodeBlock[] {
  return [...page.matchAll(fenced)].map(([, opening, code]) => ({
    opening: opening!,
    code: code!,
  }));
}

/** The targets of the links and pictures of a page; code has none. */
export function linkTargets(page: string): string[] {
  const text = withoutCode(page);
  const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const references = text.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/gm);
  const html = text.matchAll(/\b(?:href|src|srcset)="([^"\s]+)/g);
  return [...inline, ...references, ...html].map(([, target]) => target!);
}

/** The anchors of a page as GitHub makes them of its headings. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of page.replaceAll(fenced, "").matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)) {
    const anchor = heading!
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/(?<!\w)_(.+?)_(?!\w)/g, "$1")
      .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
      .replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n++) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

function withoutCode(page: string): string {
  return page.replaceAll(fenced, "").replaceAll(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, "");
}

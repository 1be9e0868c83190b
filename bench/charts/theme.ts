/**
 * What charts look like, on light and on dark pages, and how one becomes the text of an SVG file.
 *
 * @module
 */

import type { Markish, PlotOptions } from "@observablehq/plot";

/** The package that draws. */
export type Plot = typeof import("@observablehq/plot");

/** Colours of a page. */
export interface Theme {
  readonly name: "light" | "dark";
  readonly background: string;
  readonly text: string;
  /** Of what is less important than data: notes, grids. */
  readonly faint: string;
  readonly grid: string;
  /** Ours, then peers in the order in which they come. */
  readonly series: readonly string[];
}

/** The themes. All eyes tell their series apart, and symbols differ too. */
export const themes: readonly Theme[] = [
  {
    name: "light",
    background: "#ffffff",
    text: "#1f2328",
    faint: "#59636e",
    grid: "#d1d9e0",
    series: ["#0072b2", "#d55e00", "#777777", "#009e73"],
  },
  {
    name: "dark",
    background: "#0d1117",
    text: "#f0f6fc",
    faint: "#9198a1",
    grid: "#3d444d",
    series: ["#56b4e9", "#e69f00", "#aaaaaa", "#00c896"],
  },
];

/** Symbols of series, in the order of their colours. */
export const symbols = ["circle", "triangle", "square", "diamond"] as const;

/** A chart before it is drawn. */
export interface Chart {
  readonly title: string;
  /** Lines below the title. */
  readonly notes: readonly string[];
  /** Names of the series, for the legend. */
  readonly series: readonly string[];
  readonly width: number;
  /** Of what lies below the head. */
  readonly height: number;
  /** The rest; `marginTop` is what the axes at the top take. */
  readonly options: PlotOptions & { readonly marginLeft: number; readonly marginTop: number };
  readonly marks: readonly Markish[];
}

/** What `parseHTML` gives, whose types want those of browsers. */
type Drawable = Required<Pick<PlotOptions, "document">>;

/** Pixels. */
const EDGE = 16;
const LINE = 18;

/** Draws a chart. The packages that draw are loaded only here. */
export async function drawChart(
  make: (plot: Plot, theme: Theme) => Chart,
  theme: Theme,
): Promise<string> {
  const [plot, { parseHTML }] = await Promise.all([
    import("@observablehq/plot"),
    import("linkedom"),
  ]);
  const { title, notes, series, width, height, options, marks } = make(plot, theme);
  const head = EDGE + LINE * (notes.length + 2) + EDGE;
  const marginTop = head + options.marginTop;
  /** Of a mark whose place is given from the upper left corner of the picture. */
  const at = (x: number, line: number) => ({
    facet: "super" as const,
    frameAnchor: "top-left" as const,
    textAnchor: "start" as const,
    dx: x - options.marginLeft,
    dy: EDGE + LINE * line - marginTop,
  });
  const legend = series.flatMap((name, index) => {
    const x = EDGE + 6 +
      series.slice(0, index).reduce((sum, { length }) => sum + 7 * length + 36, 0);
    const place = { lineAnchor: "middle" as const };
    const color = theme.series[index]!;
    return [
      plot.dot([0], { ...at(x, notes.length + 1.6), symbol: symbols[index]!, fill: color, r: 5 }),
      plot.text([name], { ...at(x + 12, notes.length + 1.6), ...place }),
    ];
  });
  const figure = plot.plot({
    ...options,
    document: (parseHTML("<html></html>") as unknown as Drawable).document,
    width,
    height: head + height,
    marginTop,
    style: {
      fontSize: "12px",
      fontFamily: "system-ui, sans-serif",
      color: theme.text,
      background: theme.background,
    },
    marks: [
      plot.text([title], { ...at(EDGE, 0), fontSize: 15, fontWeight: "bold", lineAnchor: "top" }),
      notes.map((note, index) =>
        plot.text([note], { ...at(EDGE, index + 1.3), fill: theme.faint, lineAnchor: "top" })
      ),
      legend,
      ...marks,
    ],
  });
  // Of a file that stands alone; in a page the text of the element would do.
  figure.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  figure.setAttribute("role", "img");
  figure.setAttribute("aria-label", `${title}. ${notes.join(". ")}`);
  return `${figure.outerHTML}\n`;
}

/** Ticks of a logarithmic scale: every power of ten between two numbers, and three times each. */
export function logTicks(least: number, most: number, steps: readonly number[] = [1, 3]): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); power++) {
    // From text, so that 0.3 is what is written so.
    for (const step of steps) ticks.push(Number(`${step}e${power}`));
  }
  return ticks.filter((tick) => tick >= least && tick <= most);
}

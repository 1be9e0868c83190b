/**
 * The looks of charts on light and dark pages, and the drawing of a chart as an SVG file.
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
  /** The colour of notes and axes, which are less important than data. */
  readonly faint: string;
  readonly grid: string;
  /** The colours of series: ours, then peers in order. */
  readonly series: readonly string[];
}

/** The themes. Colour-blind readers can tell the series apart, and symbols differ too. */
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
  /** The height without the title, the notes and the legend. */
  readonly height: number;
  /** Other options; `marginTop` is the height of the axes at the top. */
  readonly options: PlotOptions & { readonly marginLeft: number; readonly marginTop: number };
  readonly marks: readonly Markish[];
}

/** The result of `parseHTML`; its own types need those of browsers. */
type Drawable = Required<Pick<PlotOptions, "document">>;

/** Lengths in pixels. */
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
  /** Returns the options of a mark at a position from the upper left corner of the picture. */
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
  // A standalone file needs the namespace; an element in a page would not.
  figure.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  figure.setAttribute("role", "img");
  figure.setAttribute("aria-label", `${title}. ${notes.join(". ")}`);
  return `${figure.outerHTML}\n`;
}

/** Returns the ticks of a logarithmic scale: the powers of ten between two numbers, times each step. */
export function logTicks(least: number, most: number, steps: readonly number[] = [1, 3]): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); power++) {
    // Parsed from text, so that 0.3 is exactly the number written so.
    for (const step of steps) ticks.push(Number(`${step}e${power}`));
  }
  return ticks.filter((tick) => tick >= least && tick <= most);
}

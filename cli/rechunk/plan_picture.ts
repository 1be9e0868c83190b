/**
 * Draws a plan: a row for each grid that the data passes, from the source down to the target, and a column
 * for each axis that shows the length of a chunk along it.
 *
 * @module
 */

import type { Markish, PlotOptions } from "@observablehq/plot";
import { product } from "../../streams/formats/zarr/grid/grid.ts";
import { showControls } from "../../base/show_controls.ts";
import { formatCount, sizeText } from "../../base/quantities.ts";
import { cutToWidth, displayWidth } from "../print/terminal.ts";
import { counted, type GridKind, type GridRow, gridRows, type Planned } from "./grid_rows.ts";

type Plot = typeof import("@observablehq/plot");

/** The colours and their meanings. They suit colour-blind readers, and white text is legible on them. */
const kinds: Readonly<Record<GridKind, { readonly color: string; readonly means: string }>> = {
  array: { color: "#595959", means: "a chunk of the source or target" },
  memory: { color: "#a85500", means: "a box in memory" },
  store: { color: "#0072b2", means: "a piece in a store between" },
};
const wholeAxis = { color: "#e6e6e6", means: "the whole axis" };

/** Lengths in pixels. */
const axisWidth = 190;
const axisGap = 26;
const rowHeight = 36;
const edge = 16;
const headHeight = 138;
const footHeight = 56;
const fontSize = 12;
/** The width of a character, a generous estimate: there is no screen to measure text. */
const characterWidth = 7;

/** The result of `parseHTML`; its own types need those of browsers. */
type Drawable = Required<Pick<PlotOptions, "document">>;

/** The pixels around the columns. */
interface Margins {
  readonly left: number;
  readonly right: number;
}

/** A row and its position from the top, by which bars and texts find their heights. */
type PlacedRow = GridRow & { readonly row: number };

/** Draws a plan as the text of an SVG file. The packages that draw are loaded only here. */
export async function drawPlan(planned: Planned): Promise<string> {
  const [plot, { parseHTML }] = await Promise.all([
    import("@observablehq/plot"),
    import("linkedom"),
  ]);
  const { shape } = planned;
  const rows = gridRows(planned).map((row, index): PlacedRow => ({ ...row, row: index }));
  const head = headLines(planned);
  const columnsWidth = shape.length * (axisWidth + axisGap) - axisGap;
  const margins = marginsAround(columnsWidth, head, rows);
  const figure = plot.plot({
    document: (parseHTML("<html></html>") as unknown as Drawable).document,
    width: margins.left + columnsWidth + margins.right,
    height: headHeight + rowHeight * rows.length + footHeight,
    marginTop: headHeight,
    marginBottom: footHeight,
    marginLeft: margins.left,
    marginRight: margins.right,
    style: { fontSize: `${fontSize}px`, color: "#222222", background: "white" },
    fx: {
      domain: shape.keys().toArray(),
      // A gap beside a single column would move it.
      paddingInner: shape.length === 1 ? 0 : axisGap / (axisWidth + axisGap),
      paddingOuter: 0,
      round: false,
      axis: null,
    },
    x: { type: "log", domain: [1, longestOf(planned)] },
    y: { type: "band", domain: rows.map(({ row }) => row), padding: 0.4, round: false, axis: null },
    marks: [
      headMarks(plot, head, margins),
      legendMarks(plot, rows, margins),
      columnMarks(plot, planned, rows),
      barMarks(plot, planned, rows),
      rowMarks(plot, rows, shape.length - 1),
    ],
  });
  // A standalone file needs the namespace; an element in a page would not.
  figure.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return `${figure.outerHTML}\n`;
}

/** Returns the lines of the title: the array and the cost of its plan. */
function headLines({ name, shape, itemsize, plan, source, target }: Planned): string[] {
  const bytes = sizeText(product(shape) * itemsize);
  const size = `${shape.join(" × ")} items of ${counted(itemsize, "byte")}, ${bytes}`;
  return [
    name === undefined ? size : `${showControls(name)}: ${size}`,
    `Chunks of ${source.join(" × ")} become chunks of ${target.join(" × ")}`,
    `${counted(plan.reads, "read")}, ${counted(plan.writes, "write")}, ` +
    `${sizeText(plan.bytes)} read and written, at most ${sizeText(plan.peakMemory)} in memory`,
  ];
}

function marginsAround(
  columnsWidth: number,
  head: readonly string[],
  rows: readonly GridRow[],
): Margins {
  const left = 2 * edge + widthOf(rows.map(({ label }) => label));
  const right = 2 * edge + widthOf(rows.flatMap(({ size, note }) => [size, note]));
  // The first line is larger.
  const least = 2 * edge + Math.max(1.2 * widthOf(head), legendItems(rows).at(-1)!.stop);
  return { left, right: Math.max(right, least - left - columnsWidth) };
}

/** Creates the marks of the title, in the upper left corner. */
function headMarks(plot: Plot, lines: readonly string[], { left }: Margins): Markish[] {
  return lines.map((line, index) =>
    plot.text([line], {
      ...corner,
      dx: edge - left,
      dy: 26 + 20 * index - headHeight,
      ...(index === 0 ? { fontSize: fontSize + 2, fontWeight: "bold" } : {}),
    })
  );
}

const corner = { facet: "super", frameAnchor: "top-left", textAnchor: "start" } as const;

function legendMarks(plot: Plot, rows: readonly GridRow[], { left }: Margins): Markish[] {
  return legendItems(rows).flatMap(({ color, means, start }) => {
    const place = { ...corner, dy: 94 - headHeight, lineAnchor: "middle" } as const;
    return [
      plot.dot([0], { ...place, dx: edge + start + 5 - left, symbol: "square", fill: color, r: 6 }),
      plot.text([means], { ...place, dx: edge + start + 17 - left }),
    ];
  });
}

/** Returns the colours in use, each with its position from the left. */
function legendItems(rows: readonly GridRow[]) {
  let stop = 0;
  const used = new Set(rows.map(({ kind }) => kinds[kind]));
  return [...used, wholeAxis].map((item) => {
    const start = stop === 0 ? 0 : stop + edge;
    stop = start + 17 + widthOf([item.means]);
    return { ...item, start, stop };
  });
}

/** Creates the marks of each axis: its name above, its ticks below, and its length. */
function columnMarks(plot: Plot, planned: Planned, rows: readonly PlacedRow[]): Markish[] {
  const { shape } = planned;
  const columns = shape.map((length, axis) => ({
    axis,
    length: Math.max(1, length),
    name: cutToWidth(nameOf(axis, planned), axisWidth / characterWidth),
  }));
  const background = columns.flatMap((column) => rows.map(({ row }) => ({ ...column, row })));
  return [
    plot.text(columns, {
      fx: "axis",
      frameAnchor: "top-left",
      text: "name",
      dy: -4,
      fontWeight: "bold",
    }),
    plot.barX(background, { fx: "axis", y: "row", x1: 1, x2: "length", fill: wholeAxis.color }),
    plot.axisX(powersOfTen(longestOf(planned)), { tickFormat: "~s", tickSize: 4, label: null }),
    plot.text(["items of a chunk, on a logarithmic scale"], {
      ...corner,
      frameAnchor: "bottom-left",
      dy: 38,
    }),
  ];
}

function nameOf(axis: number, { dimensionNames }: Planned): string {
  return showControls(dimensionNames?.[axis] ?? `axis ${axis}`);
}

/** Creates the bars of chunk lengths, with the number of items in each bar, or beside a short one. */
function barMarks(plot: Plot, planned: Planned, rows: readonly PlacedRow[]): Markish[] {
  const bars = planned.shape.flatMap((_, axis) =>
    rows.map(({ row, chunk, kind }) => ({ axis, row, items: chunk[axis]!, kind }))
  );
  const half = Math.sqrt(longestOf(planned));
  const place = { fx: "axis", y: "row" } as const;
  const text = ({ items }: typeof bars[number]) => formatCount(items);
  return [
    plot.barX(bars, {
      ...place,
      x1: 1,
      x2: "items",
      // Gives a single item a visible width.
      insetLeft: -2,
      fill: ({ kind }: typeof bars[number]) => kinds[kind].color,
    }),
    plot.text(bars.filter(({ items }) => items > half), {
      ...place,
      x: "items",
      text,
      textAnchor: "end",
      dx: -5,
      fill: "white",
    }),
    plot.text(bars.filter(({ items }) => items <= half), {
      ...place,
      x: "items",
      text,
      textAnchor: "start",
      dx: 5,
    }),
  ];
}

/** Creates the texts of each grid: its name at the left, its size and note at the right. */
function rowMarks(plot: Plot, rows: readonly PlacedRow[], lastAxis: number): Markish[] {
  return [
    plot.text(rows, {
      fx: () => 0,
      y: "row",
      frameAnchor: "left",
      textAnchor: "end",
      dx: -edge,
      text: "label",
    }),
    plot.text(rows, {
      fx: () => lastAxis,
      y: "row",
      frameAnchor: "right",
      textAnchor: "start",
      dx: edge,
      lineHeight: 1.25,
      text: ({ size, note }: GridRow) => note === "" ? size : `${size}\n${note}`,
    }),
  ];
}

/** Returns the longest length that the columns must show. */
function longestOf({ shape }: Planned): number {
  return Math.max(10, ...shape);
}

/** Returns about six powers of ten, from 1 up to `most`, at a regular step. */
function powersOfTen(most: number): number[] {
  const count = Math.floor(Math.log10(most)) + 1;
  const step = Math.ceil(count / 6);
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => 10 ** (index * step));
}

/** Returns the width of the widest text in pixels. */
function widthOf(texts: readonly string[]): number {
  return characterWidth * Math.max(...texts.map(displayWidth));
}

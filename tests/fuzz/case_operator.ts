/** The steps of a case that are operators. */

import {
  at,
  type BatchStream,
  defineOperator,
  drop,
  type Engine,
  expr,
  filter,
  head,
  join,
  type JoinOptions,
  type Operator,
  rechunk,
  regroup,
  rename,
  select,
  slice,
  tail,
  take,
  withColumns,
} from "../../mod.ts";
import type { HostColumn } from "../../gpu/column/column.ts";
import type { CaseKey, CaseRows, CaseStep, CaseTable, JoinStep } from "./fuzz_case.ts";

/** The operator of a step that is one; `open` gives the rows of a table. */
export function operatorOf(
  step: CaseStep,
  engine: Engine,
  open: (table: CaseTable) => BatchStream,
): Operator {
  switch (step.do) {
    case "with":
      return withColumns(
        Object.fromEntries(step.columns.map(([name, text]) => [name, expr(text)])),
        { engine },
      );
    case "filter":
      return filter(expr(step.expr), { engine });
    case "select":
      return select(...step.names);
    case "drop":
      return drop(...step.names);
    case "rename":
      return rename(step.names);
    case "join":
      return join(open(step.table), joinOptions(step, engine));
    case "joinAsOf":
    case "joinWhere": {
      const { table, do: _, ...options } = step;
      return join(open(table), { ...options, engine });
    }
    case "regroup": {
      const { do: _, ...options } = step;
      return regroup({ ...options, engine });
    }
    case "rechunk": {
      const { do: _, ...options } = step;
      return rechunk({ ...options, engine });
    }
    case "slice":
      return slice(step.start, step.stop, step.step, { engine, ...holdOf(step) });
    case "head":
      return head(step.count, { engine });
    case "tail":
      return tail(step.count, { engine });
    case "at":
      return at(step.row, { engine });
    case "take":
      return take(rowsOf(step), { engine, ...holdOf(step) });
    case "withText":
      return withText({ name: step.column }, { engine });
    default:
      throw new TypeError(`${step.do} is no operator`);
  }
}

function holdOf({ hold }: CaseStep & { do: "slice" | "take" }): { hold?: true } {
  return hold ? { hold } : {};
}

/** The rows of a list, as `take` takes them. */
function rowsOf({ rows, as }: CaseStep & { do: "take" }): Parameters<typeof take>[0] {
  if (as === "int32") return Int32Array.from(rows as readonly number[]);
  if (as === "text") return rows.map(partText).join();
  return rows.map((part) => {
    if (typeof part === "number") return part;
    const [start, stop, step] = part;
    return { start, stop, step };
  });
}

/** A part of a list as it is written on the command line. */
function partText(part: CaseRows): string {
  if (typeof part === "number") return `${part}`;
  const [start, stop, step] = part;
  return `${start ?? ""}:${stop ?? ""}${step === null ? "" : `:${step}`}`;
}

/** The options of a join. */
function joinOptions({ table: _, do: __, on, ...options }: JoinStep, engine: Engine): JoinOptions {
  const side = (key: CaseKey) => typeof key === "string" ? key : expr(key.expr);
  const keys = Array.isArray(on)
    ? on.map((key) => typeof key === "string" ? key : key.map(side))
    : on;
  const given = options.how === "cross" ? options : { ...options, on: keys };
  return { ...given, engine } as JoinOptions;
}

/** Keeps the rows in which a column has text that is not empty. */
const withText = defineOperator<{ readonly name: string }>({
  name: "withText",
  rows: "fewer",
  schema: (input) => input,
  open: ({ name }, { backend, schema }) => ({
    async transform(batch, controller) {
      await batch.toHost(backend);
      const index = schema.fields.findIndex((field) => field.name === name);
      const { offsets, validity } = batch.columns[index]!.column as HostColumn;
      const hasText = (row: number) =>
        offsets![row + 1]! > offsets![row]! &&
        (validity === null || ((validity[row >> 3]! >> (row & 7)) & 1) === 1);
      const rows = Array.from({ length: batch.numRows }, (_, row) => row).filter(hasText);
      controller.enqueue(batch.gather(Int32Array.from(rows)));
    },
  }),
});

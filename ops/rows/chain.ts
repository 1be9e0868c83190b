/**
 * Operators that are made of others.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { CheckContext, Checked, OperatorNode, Stage } from "../engine/node.ts";

/** Checks nodes of which each takes the rows of the one before. */
export async function checkChain(
  nodes: readonly OperatorNode[],
  input: Schema,
  context: CheckContext,
): Promise<Checked> {
  const checked: Checked[] = [];
  let schema = input;
  for (const { kind, spec } of nodes) {
    const next = await kind.check(spec, schema, context);
    checked.push(next);
    schema = next.schema;
  }
  return { schema, compile: () => chained(checked.map((one) => one.compile()), schema) };
}

function chained(stages: readonly Stage[], schema: Schema): Stage {
  return {
    schema,
    explain: () => stages.flatMap((stage) => stage.explain?.() ?? []),
    run(input, context) {
      let rows: ReturnType<Stage["run"]> | undefined;
      for (const stage of stages) rows = stage.run(rows ?? input, context);
      return rows!;
    },
  };
}

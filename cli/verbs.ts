/**
 * All verbs of the command line, in the order of the help.
 *
 * @module
 */

import type { Verb } from "./verb.ts";
import { at, filter, head, slice, tail, take } from "./verbs/rows.ts";
import { count, explain, schema, show } from "./verbs/show.ts";
import { drop, rename, select, withVerb } from "./verbs/columns.ts";
import { join } from "./verbs/join.ts";
import { joinStrings, regroup } from "./verbs/batches.ts";
import { read } from "./verbs/read.ts";
import { rechunk } from "./verbs/rechunk.ts";
import { write } from "./verbs/write.ts";

/** The verbs of a pipeline. */
export const verbs: readonly Verb[] = [
  read,
  withVerb,
  select,
  drop,
  rename,
  filter,
  join,
  regroup,
  joinStrings,
  rechunk,
  slice,
  head,
  tail,
  at,
  take,
  write,
  show,
  count,
  schema,
  explain,
];

/**
 * All verbs of the command line, in the order of the help.
 *
 * @module
 */

import type { Verb } from "../session/verb.ts";
import { at, filter, head, slice, tail, take } from "./rows.ts";
import { count, explain, schema, show } from "./show.ts";
import { drop, rename, select, withVerb } from "./columns.ts";
import { distinct, group, values } from "./group.ts";
import { join } from "./join.ts";
import { joinStrings, regroup } from "./batches.ts";
import { read } from "./read.ts";
import { rechunk } from "./rechunk.ts";
import { sort, top } from "./sort.ts";
import { write } from "./write.ts";

/** The verbs of a pipeline. */
export const verbs: readonly Verb[] = [
  read,
  withVerb,
  select,
  drop,
  rename,
  filter,
  group,
  values,
  distinct,
  sort,
  top,
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

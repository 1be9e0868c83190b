/**
 * All verbs of the command line, in the order of the help.
 *
 * @module
 */

import type { Verb } from "./verb.ts";
import { at } from "./verbs/at.ts";
import { count } from "./verbs/count.ts";
import { drop } from "./verbs/drop.ts";
import { explain } from "./verbs/explain.ts";
import { filter } from "./verbs/filter.ts";
import { head } from "./verbs/head.ts";
import { join } from "./verbs/join.ts";
import { joinStrings } from "./verbs/join_strings.ts";
import { read } from "./verbs/read.ts";
import { regroup } from "./verbs/regroup.ts";
import { rename } from "./verbs/rename.ts";
import { schema } from "./verbs/schema.ts";
import { select } from "./verbs/select.ts";
import { show } from "./verbs/show.ts";
import { slice } from "./verbs/slice.ts";
import { tail } from "./verbs/tail.ts";
import { withVerb } from "./verbs/with.ts";
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
  slice,
  head,
  tail,
  at,
  write,
  show,
  count,
  schema,
  explain,
];

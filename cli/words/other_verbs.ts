/**
 * Advice for verbs of other tools.
 *
 * @module
 */

/** Verbs of other tools that have another name here. */
const renamed: Readonly<Record<string, string>> = {
  ...{ cat: "read", open: "read", load: "read", from: "read", scan: "read", "read-csv": "read" },
  ...{ where: "filter", grep: "filter", having: "filter" },
  ...{ limit: "head", first: "head", last: "tail", nth: "at", row: "at" },
  ...{ rows: "take", gather: "take", offset: "slice N:", skip: "slice N:", reverse: "slice ::-1" },
  ...{ mutate: "with", assign: "with", put: "with", "with-columns": "with", derive: "with" },
  ...{ cut: "select", reorder: "select", project: "select", remove: "drop", renames: "rename" },
  ...{ print: "show", display: "show", pprint: "show", save: "write", export: "write" },
  ...{ to: "write", "to-csv": "write", "to-parquet": "write", "to-json": "write" },
  ...{ "write-csv": "write", "write-parquet": "write", convert: "write", output: "write" },
  ...{
    merge: "join",
    lookup: "join",
    "join-asof": "join --asof",
    dtypes: "schema",
    columns: "schema",
  },
  ...{ len: "count", length: "count", wc: "count", nrows: "count", chunk: "regroup" },
  ...{ order: "sort", "order-by": "sort", arrange: "sort", "sort-by": "sort" },
  ...{ uniq: "distinct", unique: "distinct", dedup: "distinct", deduplicate: "distinct" },
  ...{ "value-counts": "values", "count-by": "values", "count-similar": "values" },
  ...{ histogram: "values", "most-frequent": "values", "top-k": "top", "nlargest": "top" },
  ...{ "group-by": "group", aggregate: "group", agg: "group", summarize: "group" },
  ...{ summarise: "group", stats: "group", stats1: "group", rollup: "group" },
  ...{ rebatch: "regroup", repartition: "regroup", plan: "explain" },
};

/** Verbs of other tools that are an expression or part of another verb here, with advice. */
const elsewhere: Readonly<Record<string, string>> = {
  cast: `with 'x = x.cast("int64")' changes the type of a column`,
  astype: `with 'x = x.cast("int64")' changes the type of a column`,
  "fill-null": "with 'x = x.fillNull(0)' fills nulls",
  fillna: "with 'x = x.fillNull(0)' fills nulls",
  "fill-empty": "with 'x = x.fillNull(0)' fills nulls",
  "drop-nulls": "filter '!x.isNull()' leaves out rows",
  dropna: "filter '!x.isNull()' leaves out rows",
  sec2gmt: `with 't = t.cast("timestamp[s]")' makes times of seconds`,
  strptime: "with 't = t.toTimestamp(FORMAT)' reads times",
  strftime: "with 't = t.format(FORMAT)' writes times",
  sub: "with 'x = x.replaceRe(PATTERN, TEXT)' replaces text",
  gsub: "with 'x = x.replaceRe(PATTERN, TEXT)' replaces text",
  replace: "with 'x = x.replace(TEXT, OTHER)' replaces text",
  concat: "read A B reads files one after the other",
  union: "read A B reads files one after the other",
  append: "read A B reads files one after the other",
  vstack: "read A B reads files one after the other",
  hstack: "join --on puts columns beside each other",
  tee: "write FILE passes the rows on to the verbs after it",
  validate: "schema shows the types, and join --validate checks that keys are unique",
  info: "schema shows the types, and count the rows",
  ...Object.fromEntries(
    ["sum", "mean", "median", "min", "max"].map((
      name,
    ) => [name, `group '${name}(x)' computes one value of all rows`]),
  ),
  avg: "group 'mean(x)' computes one value of all rows",
  percentile: "group 'quantile(x, 0.9)' computes one value of all rows",
  quantile: "group 'quantile(x, 0.9)' computes one value of all rows",
  nsmallest: "top N KEY --least keeps the least rows",
  "count-distinct": "group 'n = countDistinct(x)' counts distinct values",
  semi: "join --how semi keeps the rows with a match",
  anti: "join --how anti keeps the rows without a match",
  antijoin: "join --how anti keeps the rows without a match",
  "cross-join": "join --how cross joins every row with every row",
};

/** Work that no verb does yet, with the verbs for it in other tools. */
const missing: readonly (readonly [what: string, verbs: readonly string[]])[] = [
  ["computes over neighbouring rows", ["merge-fields", "step", "window", "rolling", "rank"]],
  ["describes columns", ["describe", "summary", "summary-stats", "profile"]],
  ["draws rows at random", ["sample", "shuffle", "bootstrap", "random"]],
  ["turns rows into columns or back", ["pivot", "unpivot", "melt", "reshape", "crosstab"]],
  ["turns lists into rows or back", ["explode", "unnest", "nest", "implode", "flatten"]],
  ["splits rows over several files", ["split", "partition", "partition-by"]],
  ["fills values downwards", ["fill-down", "ffill", "bfill", "forward-fill", "interpolate"]],
  ["runs SQL", ["sql", "csvsql", "query", "q"]],
];

/** Returns advice on a verb of another tool, as the end of an error; undefined if there is none. */
export function otherVerb(verb: string): string | undefined {
  const key = verb.replace(/(?<=[a-z])(?=[A-Z])/g, "-").replaceAll("_", "-").toLowerCase();
  const found = [key, key.replace(/by$/, "-by"), key.replace(/^(to|sort|group)/, "$1-")].find((
    name,
  ) => Object.hasOwn(renamed, name) || Object.hasOwn(elsewhere, name) || missingWork(name));
  if (found === undefined) return undefined;
  if (Object.hasOwn(renamed, found)) return `it is called ${renamed[found]} here`;
  if (Object.hasOwn(elsewhere, found)) return elsewhere[found];
  return `there is no verb yet that ${missingWork(found)}`;
}

function missingWork(verb: string): string | undefined {
  return missing.find(([, verbs]) => verbs.includes(verb))?.[0];
}

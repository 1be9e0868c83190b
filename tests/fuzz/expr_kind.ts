/** The kinds of the values that random expressions have. */

/** The kind of an expression's values. */
export type Kind = "text" | "bool" | "int" | "float" | "date" | "time" | "list" | "hashes";

/**
 * Builds record batches from CSV records.
 *
 * @module
 */

import { typeRemedy } from "../../../base/errors/option_text.ts";
import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { type Data, Field, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { FileError } from "../../../base/errors/file_error.ts";
import { arrowType, type ScalarType } from "../../types/scalar_type.ts";
import type { InvalidText } from "../../text/valid_utf8.ts";
import { type ColumnBuilder, columnBuilder } from "./column_builder.ts";
import type { CsvRecords } from "./records.ts";
import type { CastColumns } from "../given_types.ts";

/** A column of a CSV file. */
export interface CsvColumn {
  readonly name: string;
  readonly type: ScalarType;
  /** Whether the type was given, not guessed. */
  readonly isGiven: boolean;
  /** Whether the type is a default: no value suggested one, and the user named none. */
  readonly isUntyped?: boolean;
}

/** Returns the schema of columns. All are nullable: any value of a CSV file may be missing. */
export function csvSchema(columns: readonly CsvColumn[]): Schema {
  return new Schema(columns.map(({ name, type }) => new Field(name, arrowType(type), true)));
}

interface BuilderOptions extends CastColumns {
  /** The name of the file in errors. */
  readonly name: string;
  readonly invalid: InvalidText;
}

/** Builds batches of the wanted columns. Errors name the row and the column. */
export class BatchBuilder {
  /** Rows in the current batch. */
  numRows = 0;
  /** Whether the current batch is the first. */
  isFirst = true;
  readonly #columns: readonly CsvColumn[];
  /** A builder for each column; undefined for unwanted ones. */
  readonly #builders: readonly (ColumnBuilder | undefined)[];
  readonly #schema: Schema;
  readonly #fileName: string;
  #rowsBefore = 0;

  constructor(
    columns: readonly CsvColumn[],
    wanted: readonly string[] | undefined,
    { name, invalid, castColumns = [] }: BuilderOptions,
  ) {
    const isWanted = ({ name }: CsvColumn) => wanted === undefined || wanted.includes(name);
    this.#columns = columns;
    this.#builders = columns.map((column) =>
      isWanted(column)
        ? columnBuilder(column.type, {
          isGuessed: !column.isGiven,
          isCast: castColumns.includes(column.name),
          invalid,
        })
        : undefined
    );
    this.#schema = csvSchema(columns.filter(isWanted));
    this.#fileName = name;
  }

  add({ bytes, scanner }: CsvRecords): void {
    const { starts, stops, quoting, numFields } = scanner;
    this.numRows++;
    if (numFields !== this.#columns.length) this.#refuseRagged(numFields);
    let i = 0;
    try {
      for (; i < numFields; i++) {
        this.#builders[i]?.add(bytes, starts[i]!, stops[i]!, quoting[i]!);
      }
    } catch (error) {
      throw this.#located(error, i);
    }
  }

  finish(): RecordBatch {
    const children: Data[] = [];
    for (const [index, builder] of this.#builders.entries()) {
      try {
        if (builder !== undefined) children.push(builder.finish());
      } catch (error) {
        throw this.#located(error, index);
      }
    }
    const type = new Struct(this.#schema.fields);
    const data = makeData({ type, length: this.numRows, nullCount: 0, children });
    this.#rowsBefore += this.numRows;
    this.numRows = 0;
    this.isFirst = false;
    return new RecordBatch(this.#schema, data);
  }

  #refuseRagged(numFields: number): never {
    const row = this.#rowsBefore + this.numRows - 1;
    const fields = numFields === 1 ? "1 field" : `${numFields} fields`;
    const problem = `row ${row} has ${fields}, but the header has ${this.#columns.length}`;
    throw new FileError(this.#fileName, problem, { row });
  }

  #located(cause: unknown, index: number): unknown {
    if (!isSluiceError(cause, "ValueError")) return cause;
    const { name, type, isGiven } = this.#columns[index]!;
    const row = this.#rowsBefore + (cause.row ?? this.numRows - 1);
    const guessed = type === "string" || isGiven
      ? []
      : [", as the first rows suggested", ...typeRemedy(name, cause.takenBy)];
    const problem = [`row ${row}, column ${name}: ${cause.message}`, ...guessed];
    return FileError.naming(this.#fileName, problem, { row, column: name, cause });
  }
}

/** A value of a statement. */
export type SqlValue = string | number | boolean | null | Buffer | Date | readonly string[] | readonly number[];

/** Runs statements. Its SQL names the schema `thermidor`, whatever the schema is called. */
export interface Sql {
  /** @returns the rows */
  query<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** Several statements without values. */
  script(sql: string): Promise<void>;
}

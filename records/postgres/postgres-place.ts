/** Where a store on PostgreSQL is. */
export interface PostgresPlace {
  /** `postgres://user:password@host:port/database?sslmode=…`. It has a password, so it is never shown. */
  url: string;
  /** One installation's tables: a lower-case name. */
  schema: string;
}

export const DEFAULT_SCHEMA = 'thermidor';

/** A name that PostgreSQL takes as it is, without its own prefix. */
export function isSchemaName(name: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(name) && !name.startsWith('pg_');
}

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}

/** What people may see of it: host, port, database and schema. */
export function shownPlace({ url, schema }: PostgresPlace): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}${schema === DEFAULT_SCHEMA ? '' : ` (schema ${schema})`}`;
}

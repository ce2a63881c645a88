import { ThermidorFailure } from '../../plan/run/failure';

/** Where a store on PostgreSQL is. */
export interface PostgresPlace {
  /** `postgres://user:password@host:port/database?sslmode=…`, or `secret://…`. It may have a password, so it is never shown. */
  url: string;
  /** One installation's tables: a lower-case name. */
  schema: string;
  /** Resolves the reference. */
  secrets?: { resolve(reference: string): Promise<string> };
}

export const DEFAULT_SCHEMA = 'thermidor';

/** A name that PostgreSQL takes as it is, without its own prefix. */
export function isSchemaName(name: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(name) && !name.startsWith('pg_');
}

export function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  try {
    // The driver decodes each part, and would fail at the first statement.
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The place with its address in place of a reference. Fails with `secret.missing`; with `store.unavailable` if the secret is another
 * sort of text, which is not shown.
 */
export async function resolvedPlace(place: PostgresPlace): Promise<PostgresPlace> {
  const url = (await place.secrets?.resolve(place.url)) ?? place.url;
  if (isPostgresUrl(url)) return { url, schema: place.schema };
  const store = shownPlace(place);
  throw new ThermidorFailure('store.unavailable', `${store} is not an address such as postgres://user@host/database`, { store });
}

/** What people may see of it: host, port, database and schema, or the name of the secret. */
export function shownPlace({ url, schema }: PostgresPlace): string {
  return `${shownAddress(url)}${schema === DEFAULT_SCHEMA ? '' : ` (schema ${schema})`}`;
}

function shownAddress(url: string): string {
  if (url.startsWith('secret://')) return url;
  if (!isPostgresUrl(url)) return 'the configured store';
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** Whether an address has a password of its own, in either place that the driver reads. */
export function hasPassword(url: string): boolean {
  if (!isPostgresUrl(url)) return false;
  const { password, searchParams } = new URL(url);
  return password !== '' || searchParams.has('password');
}

import { postgresBinaries } from '../../bench/store/postgres-server';

/** On a machine without PostgreSQL a suite is skipped, and its name says what to install. */
const MISSING = ': install PostgreSQL 13 or later';

export function describeOnPostgres(name: string, suite: () => void): void {
  if (postgresBinaries === undefined) describe.skip(`${name}${MISSING}`, suite);
  else describe(name, suite);
}

export function testOnPostgres(name: string, body: () => Promise<void>): void {
  if (postgresBinaries === undefined) test.skip(`${name}${MISSING}`, body);
  else test(name, body);
}

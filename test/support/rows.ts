import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A rule, the file of the test that shows it (beneath `test/`), and that test's title. */
export type Row = readonly [rule: string, file: string, title: string];

/** Makes one test for each row, which checks that the named test still exists. */
export function testRows(rows: readonly Row[]): void {
  test.each(rows)('row %s: %s', (_rule, file, title) => {
    expect(readFileSync(join(__dirname, '..', file), 'utf8')).toContain(`'${title}'`);
  });
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIdOf } from '../../worker/build-id';
import { scratchFolder } from '../activities/workshop';

test('other workflow code has another name, and each is short', () => {
  const ids = ['one', 'two', 'one'].map((code, i) => {
    const path = join(scratchFolder(), `${i}.js`);
    writeFileSync(path, code);
    return buildIdOf(path);
  });
  expect(ids[0]).toMatch(/^thermidor\+[0-9a-f]{12}$/);
  expect(ids[1]).not.toBe(ids[0]);
  expect(ids[2]).toBe(ids[0]);
});

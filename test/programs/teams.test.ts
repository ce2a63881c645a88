import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execute as runTests } from '../../cli/commands/test';
import { ROOT } from '../docs/page';
import { commanded } from '../docs/play-printed';

/** The shipped teams, with their scripts. */
const files = readdirSync(join(ROOT, 'teams')).filter((name) => name.endsWith('.test.yaml'));

test.each(files)('%s passes', async (name) => {
  expect(await commanded(runTests, ROOT, [join('teams', name)])).toMatchObject({ exit: 0 });
});

test('each team has tests', () => {
  const teams = readdirSync(join(ROOT, 'teams')).filter((name) => /(?<!\.test)\.yaml$/.test(name));
  expect(teams.map((name) => name.replace('.yaml', '.test.yaml'))).toEqual(files);
});

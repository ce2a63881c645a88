import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../../cli/catalogue';
import { Options } from '../../cli/command';
import { EXIT, shownFailure } from '../../cli/exit';
import { recordingPath } from '../../cli/recording/record-followed';
import { checkScriptPath } from '../../cli/recording/save';
import { scratchFolder } from '../activities/workshop';
import { fakeTerminal } from '../cli/fake-terminal';

/** Tests the place of a recording, which is checked before anything is done. */
const REFUSED = expect.objectContaining({ exit: EXIT.usage, code: 'usage', more: { hint: expect.any(String) } });

test.each(['yesterday', 'yesterday.txt', '.yaml', '-a.yaml', 'my script.yaml', `${'x'.repeat(200)}.yaml`, 'yesterday.yaml/'])(
  'what cannot be a script’s name is refused: %j',
  (name) => {
    expect(() => checkScriptPath(`${scratchFolder()}/${name}`, { replace: false })).toThrow(REFUSED);
  },
);

test('a file that is there is replaced only if that is said', () => {
  const path = join(scratchFolder(), 'yesterday.yml');
  checkScriptPath(path, { replace: false });
  writeFileSync(path, '');
  expect(() => checkScriptPath(path, { replace: false })).toThrow(REFUSED);
  checkScriptPath(path, { replace: true });
});

test('what else can be done then is something that the command itself, or the one that is named, can do', () => {
  const path = join(scratchFolder(), 'yesterday.yml');
  writeFileSync(path, '');
  const hintOf = (check: () => void): string => {
    try {
      check();
    } catch (error) {
      return shownFailure(error)?.hint ?? '';
    }
    throw new Error('it was not refused');
  };
  const flagsOf = (name: string) => CATALOGUE.find((command) => command.name === name)?.options?.map(({ flags }) => flags.split(' ')[0]);
  expect(hintOf(() => checkScriptPath(path, { replace: false }))).toContain('--force');
  expect(flagsOf('record')).toContain('--force');
  const hint = hintOf(() => void recordingPath(new Options({ record: path }), fakeTerminal()));
  expect(hint).toContain('thermidor record <run> <file> --force');
  expect(flagsOf('run')).not.toContain('--force');
});

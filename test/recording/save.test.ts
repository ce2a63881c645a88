import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../cli/exit';
import { checkScriptPath } from '../../cli/recording/save';
import { scratchFolder } from '../activities/workshop';

/** Where a run shall be recorded, before anything is done. */
const REFUSED = expect.objectContaining({ exit: EXIT.usage, code: 'usage', more: { hint: expect.any(String) } });

test.each(['yesterday', 'yesterday.txt', '.yaml', '-a.yaml', 'my script.yaml', `${'x'.repeat(200)}.yaml`, 'yesterday.yaml/'])(
  'what cannot be a script’s name is refused: %j',
  (name) => {
    expect(() => checkScriptPath(`${scratchFolder()}/${name}`, { replace: false })).toThrow(REFUSED);
  },
);

test('a file that is there is replaced only where that is said', () => {
  const path = join(scratchFolder(), 'yesterday.yml');
  checkScriptPath(path, { replace: false });
  writeFileSync(path, '');
  expect(() => checkScriptPath(path, { replace: false })).toThrow(REFUSED);
  checkScriptPath(path, { replace: true });
});

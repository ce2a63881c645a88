import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withTemporaryFolder } from '../../activities/adapters/temporary-folder';
import { scratchFolder } from './scene';

it('is made although the folder for temporary files was cleared away while the worker runs', async () => {
  const around = join(scratchFolder(), 'tmp');
  const use = (): Promise<boolean> => withTemporaryFolder(join(around, 'thermidor-index-'), async (folder) => existsSync(folder));
  expect(await use()).toBe(true);
  rmSync(around, { recursive: true });
  expect(await use()).toBe(true);
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskWorkFolders } from '../../activities/adapters/work-folder/work-folders';
import { ToolRefusal } from '../../activities/tool-ports';
import { toolBench } from './tool-use';

/** Agents that work in parallel in one folder, and change the same file. */
test('concurrent changes to one file never undo each other: each is in the file, or is refused', async () => {
  const files = new DiskWorkFolders();
  const { folder } = toolBench();
  const place = { folder, path: 'notes' };
  writeFileSync(join(folder, 'notes'), '');
  const done: string[] = [];

  async function add(line: string): Promise<void> {
    const { content, version } = await files.read(place, 10_000);
    try {
      await files.write(place, `${content}${line}\n`, { ifStill: version });
      done.push(line);
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
    }
  }

  await Promise.all(Array.from({ length: 20 }, (_, writer) => add(`line ${writer}`)));
  expect(readFileSync(join(folder, 'notes'), 'utf8').split('\n').filter(Boolean).sort()).toEqual(done.sort());
  expect(done).not.toEqual([]);
  expect(readdirSync(folder)).toEqual(['notes']);
});

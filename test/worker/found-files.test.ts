import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { briefFilesIn } from '../../cli/briefs/brief-files';
import { PipelineIndex } from '../../worker/pipeline-index';

/** A folder in which something cannot be read that nobody has named: a link that leads to itself. */
function folderWith(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'found-'));
  writeFileSync(join(folder, name), text);
  for (const loop of ['loop.md', 'loop.yaml']) symlinkSync(loop, join(folder, loop));
  return folder;
}

test('the other pipelines of a folder are found', () => {
  const folder = folderWith('a.yaml', 'name: a\nsteps: []\n');
  expect([...new PipelineIndex([folder]).files().keys()]).toEqual(['a']);
});

test('the other briefs of a folder are found', () => {
  const folder = folderWith('a.md', '---\nproject: site\n---\n# Objective\nA site.\n');
  expect(briefFilesIn([folder]).map(({ project }) => project)).toEqual(['site']);
});

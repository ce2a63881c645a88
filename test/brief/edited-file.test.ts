import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editedFiles } from '../../cli/briefs/edited-file';
import { briefText } from '../interpreter/brief-play';
import { planFrom } from '../patterns/compiled';
import { scratchFolder } from '../support/scratch-folder';

/** What `brief resume` says of files, in a folder with a brief of the same project. */
function edited(text: string): string[] {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'site.md'), '---\nproject: site\n---\n# Objective\nA site.\n');
  return editedFiles(planFrom(text), { project: 'site' }, [cwd], { cwd });
}

it('a brief’s file that is not what the run began with is named', () => {
  expect(edited(briefText().replace("  - {id: after, run: 'true'}\n", ''))).toEqual([expect.stringMatching(/^site\.md is not what/)]);
});

it('a file of the same project is no edit of a pipeline that has a brief among its steps', () => {
  expect(edited(briefText())).toEqual([]);
});

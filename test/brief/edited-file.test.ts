import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editedFiles } from '../../cli/briefs/edited-file';
import { compilePipeline } from '../../compiler/compile';
import { NO_INSTALLATION } from '../../compiler/installation';
import { briefText } from '../interpreter/brief-play';
import { planFrom } from '../patterns/compiled';
import { scratchFolder } from '../support/scratch-folder';

/** What `brief resume` says of files, in a folder with a brief of the same project. */
function edited(text: string): string[] {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'site.md'), '---\nproject: site\n---\n# Objective\nA site.\n');
  return editedFiles(planFrom(text), { project: 'site' }, [cwd], { cwd });
}

it('a brief’s file that has changed since the run began is named', () => {
  expect(edited(briefText().replace("  - {id: after, run: 'true'}\n", ''))).toEqual([expect.stringMatching(/^site\.md has changed since/)]);
});

it('a file of a role that has changed since the run began is named', () => {
  const typist = 'description: Types.\nprompt_overlay: You type.\n';
  const site = '---\nproject: site\nroles: [planner, executor, typist]\n---\n# Objective\nA.\n# Deliverables\n- b\n# Constraints\nNone.\n';
  const files: Record<string, string> = { 'site.md': site, 'roles/typist.yaml': typist };
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'roles'));
  const write = () => Object.entries(files).forEach(([name, text]) => void writeFileSync(join(cwd, name), text));
  write();
  const { plan } = compilePipeline('site.md', site, { read: (path) => files[path], list: () => [] }, { installation: NO_INSTALLATION });
  const said = () => plan && editedFiles(plan, { project: 'site' }, [cwd], { cwd });
  expect(said()).toEqual([]);
  files['roles/typist.yaml'] = typist.replace('type.', 'write.');
  write();
  expect(said()).toEqual([expect.stringMatching(/^roles\/typist\.yaml has changed since/)]);
});

it('a file of the same project is no edit of a pipeline that has a brief among its steps', () => {
  expect(edited(briefText())).toEqual([]);
});

it('a file that a step names is named if it has changed, wherever the step is', () => {
  const site = '---\nproject: site\nroles: []\n---\n# Objective\nA.\n# Deliverables\n- b\n# Constraints\nNone.\n';
  const cwd = scratchFolder();
  const steps = [
    {
      id: 'both',
      branches: [
        { id: 'other', run: 'true' },
        { id: 'work', brief: 'site.md' },
      ],
    },
  ];
  const sources = { read: (path: string) => (path === 'site.md' ? site : undefined), list: () => [] };
  const text = JSON.stringify({ name: 'nightly', steps });
  const { plan } = compilePipeline('nightly.yaml', text, sources, { installation: NO_INSTALLATION });
  const said = () => plan && editedFiles(plan, { project: 'site' }, [cwd], { cwd });
  writeFileSync(join(cwd, 'site.md'), site);
  expect(said()).toEqual([]);
  writeFileSync(join(cwd, 'site.md'), site.replace('A.', 'Another.'));
  expect(said()).toEqual([expect.stringMatching(/^site\.md has changed since/)]);
});

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePipeline } from '../../compiler';
import { FolderSources } from '../../worker/folder-sources';
import { scratchFolder } from '../support/scratch-folder';

/** Skills on a disk: the files of a folder that an agent gets to see, and those that it does not. */
let home = '';
let skill = '';
beforeEach(() => {
  home = scratchFolder();
  skill = join(home, 'pipelines', 'skills', 'chart');
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: chart\ndescription: Draws.\n---\nDraw.\n');
});

function frozen(): { files: string[]; codes: string[]; texts: string } {
  const folder = join(home, 'pipelines');
  const text = 'name: p\nagents: {a: {role: Works., skills: [chart]}}\nsteps:\n  - {id: s, agent: a}\n';
  const compiled = compilePipeline(join(folder, 'p.yaml'), text, new FolderSources(folder));
  const blobs = compiled.plan ? [...compiled.blobs.values()] : [];
  return {
    files: blobs.flatMap(({ name }) => (name.startsWith('chart/') ? [name.slice('chart/'.length)] : [])).sort(),
    codes: compiled.diagnostics.map(({ code }) => code),
    texts: blobs.map(({ content }) => content).join('\n'),
  };
}

test('every text of the folder is kept, those in folders of it too, and no hidden one', () => {
  mkdirSync(join(skill, 'ways', 'empty'), { recursive: true });
  writeFileSync(join(skill, 'ways', 'bars.md'), 'Bars.');
  writeFileSync(join(skill, '.env'), 'KEY=1');
  expect(frozen()).toMatchObject({ files: ['SKILL.md', 'ways/bars.md'], codes: [] });
});

test('a link that leads out of the pipeline’s folder is left out, and it is said', () => {
  writeFileSync(join(home, 'secret.txt'), 'hunter22');
  symlinkSync(join(home, 'secret.txt'), join(skill, 'notes.md'));
  symlinkSync(home, join(skill, 'all'));
  const { files, codes, texts } = frozen();
  expect([files, codes]).toEqual([['SKILL.md'], ['skill.left-out', 'skill.left-out']]);
  expect(texts).not.toContain('hunter22');
});

test('a folder that leads to itself ends, and what lies too deep is left out', () => {
  symlinkSync(skill, join(skill, 'again'));
  const { files, codes } = frozen();
  expect(codes).toEqual(['skill.left-out']);
  expect(files.length).toBeLessThan(10);
});

test('what is not text is left out', () => {
  writeFileSync(join(skill, 'logo.png'), Buffer.from([0x89, 0x50, 0xff, 0xfe, 0x00]));
  writeFileSync(join(skill, 'latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  expect(frozen()).toMatchObject({ files: ['SKILL.md'], codes: ['skill.left-out', 'skill.left-out'] });
});

test.each([
  ['files', () => Array.from({ length: 101 }, (_, i) => [`${i}.md`, 'x'] as const)],
  ['text', () => ['a.md', 'b.md'].map((name) => [name, 'x'.repeat(600 * 1024)] as const)],
])('a skill with too much %s is refused', (_, made) => {
  for (const [name, text] of made()) writeFileSync(join(skill, name), text);
  expect(frozen()).toMatchObject({ files: [], codes: ['skill.too-large'] });
});

test('a folder that lies out of the pipeline’s is no skill', () => {
  rmSync(skill, { recursive: true });
  mkdirSync(join(home, 'chart'));
  writeFileSync(join(home, 'chart', 'SKILL.md'), '---\nname: chart\ndescription: Draws.\n---\nDraw.\n');
  symlinkSync(join(home, 'chart'), skill);
  expect(frozen().codes).toEqual(['skill.unknown']);
});

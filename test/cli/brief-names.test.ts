import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { execute as lint } from '../../cli/commands/brief-lint';
import { findPipeline } from '../../cli/pipelines/pipelines';
import { renderBriefs } from '../../cli/rendering/briefs';
import { configurationOf } from '../../cli/settings/settings';
import { fakeTerminal } from './fake-terminal';

const brief = (project: string): string =>
  `---\nproject: ${project}\n---\n# Objective\nA site.\n# Deliverables\nindex.html\n# Constraints\nNone.\n`;

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'thermidor-briefs-'));
  for (const folder of ['briefs', 'pipelines', 'elsewhere']) mkdirSync(join(cwd, folder));
  put('thermidor.yaml', '');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function put(file: string, text: string): void {
  writeFileSync(join(cwd, file), text);
}

function around(folder = '.') {
  const terminal = fakeTerminal({ cwd: join(cwd, folder) });
  const options = new Options({});
  return { terminal, options, configuration: configurationOf({ terminal, options }) };
}

function found(name: string, folder?: string): string {
  const { terminal, configuration } = around(folder);
  return findPipeline(name, configuration, terminal.cwd).path.slice(cwd.length + 1);
}

describe('a brief is found', () => {
  it('by the name of its file, in whichever folder of briefs or pipelines', () => {
    put('briefs/site.md', brief('acme'));
    put('pipelines/tool.markdown', brief('acme'));
    put('elsewhere/own.md', brief('own'));
    expect(['site', 'tool'].map((name) => found(name))).toEqual(['briefs/site.md', 'pipelines/tool.markdown']);
    expect(['site', 'own'].map((name) => found(name, 'elsewhere'))).toEqual(['briefs/site.md', 'elsewhere/own.md']);
    expect(() => found('own')).toThrow('there is no pipeline "own"');
  });

  it('by its project, which is the name of its runs’ pipeline', () => {
    put('briefs/site.md', brief('acme'));
    expect(found('acme')).toBe('briefs/site.md');
  });

  it('after a pipeline of that name, and not if several have it', () => {
    put('briefs/site.md', brief('acme'));
    put('pipelines/p.yaml', 'name: site\nsteps:\n  - {id: a, run: ls}\n');
    expect(found('site')).toBe('pipelines/p.yaml');
    put('briefs/other.md', brief('acme'));
    expect(() => found('acme')).toThrow('several files have the name "acme"');
  });

  it('and no other Markdown is', () => {
    put('briefs/README.md', '# Briefs\n');
    expect(() => found('README')).toThrow('there is no pipeline "README"');
    put('briefs/site.md', brief('acme'));
    expect(() => found('sites')).toThrow(
      expect.objectContaining({ more: expect.objectContaining({ hint: expect.stringMatching(/^did you mean "site"/) }) }),
    );
  });
});

it('`brief lint` takes names, and refuses what is no brief', async () => {
  put('briefs/site.md', brief('acme'));
  put('briefs/wrong.md', brief('Acme'));
  put('pipelines/p.yaml', 'name: flow\nsteps:\n  - {id: a, run: ls}\n');
  const { terminal, options } = around();
  const call = (...args: string[]) => lint({ args, options, terminal, catalogue: { commands: [], nouns: {} } });
  expect(await call('site')).toBe(0);
  expect(await call('site', 'wrong')).toBe(1);
  await expect(call('flow')).rejects.toMatchObject({ exit: 2 });
});

it('the list shows the beginning of a long reason, on one line', () => {
  const { terminal } = around();
  const listed = renderBriefs([{ project: 'acme', state: 'waiting', at: `escalate: ${'word '.repeat(80)}`, file: 'site.md' }], terminal);
  expect(Math.max(...listed.split('\n').map((line) => line.length))).toBeLessThan(160);
  expect(listed).toMatch(/escalate: word .*… +site\.md/);
});

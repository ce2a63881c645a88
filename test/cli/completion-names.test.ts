import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { complete } from '../../cli/completion/complete';
import { readTypedLine } from '../../cli/completion/typed-line';
import { compile, readPipeline } from '../../cli/pipelines/pipelines';
import { openRecords } from '../../records/open-records';
import { scratchFolder } from '../activities/workshop';

const BREAKS = ' \t\n"\'@><=;|&(:';

test.each([
  ['thermidor status ', { words: ['thermidor', 'status'], current: '', quote: '', before: 0 }],
  ['thermidor status a:b', { words: ['thermidor', 'status'], current: 'a:b', quote: '', before: 2 }],
  ['thermidor status a\\:b', { words: ['thermidor', 'status'], current: 'a:b', quote: '', before: 0 }],
  ["thermidor  status 'a b:c", { words: ['thermidor', 'status'], current: 'a b:c', quote: "'", before: 0 }],
  ['t show "x y" z\\ w', { words: ['t', 'show', 'x y'], current: 'z w', quote: '', before: 0 }],
  ['t approve "" --by=al', { words: ['t', 'approve', ''], current: '--by=al', quote: '', before: 5 }],
  ['t a\\', { words: ['t'], current: 'a', quote: '', before: 0 }],
  ['', { words: [], current: '', quote: '', before: 0 }],
])('a line is read as a shell reads it: %s', (line, read) => {
  expect(readTypedLine(line, BREAKS)).toEqual(read);
});

describe('names, if no server runs', () => {
  const cwd = scratchFolder();

  async function open(run: string, file: string, startedAt: string, more: object = {}): Promise<void> {
    const stateDir = join(cwd, '.thermidor');
    const compiled = compile(readPipeline(file, cwd));
    if (!('planText' in compiled)) throw new Error(JSON.stringify(compiled));
    const plan = await openRecords({ stateDir }).control.put('plan', compiled.planText, `${compiled.plan.name}.plan.json`);
    for (const [, { content, name }] of compiled.blobs)
      await openRecords({ stateDir }).artifacts.put(Buffer.from(content), { mediaType: 'application/json', name });
    await openRecords({ stateDir }).ledger.putIfAbsent({ workflowId: run, run: 'first' }, 'run', {
      plan: { ...plan },
      args: {},
      startedAt,
      ...more,
    });
  }

  beforeAll(async () => {
    mkdirSync(join(cwd, 'pipelines', 'scripts'), { recursive: true });
    const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
    write('thermidor.yaml', 'people: {alice: {}, albert: {}, bob: {}}\n');
    write('pipelines/kid.yaml', 'name: kid\nsteps:\n  - {id: k1, run: echo}\n');
    write('pipelines/release.yaml', 'name: release\nsteps:\n  - {id: build, run: echo}\n  - {id: deploy, pipeline: kid.yaml}\n');
    write('pipelines/scripts/quick.yaml', 'replies: {}\n');
    await open('release-20261120-7f3k2a', 'pipelines/release.yaml', '2026-11-20T10:00:00Z');
    await open('release-2026-11-22T07:30:00Z', 'pipelines/release.yaml', '2026-11-22T07:30:00Z');
    await open('release-2026-11-22T07:30:00Z.deploy', 'pipelines/kid.yaml', '2026-11-22T07:31:00Z', {
      parent: 'release-2026-11-22T07:30:00Z',
    });
  });

  async function names(line: string, shell = 'bash', breaks = BREAKS): Promise<string[]> {
    let written = '';
    const out = (text: string): void => {
      written += text;
    };
    const exit = await complete([shell, breaks, line], { cwd, env: {}, out });
    expect(exit).toBe(0);
    return written.split('\n').filter(Boolean);
  }

  it.each([
    ['runs, newest first, without those of children', 'thermidor status ', ['release-2026-11-22T07:30:00Z', 'release-20261120-7f3k2a']],
    ['a run by its last characters', 'thermidor status 7f', ['7f3k2a']],
    ['what is left of a word that bash cuts at a colon', 'thermidor status release-2026-11-22T07:', ['30:00Z']],
    ['a whole word within quotes', "thermidor status 'release-2026-11-22T07:", ['release-2026-11-22T07:30:00Z']],
    ['a run by its time', 'thermidor why 2026-11-22', ['2026-11-22T07:30:00Z']],
    ['pipelines', 'thermidor run re', ['release']],
    ['pipelines of an option', 'thermidor list --pipeline ', ['kid', 'release']],
    ['scripts beside the pipelines', 'thermidor run release --script q', ['quick']],
    ['steps of the run that is named, those of its children too', 'thermidor show 7f3k2a ', ['build', 'deploy', 'deploy/k1']],
    ['steps by the pipeline’s name', 'thermidor rerun release --from de', ['deploy', 'deploy/k1']],
    ['steps after options', 'thermidor logs --try 1 7f3k2a b', ['build']],
    ['people', 'thermidor approve release --by al', ['alice', 'albert']],
    ['people after an equals sign', 'thermidor approve release --by=ali', ['alice']],
    ['nothing for the value of an option that nobody can guess', 'thermidor approve release --comment ', []],
    ['nothing for a third argument', 'thermidor show 7f3k2a build ', []],
    ['nothing for what is no command', 'thermidor nonsense ', []],
    ['nothing of a run that nobody knows', 'thermidor show nobody ', []],
  ])('are those of %s', async (_, line, found) => {
    await expect(names(line)).resolves.toEqual(found);
  });

  it('are whole words for zsh and fish, which know no breaks', async () => {
    await expect(names('thermidor approve release --by=ali', 'zsh', '')).resolves.toEqual(['--by=alice']);
    await expect(names('thermidor status release-2026-11-22T07:', 'fish', '')).resolves.toEqual(['release-2026-11-22T07:30:00Z']);
  });

  it('are none if a file of settings is broken: the command itself will say so', async () => {
    writeFileSync(join(cwd, 'thermidor.yaml'), 'people: [\n');
    await expect(names('thermidor approve release --by al')).resolves.toEqual([]);
    writeFileSync(join(cwd, 'thermidor.yaml'), 'people: {alice: {}, albert: {}, bob: {}}\n');
  });
});

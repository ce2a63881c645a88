import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskSharedFiles } from '../../activities/adapters/shared-text-files';
import { keepLessons } from '../../activities/patterns/keep-lessons';
import { mineJournal } from '../../activities/patterns/mine-journal';
import type { SharedFiles } from '../../activities/ports';
import type { LessonFiles } from '../../kinds/post-mortem/rules/spec';
import { readMemory } from '../../plan/memory/memory-file';
import { MOST_MEMORY_BYTES } from '../../plan/memory/recall';
import type { PostMortemReport } from '../../plan/patterns/post-mortem';
import type { JournalEntry } from '../../plan/run/journal';
import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { writeJournalPage } from '../../records/journal/journal-pages';
import { codeOf, KEY, scratchFolder, type Workshop, workshop } from '../activities/workshop';
import { postMortemStep } from './post-mortem-play';

const LIMIT = 64 * 1024;

describe('a file that runs and people share', () => {
  const files = new DiskSharedFiles();
  const folder = scratchFolder;

  it('CP-10 · duplicate · of many that add at once none is lost, and no lock is left', async () => {
    const path = join(folder(), 'docs', 'team.md');
    const writers = Array.from({ length: 20 }, (_, i) => files.edit(path, LIMIT, (text = '') => `${text}- ${i}\n`));
    await Promise.all(writers);
    expect(readFileSync(path, 'utf8').trim().split('\n').sort()).toEqual(Array.from({ length: 20 }, (_, i) => `- ${i}`).sort());
    expect(readdirSync(join(path, '..'))).toEqual(['team.md']);
  });

  it('CP-10 · duplicate · what an editor writes in between is not lost', async () => {
    const path = join(folder(), 'team.md');
    let calls = 0;
    await files.edit(path, LIMIT, (text = '') => {
      calls += 1;
      if (calls === 1) writeFileSync(path, '- a person’s\n');
      return `${text}- a run’s\n`;
    });
    expect(readFileSync(path, 'utf8')).toBe('- a person’s\n- a run’s\n');
  });

  it('CP-10 · fallbacks · a file that changes each time is not overwritten', async () => {
    const path = join(folder(), 'team.md');
    let calls = 0;
    const edit = files.edit(path, LIMIT, (text = '') => {
      writeFileSync(path, `${calls++}\n`);
      return `${text}mine\n`;
    });
    expect(await codeOf(edit)).toBe('memory.unusable');
    expect(readFileSync(path, 'utf8')).not.toContain('mine');
  });

  it('CP-10 · worker killed · a lock that a dead process has left is taken over', async () => {
    const path = join(folder(), 'team.md');
    writeFileSync(
      join(path, '..', '.team.md.lock'),
      JSON.stringify({ id: '0123456789abcdef', process: { pid: 2 ** 30, began: 'long ago' } }),
    );
    await files.edit(path, LIMIT, () => 'mine\n');
    expect(readFileSync(path, 'utf8')).toBe('mine\n');
  });

  it('CP-10 · entry · a link stays one, and what it leads to is written with its mode', async () => {
    const root = folder();
    const [path, link] = [join(root, 'real.md'), join(root, 'team.md')];
    writeFileSync(path, 'before\n');
    chmodSync(path, 0o640);
    symlinkSync(path, link);
    await files.edit(link, LIMIT, () => 'after\n');
    expect(readFileSync(path, 'utf8')).toBe('after\n');
    expect(readFileSync(link, 'utf8')).toBe('after\n');
  });

  it.each<[string, string, (path: string) => void]>([
    ['a folder in its place', 'memory.unusable', (path) => mkdirSync(path)],
    ['a pipe, which would be waited for', 'memory.unusable', (path) => execFileSync('mkfifo', [path])],
    ['what is not UTF-8', 'memory.unusable', (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00]))],
    ['more than is taken', 'memory.too-large', (path) => writeFileSync(path, 'x'.repeat(LIMIT + 1))],
    ['no room for what is added', 'memory.too-large', (path) => writeFileSync(path, 'x'.repeat(LIMIT))],
    ['a file in place of its folder', 'memory.unusable', (path) => writeFileSync(join(path, '..'), '')],
  ])('CP-10 · entry · a file that cannot be used fails with a code of its own: %s', async (what, code, make) => {
    const path = join(folder(), 'sub', 'team.md');
    if (!what.startsWith('a file')) mkdirSync(join(path, '..'));
    make(path);
    expect(await codeOf(files.edit(path, LIMIT, (text = '') => `${text}y`))).toBe(code);
  });
});

const STEP = (files: LessonFiles): Step => postMortemStep(['bull'], { files });
const REPORT: PostMortemReport = {
  ...{ team: 'demo', timestamp: '2026-01-02T03:04:05.000Z' },
  execution_summary: { total_tasks: 1, completed: 1, total_messages: 0, escalations: 0, fix_cycles: 0, errors: 0 },
  ...{ what_went_well: [], what_was_difficult: [], recommendations: [], confirmed: [], sources: [] },
  improvement_actions: ['More time.'],
  reusable_patterns: ['Lint first.'],
  root_causes: [{ cause: 'No lockfile.', prevention: 'Commit it.' }],
};

async function kept(files: LessonFiles, more: Partial<PostMortemReport> = {}, shop: Workshop = workshop(), id = 'post_mortem#1~1/kept') {
  await shop.open([], { finally: { order: 'sequence', steps: [STEP(files)] } });
  const report = await shop.artifacts.put(JSON.stringify({ ...REPORT, ...more }), { mediaType: 'application/json' });
  const heartbeat = jest.fn();
  const answer = await keepLessons(shop.toolbox, { ...shop.call(id), heartbeat }, { run: KEY.run, report });
  expect(heartbeat).toHaveBeenCalled();
  return { ...answer, report: JSON.parse((await shop.artifacts.get(answer.artifact)).toString()) as PostMortemReport & { kept?: Json } };
}

describe('what a post-mortem keeps', () => {
  const paths = () => {
    const root = scratchFolder();
    return { memory: join(root, 'team.md'), guidelines: join(root, 'docs/guidelines.md'), write: join(root, 'post-mortem.json') };
  };

  it('CP-10 · success · patterns and preventions go into memory, improvements into the guidelines, the report into its file', async () => {
    const files = paths();
    const { kept: outcome, artifact, report } = await kept(files);
    expect(outcome).toEqual([
      { file: files.memory, as: 'memory', added: 2, confirmed: 0 },
      { file: files.guidelines, as: 'guidelines', added: 1, confirmed: 0 },
      { file: files.write, as: 'write' },
    ]);
    expect(artifact.name).toBe('post-mortem.json');
    expect(readMemory(readFileSync(files.memory, 'utf8')).items).toMatchObject([
      { text: 'Lint first.', facts: { kind: 'pattern', run: KEY.workflowId, first: '2026-01-02' } },
      { text: 'Commit it. (No lockfile.)', facts: { kind: 'prevention' } },
    ]);
    expect(readFileSync(files.guidelines, 'utf8')).toMatch(/^# Guidelines\n\n- More time\. <!-- m-/);
    expect(JSON.parse(readFileSync(files.write, 'utf8'))).toMatchObject({ ...REPORT, kept: [{ as: 'memory' }, { as: 'guidelines' }] });
    expect(report.kept).toEqual(outcome);
  });

  it('CP-10 · fallbacks · if nothing was learned no memory is written', async () => {
    const files = paths();
    const { kept: outcome } = await kept(files, { reusable_patterns: [], root_causes: [], improvement_actions: [] });
    expect(outcome).toEqual([{ file: files.write, as: 'write' }]);
    expect(readdirSync(join(files.memory, '..'))).toEqual(['post-mortem.json']);
  });

  it('CP-10 · worker killed · one that dies between its files does the rest, and counts no run twice', async () => {
    const files = paths();
    const shop = workshop();
    const disk = new DiskSharedFiles();
    const dies: SharedFiles = {
      read: (path, most) => disk.read(path, most),
      edit: async (path, most, change) => {
        if (path === files.guidelines) throw new Error('killed');
        await disk.edit(path, most, change);
      },
    };
    shop.toolbox.sharedFiles = dies;
    await expect(kept(files, {}, shop)).rejects.toThrow('killed');
    const before = readFileSync(files.memory, 'utf8');
    shop.toolbox.sharedFiles = disk;
    const { kept: outcome } = await kept(files, {}, shop);
    expect(outcome).toMatchObject([{ as: 'memory', added: 0, confirmed: 0 }, { as: 'guidelines', added: 1 }, { as: 'write' }]);
    expect(readFileSync(files.memory, 'utf8')).toBe(before);
  });

  it('CP-10 · duplicate · asked again it answers as before, and writes nothing', async () => {
    const files = paths();
    const shop = workshop();
    const first = await kept(files, {}, shop);
    writeFileSync(files.memory, '');
    expect(await kept(files, {}, shop)).toEqual(first);
    expect(readFileSync(files.memory, 'utf8')).toBe('');
  });

  it('CP-10 · fallbacks · a file that cannot be written is in the report, and the others are written', async () => {
    const files = paths();
    mkdirSync(files.memory);
    const { kept: outcome, report } = await kept(files);
    expect(outcome).toMatchObject([{ as: 'memory', error: { code: 'memory.unusable' } }, { as: 'guidelines', added: 1 }, { as: 'write' }]);
    expect(report.kept).toEqual(outcome);
  });

  it('CP-10 · entry · entries that cannot be read are named, and stay', async () => {
    const files = paths();
    writeFileSync(files.memory, '- x <!-- m-1 -->\n');
    expect((await kept(files)).kept[0]).toMatchObject({ added: 2, problems: [expect.stringMatching(/^line 1: /)] });
    expect(readFileSync(files.memory, 'utf8')).toMatch(/^- x <!-- m-1 -->\n- Lint first/);
  });

  it('CP-10 · entry · a memory that is full takes nothing more', async () => {
    const files = paths();
    writeFileSync(files.memory, 'x'.repeat(MOST_MEMORY_BYTES));
    expect((await kept(files)).kept[0]).toMatchObject({ error: { code: 'memory.too-large' } });
  });
});

describe('a journal that is read for a post-mortem', () => {
  const entries = (from: number, ...events: object[]): JournalEntry[] =>
    events.map((event, i) => ({ seq: from + i, at: '2026-01-02T00:00:00Z', ...event }) as JournalEntry);

  async function mined(more: Partial<Parameters<typeof mineJournal>[2]> = {}, files: LessonFiles = {}) {
    const shop = workshop();
    const steps: Step[] = [
      { id: 'draft', kind: 'agent', agent: 'bull' },
      {
        id: 'around',
        kind: 'group',
        block: { order: 'sequence', steps: [{ id: 'build', kind: 'command', command: { shell: ['true'] } }] },
      },
    ];
    await shop.open(steps, { finally: { order: 'sequence', steps: [STEP(files)] } });
    const first = entries(1, { kind: 'step', step: 'draft', state: 'done' }, { kind: 'step', step: 'around', state: 'running' });
    const second = entries(
      3,
      { kind: 'step', step: 'around/build', state: 'failed', error: { code: 'command.failed', message: 'exit 1' } },
      { kind: 'step', step: 'post_mortem', state: 'running' },
      { kind: 'step', step: 'post_mortem[1]/post_mortem_bull', state: 'running' },
    );
    const refs = await Promise.all([first, second].map((page) => writeJournalPage(shop.artifacts, page)));
    const pages = refs.map(({ sha256 }, i) => ({ fromSeq: i * 2 + 1, toSeq: i * 2 + 2, sha256 }));
    const input = { run: KEY.run, pages, end: { state: 'completed' } as const, ...more };
    const heartbeat = jest.fn();
    const answer = await mineJournal(shop.toolbox, { ...shop.call('post_mortem#1~1/mined'), heartbeat }, input);
    expect(heartbeat).toHaveBeenCalled();
    return { ...answer, mined: JSON.parse((await shop.artifacts.get(answer.artifact)).toString()) as Json };
  }

  it('CP-10 · workflow · counts the work, and neither what holds it nor the post-mortem', async () => {
    const { mined: found, notable } = await mined();
    expect(found).toMatchObject({
      execution_summary: { total_tasks: 2, completed: 1, errors: 1 },
      troubles: [{ step: 'around/build', code: 'command.failed', times: 1 }],
      ...{ end: { state: 'completed' }, partial: [] },
    });
    expect(notable).toBe(true);
  });

  it('CP-10 · fallbacks · a page that is gone is left out and named', async () => {
    const gone = { fromSeq: 1, toSeq: 256, sha256: '0'.repeat(64) };
    const { mined: found } = await mined({ pages: [gone], leftOut: 300 });
    expect(found).toMatchObject({
      execution_summary: { total_tasks: 0 },
      partial: ['the first 300 entries of the journal are left out', 'entries 1 to 256 of the journal are not in the store'],
    });
  });

  it('CP-10 · workflow · has the team’s memory, so that agents can say what of it holds', async () => {
    const memory = join(scratchFolder(), 'team.md');
    writeFileSync(memory, '- Lint first\n');
    expect((await mined({}, { memory })).mined).toMatchObject({ memory: [{ id: expect.stringMatching(/^m-/), text: 'Lint first' }] });
    mkdirSync(`${memory}.d`);
    expect((await mined({}, { memory: `${memory}.d` })).mined).not.toHaveProperty('memory');
  });
});

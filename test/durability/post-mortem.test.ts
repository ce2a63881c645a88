import { existsSync, readFileSync } from 'node:fs';
import { readMemory } from '../../plan/memory/memory-file';
import type { JournalEntry } from '../../plan/run/journal';
import { withFileLock } from '../../records/locks/file-lock';
import { scriptBeside } from '../../worker/script-files';
import { MESSAGES } from '../support/messages-server/dialect';
import { replyFromScript } from '../support/model-server/from-script';
import { inSweep } from '../support/sweep';
import { type LiveScratch, liveScratch } from './agents/service';
import type { Program } from './support/program';
import { journal, runOf, step, timesRequested, untilStatus } from './support/runs';
import { SET_UP_MS } from './support/scratch';

/** kill -9 of the process that works on a post-mortem. What an answer in flight costs, `kill-worker.test.ts` shows. */
inSweep.describe('a post-mortem whose worker is killed', () => {
  let live: LiveScratch;
  beforeAll(async () => {
    live = await liveScratch();
    await live.scratch.keepServer();
    for (const name of ['a', 'b']) live.scratch.write(`pipelines/agents/${name}.yaml`, 'role: Works.\n');
  }, SET_UP_MS);
  afterAll(() => live.close());

  const retrospective = (pattern: string): string =>
    `{went_well: [], difficult: [], suggestions: [More time.], patterns: [${pattern}], root_causes: [{cause: No lockfile., prevention: Commit it.}]}`;

  /** A run that looks back on itself, whose worker dies when `killed` says so. */
  async function killedIn(name: string, killed: (worker: Program, asked: () => boolean) => Promise<void>, silent?: string) {
    const { scratch } = live;
    scratch.write(
      `pipelines/${name}.yaml`,
      `name: ${name}\nmemory: ${name}.md\nsteps: [{id: draft, agent: a}]\npost_mortem: {by: [a, b], timeout: 30m, guidelines: ${name}-guide.md}\n`,
    );
    scratch.write(
      `pipelines/scripts/${name}.yaml`,
      `replies:\n  draft: [{text: done}]\n  post_mortem_a: [{json: ${retrospective('Lint first.')}}]\n  post_mortem_b: [{json: ${retrospective('lint FIRST')}}]\n`,
    );
    const reply = replyFromScript(scriptBeside(scratch.path(`pipelines/${name}.yaml`), name).script, MESSAGES.voice);
    let asked = false;
    live.serve((request) => {
      if (asked || silent === undefined || !request.idempotencyKey.includes(silent)) return reply(request);
      asked = true;
      return { kind: 'silence' };
    });
    const worker = scratch.thermidor('run', name, '--live');
    const run = await runOf(worker);
    await killed(worker, () => asked);
    expect(await scratch.follow('watch', run).finished).toMatchObject({ code: 0 });
    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
    expect(step(view, 'post_mortem').state).toBe('done');
    const { items } = readMemory(readFileSync(scratch.path(`${name}.md`), 'utf8'));
    expect(items).toMatchObject([
      { text: 'Lint first.', facts: { confirmed: 1, run } },
      { text: 'Commit it. (No lockfile.)', facts: { kind: 'prevention', confirmed: 1, run } },
    ]);
    expect(readFileSync(scratch.path(`${name}-guide.md`), 'utf8').match(/More time/g)).toHaveLength(1);
    expect((await journal(scratch, run)).flatMap((entry) => (entry.kind === 'memory' ? [entry.event] : []))).toEqual([
      'written',
      'written',
    ]);
    return timesRequested(scratch, run);
  }

  it('CP-10 · worker killed · while agents answer: the answers that are there count, and the others are asked for once more', async () => {
    const requests = await killedIn(
      'answering',
      async (worker, asked) => {
        await worker.until('the second is asked', asked);
        const { scratch } = live;
        const run = await runOf(worker);
        const answered = (entry: JournalEntry) => entry.kind === 'step' && entry.step.endsWith('/post_mortem_a') && entry.state === 'done';
        await worker.until('the first has answered', async () => (await journal(scratch, run)).some(answered));
        await worker.kill();
      },
      '/post_mortem_b#',
    );
    expect(requests).toEqual({ 'draft#1~1/1': 1, 'post_mortem[1]/post_mortem_a#1~1/1': 1, 'post_mortem[1]/post_mortem_b#1~1/1': 2 });
  });

  it('CP-10 · worker killed · between two files: each lesson is there once', async () => {
    const { scratch } = live;
    const requests = await killedIn('writing', (worker) =>
      withFileLock(scratch.path('.writing-guide.md.lock'), async () => {
        await worker.until('the memory is written', () => existsSync(scratch.path('writing.md')));
        await worker.kill();
      }),
    );
    expect(Object.values(requests)).toEqual([1, 1, 1]);
  });
});

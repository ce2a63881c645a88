import { inSweep } from '../support/sweep';
import { type LiveScratch, leaveOneSilent, liveScratch } from './agents/service';
import { runOf, step, timesRequested, untilStatus } from './support/runs';
import { SET_UP_MS } from './support/scratch';

/** kill -9 of the process that asks for advice. That a lost worker's request alone is made again, `kill-worker.test.ts` shows. */
inSweep.describe('a consultation whose worker is killed', () => {
  let live: LiveScratch;
  beforeAll(async () => {
    live = await liveScratch();
    await live.scratch.keepServer();
  }, SET_UP_MS);
  afterAll(() => live.close());

  it('CP-8 · worker killed · goes on with the answers that are there, and asks the one that was lost once more', async () => {
    const { scratch } = live;
    for (const name of ['a', 'b']) scratch.write(`pipelines/agents/${name}.yaml`, 'role: Advises.\n');
    scratch.write(
      'pipelines/advice.yaml',
      `name: advice
steps:
  - {id: advise, type: consult, topic: style, question: Which tense?, urgency: low, consultants: {style: a}, second_opinion: b}
output: advise
`,
    );
    const reply = (confidence: number) => `{recommendation: present, rationale: livelier, confidence: ${confidence}}`;
    const replies = `replies:\n  advise_consultant: [{json: ${reply(0.5)}}]\n  advise_second_opinion: [{json: ${reply(0.9)}}]\n`;
    scratch.write('pipelines/scripts/advising.yaml', replies);
    const isAwaited = leaveOneSilent(live, { pipeline: 'pipelines/advice.yaml', script: 'advising', at: 'advise_second_opinion' });
    const worker = scratch.thermidor('run', 'advice', '--live');
    const run = await runOf(worker);
    await worker.until('the second opinion is asked for', isAwaited);
    await worker.kill();

    const watching = scratch.follow('watch', run);
    expect(await watching.finished).toMatchObject({ code: 0 });
    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
    expect(step(view, 'advise').advice).toMatchObject({ outcome: 'advised', by: 'b', confidence: 0.9 });
    expect(timesRequested(scratch, run)).toEqual({
      'advise[1]/advise_consultant#1~1/1': 1,
      'advise[2]/advise_consultant#1~1/1': 1,
      'advise[3]/advise_second_opinion#1~1/1': 2,
    });
    const journal = await scratch.ask('journal', run, '--type', 'consult_response', '--json');
    expect(JSON.parse(journal.out)).toMatchObject({ entries: { length: 3 } });
  });
});

import type { JournalEntry } from '../../plan/run/journal';
import { call, say, sayJson } from '../support/messages-server/served';
import { inSweep } from '../support/sweep';
import { keptLiveScratch, leaveOneSilent, requestsOf } from './agents/service';
import { journal, runOf, status, step, timesRequested, untilStatus } from './support/runs';

/** kill -9 of the process that asks for advice. That a lost worker's request alone is made again, `kill-worker.test.ts` shows. */
inSweep.describe('a consultation whose worker is killed', () => {
  const live = keptLiveScratch();

  it('CP-8 · worker killed · goes on with the answers that are there, and asks the one that was lost once more', async () => {
    const { scratch } = live();
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
    const isAwaited = leaveOneSilent(live(), { pipeline: 'pipelines/advice.yaml', script: 'advising', at: 'advise_second_opinion' });
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
    expect(signalsIn(await journal(scratch, run), 'consult_response')).toHaveLength(3);
  });

  it('CP-8 · worker killed · of an agent at work that consults, the question in flight alone is asked once more', async () => {
    const { scratch } = live();
    scratch.write('pipelines/agents/a.yaml', 'role: Advises.\n');
    scratch.write('pipelines/agents/w.yaml', 'role: Writes.\nconsultants: {style: a}\n');
    scratch.write('pipelines/writing.yaml', 'name: writing\nsteps:\n  - {id: write, agent: w, output: Text.md}\noutput: write\n');
    const consult = (question: string) => call(['consult', { topic: 'style', question }]);
    const advice = (confidence: number) => sayJson({ recommendation: 'present', rationale: 'livelier', confidence });
    let isAwaited = false;
    live().serve(({ idempotencyKey, turn }) => {
      const [, adviser, ask] = /\/write#1~1(\/send-a)?\/(\d+)\/\d+$/.exec(idempotencyKey) ?? [];
      if (adviser === undefined) return turn === 1 ? consult('Which tense?') : turn === 2 ? consult('Even for news?') : say('It rises.');
      if (ask === '1') return advice(0.5);
      if (isAwaited) return advice(0.9);
      isAwaited = true;
      return { kind: 'silence' };
    });
    const worker = scratch.thermidor('run', 'writing', '--live');
    const run = await runOf(worker);
    await worker.until('the follow-up is asked', () => isAwaited);
    await worker.kill();

    await scratch.follow('watch', run).endsWith(0);
    expect(step(await status(scratch, run), 'write')).toMatchObject({ state: 'done', try: 1 });
    // By address, ask and length of the transcript.
    expect(requestsOf(live(), run).map((key) => key.split('/').slice(2).join('/'))).toEqual([
      ...['write#1~1/1/1', 'write#1~1/send-a/1/1', 'write#1~1/1/3'],
      ...['write#1~1/send-a/2/3', 'write#1~1/send-a/2/3', 'write#1~1/1/5'],
    ]);
    const entries = await journal(scratch, run);
    expect(signalsIn(entries, 'consult_request').map(({ data }) => data)).toMatchObject([
      { question: 'Which tense?' },
      { question: 'Even for news?' },
    ]);
    expect(signalsIn(entries, 'consult_response').map(({ data }) => data)).toMatchObject([{ confidence: 0.5 }, { confidence: 0.9 }]);
  });
});

function signalsIn(entries: readonly JournalEntry[], type: 'consult_request' | 'consult_response') {
  return entries.flatMap((entry) => (entry.kind === 'pattern' && entry.type === type ? [entry] : []));
}

import type { ToolUse } from '../../../activities/tools/tool';
import type { StepOutput } from '../../../plan/steps/step-activity';
import type { Turn } from '../../../records/transcripts/turn';
import { sweepStep } from '../../support/sweep';
import { until } from '../../support/until';
import { type NotingTool, noting } from '../noting';
import type { Ability, Play } from '../play';
import type { Open, Rule } from '../rule';
import { BAD, GOOD, Killed, MODEL, type Stage } from '../stage';

/** If a program's session is asked again for a lost reply, it gives a different one. */
const MANY = Array.from({ length: 20 }, () => ({ text: GOOD }));

/** A conversation that has everything: a repair, and tools if the runner has them. */
function eventful(has: (ability: Ability) => boolean): Play {
  const call = (n: number) => ({ calls: [{ tool: 'note', args: { n } }] });
  return { replies: has('runner-tools') ? [call(1), call(2), { text: BAD }, { text: GOOD }] : [{ text: BAD }, ...MANY] };
}

async function eventfulStage(open: Open, play: Play) {
  const note = noting();
  return { stage: await open(play, { tools: { note } }), note };
}

async function outcome(stage: Stage, output: StepOutput, has: (ability: Ability) => boolean): Promise<unknown> {
  const said = await stage.said(output);
  if (!has('turn-by-turn')) return said;
  return { said, usage: output.usage, toolCalls: output.toolCalls, repairs: output.repairs, turns: withPlainIds(await stage.turns()) };
}

/** The other side may give its calls new names each time it is asked. */
function withPlainIds(turns: readonly Turn[]): unknown {
  const ids = [...new Set(turns.flatMap(({ calls = [] }) => calls.map(({ id }) => id)))];
  const plain = (key: string, value: unknown) => (key === 'id' && typeof value === 'string' ? `id-${ids.indexOf(value)}` : value);
  return JSON.parse(JSON.stringify(turns, plain));
}

/** Replies in flight: paid for and received, but not recorded because the worker died. */
async function unrecorded(stage: Stage): Promise<number> {
  return stage.harness.paid() - (await stage.turns()).filter(({ usage }) => usage !== undefined).length;
}

/** Ends the call once it has come so far, without a cancellation, as the loss of a worker does. */
async function loseWorker(stage: Stage, soFar = stage.harness.still()): Promise<void> {
  const gone = new AbortController();
  const working = stage.perform({ call: { signal: gone.signal, isCancelled: () => false } });
  await Promise.race([soFar, working]);
  gone.abort(new Killed());
  await expect(working).rejects.toThrow(Killed);
}

/** A conversation whose worker dies at each of its records in turn, or at some of them, and that another worker continues. */
async function dyingAnywhere(open: Open, has: (ability: Ability) => boolean, how: 'dyingAfter' | 'dyingBefore'): Promise<void> {
  const play = eventful(has);
  const { stage: whole } = await eventfulStage(open, play);
  const expected = await outcome(whole, await whole.perform(), has);
  const paid = whole.harness.paid();
  // The records after the odd ones are the same as before the even ones, and each start of a program costs a process.
  let record = 1;
  for (; ; record += sweepStep(has('program') ? 5 : 2)) {
    const { stage, note } = await eventfulStage(open, play);
    const died = await stage.perform({ [how]: record }).then(
      () => false,
      (error: unknown) => error instanceof Killed || Promise.reject(error),
    );
    if (!died) break;
    // If a record cannot be made, the worker dies.
    await stage.harness.gone();
    const lost = await unrecorded(stage);
    expect(lost).toBeLessThanOrEqual(1);
    const done = note.called.length;
    expect(await outcome(stage, await stage.perform(), has)).toEqual(expected);
    // A program's own session may have been in the middle of a reply.
    expect(stage.harness.paid()).toBeLessThanOrEqual(paid + (has('own-tools') ? 1 : lost));
    if (has('runner-tools')) expectDoneOnce(note, how === 'dyingAfter' ? 0 : Math.min(1, done));
    await stage.close();
  }
  // At least the request, its prompt and reply, and its end; the same of the repair; the result.
  expect(record).toBeGreaterThan(9);
}

/** A tool whose result was not recorded is called again, under the same key. */
function expectDoneOnce({ called, keys }: NotingTool, unrecorded: number): void {
  expect(called.length).toBeLessThanOrEqual(2 + unrecorded);
  expect([...new Set(keys)].map((key) => called[keys.indexOf(key)])).toEqual([{ n: 1 }, { n: 2 }]);
  for (const [i, key] of keys.entries()) expect(called[i]).toEqual(called[keys.indexOf(key)]);
}

export const RESUME: readonly Rule[] = [
  {
    name: 'before any of its records: only the request or call of that record is made again, under the same idempotency key',
    oncePerTransport: true,
    check: (open, has) => dyingAnywhere(open, has, 'dyingBefore'),
  },
  {
    name: 'after any of its records: another worker continues there, and nothing is paid for or done again',
    // The records are the same as before the next; only for these is it known what was paid by then.
    needs: ['runner-tools'],
    check: (open, has) => dyingAnywhere(open, has, 'dyingAfter'),
  },
  {
    name: 'after every single record, again and again',
    oncePerTransport: true,
    async check(open, has) {
      const play = eventful(has);
      const { stage: whole } = await eventfulStage(open, play);
      const expected = await outcome(whole, await whole.perform(), has);
      const { stage } = await eventfulStage(open, play);
      let output: StepOutput | undefined;
      let deaths = 0;
      while (!output) {
        // The note about the request, the cost of the reply, and one more record.
        output = await stage.perform({ dyingAfter: 3 }).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          deaths += 1;
          return undefined;
        });
        if (deaths > 100) throw new Error('it does not get on');
      }
      expect(await outcome(stage, output, has)).toEqual(expected);
      expect(stage.harness.paid()).toBeLessThanOrEqual(whole.harness.paid() + deaths);
    },
  },
  {
    name: 'after the step has ended, its completion lost: nothing is asked again',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }] });
      const first = await stage.perform();
      const asked = stage.harness.asked().length;
      expect(await stage.perform({ call: { attempt: 2 } })).toEqual(first);
      expect(stage.harness.asked()).toHaveLength(asked);
    },
  },
  {
    name: 'before the first byte of a reply: at most that reply is paid for once more, under the same key',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }], faults: [{ at: 1, fault: { kind: 'silent' } }] });
      await loseWorker(stage);
      await stage.harness.gone();
      expect(await stage.said(await stage.perform())).toBe(GOOD);
      expect(stage.harness.paid()).toBeLessThanOrEqual(2);
      const [first, second] = stage.requests;
      expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
      const [before, after] = stage.harness.asked();
      expect(after?.key).toBe(before?.key);
    },
  },
  {
    name: 'in the middle of the seventh of ten replies: that one is asked for again, and none before it',
    needs: ['streams', 'turn-by-turn', 'runner-tools', 'context'],
    async check(open) {
      const note = noting();
      const calls = Array.from({ length: 9 }, (_, n) => ({ calls: [{ tool: 'note', args: { n } }] }));
      const stage = await open(
        { replies: [...calls, { text: GOOD }], faults: [{ at: 7, fault: { kind: 'stalled' } }] },
        { tools: { note } },
      );
      await loseWorker(stage);
      await stage.harness.gone();
      expect(await stage.said(await stage.perform())).toBe(GOOD);
      expect(stage.harness.paid()).toBeLessThanOrEqual(11);
      expect(stage.harness.asked()).toHaveLength(11);
      expect(stage.harness.asked()[7]).toEqual(stage.harness.asked()[6]);
      expect(note.called).toEqual(calls.map((_, n) => ({ n })));
    },
  },
  {
    name: 'in a repair: that is asked for again under the same key, and the task is not',
    async check(open) {
      const stage = await open({ replies: [{ text: BAD }, ...MANY], faults: [{ at: 2, fault: { kind: 'silent' } }] });
      await loseWorker(stage);
      await stage.harness.gone();
      const output = await stage.perform();
      expect(await stage.said(output)).toBe(GOOD);
      expect(output.repairs).toHaveLength(1);
      expect(stage.requests.map(({ ask }) => ask)).toEqual([1, 2, 2]);
      expect(stage.requests[2]?.idempotencyKey).toBe(stage.requests[1]?.idempotencyKey);
      expect(stage.harness.asked()).toHaveLength(3);
      expect(stage.harness.paid()).toBeLessThanOrEqual(3);
    },
  },
  {
    name: 'while the first tools of a program run: another worker resumes its session, reports those tools to it and pays for no reply again',
    needs: ['own-tools', 'streams'],
    async check(open, has) {
      const usage = { inputTokens: 30, outputTokens: 10 };
      const replies = [
        { calls: [{ tool: 'read_file', args: { path: 'a.txt' } }], usage },
        { text: GOOD, usage },
      ];
      const faults = [{ at: 1, fault: { kind: 'busy' } }] as const;
      const toolbox = { prices: { models: { [MODEL]: { input: 1, output: 2 } } } };
      const stage = await open({ replies, faults }, { agent: { tools: ['read_file'] }, toolbox });
      await loseWorker(
        stage,
        until(() => stage.events.includes('assistant')),
      );
      await stage.harness.gone();
      const output = await stage.perform();
      expect(await stage.said(output)).toBe(GOOD);
      expect(stage.harness.paid()).toBe(2);
      const [, again, ...more] = stage.harness.asked().map(({ messages }) => messages.join('\n'));
      expect(more).toEqual([]);
      expect(again).toContain((await stage.turns()).flatMap(({ calls = [] }) => calls)[0]?.tool);
      expect(again).not.toContain('Produce Report.json');
      // If usage is reported at the end, nobody knows what had been used by then.
      expect(output.usage?.costMicroUsd).toBe(has('usage-by-reply') ? 100 : null);
    },
  },
  {
    name: 'in a tool: the call is made again under the same key, and no reply is asked for again',
    needs: ['runner-tools'],
    async check(open, has) {
      let begun: () => void = () => undefined;
      const inTool = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const instead = ({ signal }: ToolUse): Promise<string> => {
        begun();
        if (note.called.length > 1) return Promise.resolve('done');
        return new Promise((_, reject) => void signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
      };
      const note = noting({ instead });
      const stage = await open({ replies: [{ calls: [{ tool: 'note', args: {} }] }, { text: GOOD }] }, { tools: { note } });
      await loseWorker(stage, inTool);
      expect(await stage.said(await stage.perform())).toBe(GOOD);
      expect(note.keys).toHaveLength(2);
      expect(new Set(note.keys).size).toBe(1);
      expect(stage.harness.paid()).toBe(has('turn-by-turn') ? 2 : 1);
    },
  },
];

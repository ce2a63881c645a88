import type { Turn } from '../../../activities/agent-port';
import type { StepOutput } from '../../../plan/step-work';
import { noting } from '../noting';
import type { Ability, Play } from '../play';
import type { Open, Rule } from '../rule';
import { BAD, GOOD, Killed, type Stage } from '../stage';

/** A program's session that is asked again for what was lost of it answers with another reply. */
const MANY = Array.from({ length: 20 }, () => ({ text: GOOD }));

/** A conversation with all there is in it: tools, where the runner has them, and a repair. */
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

/** The other side may name its calls anew each time it is asked. */
function withPlainIds(turns: readonly Turn[]): unknown {
  const ids = [...new Set(turns.flatMap(({ calls = [] }) => calls.map(({ id }) => id)))];
  const plain = (key: string, value: unknown) => (key === 'id' && typeof value === 'string' ? `id-${ids.indexOf(value)}` : value);
  return JSON.parse(JSON.stringify(turns, plain));
}

/** Replies that were paid for and came, and that the death kept from being recorded: those in flight. */
async function unrecorded(stage: Stage): Promise<number> {
  return stage.harness.paid() - (await stage.turns()).filter(({ usage }) => usage !== undefined).length;
}

/** Ends the call as a worker that goes does: nobody has called it off. */
async function loseWorker(stage: Stage): Promise<void> {
  const gone = new AbortController();
  const working = stage.perform({ call: { signal: gone.signal, isCalledOff: () => false } });
  await Promise.race([stage.harness.still(), working]);
  gone.abort(new Killed());
  await expect(working).rejects.toThrow(Killed);
}

export const RESUME: readonly Rule[] = [
  {
    name: 'after any of its records: another goes on there, and nothing is paid for or done again',
    async check(open, has) {
      const play = eventful(has);
      const { stage: whole } = await eventfulStage(open, play);
      const expected = await outcome(whole, await whole.perform(), has);
      const paid = whole.harness.paid();
      let deaths = 0;
      for (let records = 1; ; records++) {
        const { stage, note } = await eventfulStage(open, play);
        const died = await stage.perform({ dyingAfter: records }).then(
          () => false,
          (error: unknown) => error instanceof Killed || Promise.reject(error),
        );
        if (!died) break;
        deaths += 1;
        const lost = await unrecorded(stage);
        expect(lost).toBeLessThanOrEqual(1);
        expect(await outcome(stage, await stage.perform(), has)).toEqual(expected);
        // A program's own session may have been in the middle of a reply.
        expect(stage.harness.paid()).toBeLessThanOrEqual(paid + (has('own-tools') ? 1 : lost));
        if (has('runner-tools')) expect(note.called).toEqual([{ n: 1 }, { n: 2 }]);
        await stage.close();
      }
      // At least the request, its prompt and reply, and its end; the same of the repair; the result.
      expect(deaths).toBeGreaterThanOrEqual(9);
    },
  },
  {
    name: 'after every single record, again and again',
    async check(open, has) {
      const play = eventful(has);
      const { stage: whole } = await eventfulStage(open, play);
      const expected = await outcome(whole, await whole.perform(), has);
      const { stage } = await eventfulStage(open, play);
      let output: StepOutput | undefined;
      let deaths = 0;
      while (!output) {
        // The note that it asks, what the reply cost, and one record more.
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
    },
  },
  {
    name: 'in the middle of a reply: at most that reply is paid for once more, and those before it are not',
    needs: ['streams', 'turn-by-turn', 'runner-tools'],
    async check(open) {
      const note = noting();
      const replies = [{ calls: [{ tool: 'note', args: {} }] }, { text: GOOD }];
      const stage = await open({ replies, faults: [{ at: 2, fault: { kind: 'stalled' } }] }, { tools: { note } });
      await loseWorker(stage);
      await stage.harness.gone();
      expect(await stage.said(await stage.perform())).toBe(GOOD);
      expect(stage.harness.paid()).toBeLessThanOrEqual(3);
      expect(stage.harness.asked()).toHaveLength(3);
      expect(note.called).toHaveLength(1);
    },
  },
];

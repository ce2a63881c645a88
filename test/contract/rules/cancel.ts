import type { ToolUse } from '../../../activities/tools/tool';
import { failureOf } from '../../activities/workshop';
import { until } from '../../support/until';
import { noting } from '../noting';
import type { Rule } from '../rule';
import { BAD, GOOD, MODEL, type Stage } from '../stage';

/** Begins the step, and cancels it once it has come so far. */
async function cancelledWith(stage: Stage, soFar: Promise<void>): Promise<unknown> {
  const off = new AbortController();
  const working = stage.perform({ call: { signal: off.signal, isCancelled: () => true } });
  const ended = working.then(
    (output) => output.paused,
    (error: unknown) => error,
  );
  // If it ends before, the rule fails below and does not wait for ever.
  await Promise.race([soFar, ended]);
  off.abort(new Error('off'));
  return await ended;
}

const OFF = new Error('off');

export const CANCEL: readonly Rule[] = [
  {
    name: 'before the first request: none is made',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }] });
      expect(await cancelledWith(stage, Promise.resolve())).toEqual(OFF);
      await stage.harness.gone();
      expect(stage.requests).toEqual([]);
      expect(stage.harness.asked()).toEqual([]);
    },
  },
  {
    name: 'before any of a reply has arrived: the connection or the program is closed',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }], faults: [{ at: 1, fault: { kind: 'silent' } }] });
      expect(await cancelledWith(stage, stage.harness.still())).toEqual(OFF);
      await stage.harness.gone();
    },
  },
  {
    name: 'in the middle of a reply: the connection or the program is closed',
    needs: ['streams'],
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }], faults: [{ at: 1, fault: { kind: 'stalled' } }] });
      const ended = await cancelledWith(stage, stage.harness.still());
      // If its cost is known by then, it is reported.
      if (ended instanceof Error) expect(ended).toEqual(OFF);
      else expect(ended).toEqual({ kind: 'cancelled' });
      await stage.harness.gone();
    },
  },
  {
    name: 'in a tool: the tool is aborted, no other begins, and the usage so far is reported',
    needs: ['runner-tools', 'turn-by-turn'],
    async check(open, has) {
      let begun: () => void = () => undefined;
      const inTool = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const told: unknown[] = [];
      const untilOff = ({ signal }: ToolUse) =>
        new Promise<string>((_, reject) => {
          signal.addEventListener('abort', () => reject(told[told.push(signal.reason) - 1]), { once: true });
          begun();
        });
      const note = noting({ instead: untilOff });
      const call = { tool: 'note', args: {} };
      const calls = has('calls-at-once') ? [call, call] : [call];
      const stage = await open({ replies: [{ calls }, { calls }, { text: GOOD }] }, { tools: { note } });
      expect(await cancelledWith(stage, inTool)).toEqual({ kind: 'cancelled' });
      await stage.harness.gone();
      expect(told).toEqual([OFF]);
      expect(note.called).toHaveLength(1);
      expect(stage.harness.asked()).toHaveLength(1);
    },
  },
  {
    name: 'between two replies: the usage so far is reported',
    needs: ['runner-tools', 'turn-by-turn'],
    async check(open) {
      const replies = [{ calls: [{ tool: 'note', args: {} }] }, { text: GOOD }];
      const stage = await open({ replies, faults: [{ at: 2, fault: { kind: 'silent' } }] }, { tools: { note: noting() } });
      expect(await cancelledWith(stage, stage.harness.still())).toEqual({ kind: 'cancelled' });
      await stage.harness.gone();
    },
  },
  {
    name: 'in a repair: the connection or the program is closed, and the usage so far is reported',
    async check(open) {
      const stage = await open({ replies: [{ text: BAD }, { text: GOOD }], faults: [{ at: 2, fault: { kind: 'silent' } }] });
      expect(await cancelledWith(stage, stage.harness.still())).toEqual({ kind: 'cancelled' });
      await stage.harness.gone();
      expect(stage.requests.map(({ ask }) => ask)).toEqual([1, 2]);
      expect(stage.harness.paid()).toBe(1);
    },
  },
  {
    name: 'in the middle of a program’s work: it is ended, and what it has done is recorded',
    needs: ['own-tools', 'streams'],
    async check(open) {
      const replies = [{ calls: [{ tool: 'read_file', args: { path: 'a.txt' } }] }, { text: GOOD }];
      const stage = await open({ replies, faults: [{ at: 2, fault: { kind: 'silent' } }] }, { agent: { tools: ['read_file'] } });
      await cancelledWith(stage, stage.harness.still());
      await stage.harness.gone();
      expect(stage.harness.asked()).toHaveLength(1);
    },
  },
  {
    name: 'while the tools of a program run: it is ended, and the usage of its reply is reported, or reported as unknown',
    needs: ['own-tools', 'streams'],
    async check(open, has) {
      const usage = { inputTokens: 30, outputTokens: 10 };
      const replies = [{ calls: [{ tool: 'read_file', args: { path: 'a.txt' } }], usage }, { text: GOOD }];
      const faults = [{ at: 1, fault: { kind: 'busy' } }] as const;
      const toolbox = { prices: { models: { [MODEL]: { input: 1, output: 2 } } } };
      const stage = await open({ replies, faults }, { agent: { tools: ['read_file'] }, toolbox });
      const recorded = until(() => stage.events.includes('assistant'));
      expect(await cancelledWith(stage, recorded)).toEqual({ kind: 'cancelled' });
      await stage.harness.gone();
      const told = (await stage.turns()).flatMap((turn) => (turn.usage ? [turn.usage] : []));
      expect(told).toMatchObject([has('usage-by-reply') ? { ...usage, costMicroUsd: 50 } : { costMicroUsd: null }]);
    },
  },
  {
    name: 'while a rate-limited request waits to be sent again: there is nothing left to cancel',
    needs: ['overload'],
    async check(open) {
      const overloaded = { kind: 'overloaded', retryAfterMs: 3_600_000 } as const;
      const stage = await open({ replies: [{ text: GOOD }], faults: [{ at: 1, fault: overloaded }] });
      // Temporal does the waiting: the activity has ended and has left neither a timer nor a request.
      expect((await failureOf(stage.perform())).code).toBe('model.overloaded');
      await stage.harness.gone();
      expect(stage.alarms.set()).toEqual([]);
      expect(stage.harness.asked()).toHaveLength(1);
    },
  },
];

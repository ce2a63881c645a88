import type { Progress } from '../../../activities/activity-call';
import { failureOf } from '../../activities/workshop';
import { standStill } from '../../support/fake-timers';
import { until } from '../../support/until';
import { noting } from '../noting';
import type { Rule } from '../rule';
import { GOOD, WORK } from '../stage';

const STUCK_MS = 123_456;
const SILENT = [{ at: 1, fault: { kind: 'silent' } }] as const;
const STALLED = [{ at: 1, fault: { kind: 'stalled' } }] as const;

export const SILENCE: readonly Rule[] = [
  {
    name: 'of an agent does not silence the worker, which sends a heartbeat with its progress each second',
    async check(open) {
      standStill('setInterval', 'clearInterval');
      try {
        const beats: Progress[] = [];
        const stage = await open({ replies: [{ text: GOOD }], faults: SILENT });
        const working = stage.perform({ call: { heartbeat: (progress) => void beats.push(progress) } });
        await Promise.race([stage.harness.still(), working]);
        const before = beats.length;
        jest.advanceTimersByTime(5000);
        expect(beats.length - before).toBe(5);
        expect(beats.at(-1)).toMatchObject({ turn: 1, transcript: `${WORK}/transcript` });
        stage.harness.go();
        await working;
        const after = beats.length;
        jest.advanceTimersByTime(5000);
        expect(beats).toHaveLength(after);
      } finally {
        jest.useRealTimers();
      }
    },
  },
  {
    name: 'for too long ends the try as stuck, and with it the connection or the program',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }], faults: SILENT }, { toolbox: { stuckMs: STUCK_MS } });
      const failed = failureOf(stage.perform());
      await Promise.race([stage.harness.still(), failed]);
      stage.alarms.ring(STUCK_MS);
      expect(await failed).toMatchObject({ code: 'agent.stuck', details: { agent: 'worker' } });
      await stage.harness.gone();
    },
  },
  {
    name: 'in the middle of a reply counts as any other',
    needs: ['streams'],
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }], faults: STALLED }, { toolbox: { stuckMs: STUCK_MS } });
      const failed = failureOf(stage.perform());
      await Promise.race([stage.harness.still(), failed]);
      stage.alarms.ring(STUCK_MS);
      expect((await failed).code).toBe('agent.stuck');
      await stage.harness.gone();
    },
  },
  {
    name: 'is over with each piece of a reply',
    needs: ['streams'],
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }], faults: STALLED }, { toolbox: { stuckMs: STUCK_MS } });
      const failed = failureOf(stage.perform());
      await until(() => stage.alarms.count(STUCK_MS) >= 2);
      stage.alarms.ring(STUCK_MS);
      expect((await failed).code).toBe('agent.stuck');
    },
  },
  {
    name: 'while a tool works is the tool’s, however long that takes',
    needs: ['runner-tools'],
    async check(open) {
      const set: (readonly number[])[] = [];
      const note = noting({
        async instead() {
          set.push(stage.alarms.set());
          return 'done';
        },
      });
      const replies = [{ calls: [{ tool: 'note', args: {} }] }, { text: GOOD }];
      const stage = await open({ replies }, { tools: { note }, toolbox: { stuckMs: STUCK_MS } });
      expect(await stage.said(await stage.perform())).toBe(GOOD);
      expect(set).toEqual([[]]);
      expect(stage.alarms.count(STUCK_MS)).toBeGreaterThan(1);
      expect(stage.alarms.set()).toEqual([]);
    },
  },
  {
    name: 'beyond the timeout of the step ends it as timed out, and with it the connection or the program',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }], faults: SILENT }, { step: { timeoutMs: 234_567 } });
      const failed = failureOf(stage.perform());
      await Promise.race([stage.harness.still(), failed]);
      stage.alarms.ring(234_567);
      expect(await failed).toMatchObject({ code: 'agent.timeout', details: { timeoutMs: 234_567 } });
      await stage.harness.gone();
    },
  },
];

import type { ToolUse } from '../../../activities/tools/tool';
import { noting } from '../noting';
import type { Rule } from '../rule';
import { GOOD, type Stage } from '../stage';

/** Begins the step, and calls it off once it has come so far. */
async function calledOff(stage: Stage, soFar: Promise<void>): Promise<unknown> {
  const off = new AbortController();
  const working = stage.perform({ call: { signal: off.signal, isCalledOff: () => true } });
  const ended = working.then(
    (output) => output.paused,
    (error: unknown) => error,
  );
  // Where it ends before, the rule says so below and does not wait for ever.
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
      expect(await calledOff(stage, Promise.resolve())).toEqual(OFF);
      await stage.harness.gone();
      expect(stage.harness.paid()).toBe(0);
    },
  },
  {
    name: 'while nothing of a reply has come: the connection or the program is gone',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }], faults: [{ at: 1, fault: { kind: 'silent' } }] });
      expect(await calledOff(stage, stage.harness.still())).toEqual(OFF);
      await stage.harness.gone();
    },
  },
  {
    name: 'in the middle of a reply: the connection or the program is gone',
    needs: ['streams'],
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }], faults: [{ at: 1, fault: { kind: 'stalled' } }] });
      const ended = await calledOff(stage, stage.harness.still());
      // Where its cost is known by then, that is told.
      if (ended instanceof Error) expect(ended).toEqual(OFF);
      else expect(ended).toEqual({ kind: 'called-off' });
      await stage.harness.gone();
    },
  },
  {
    name: 'in a tool: the tool is told, no other begins, and what was paid is told',
    needs: ['runner-tools', 'turn-by-turn'],
    async check(open) {
      let begun: () => void = () => undefined;
      const inTool = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const untilOff = ({ signal }: ToolUse) =>
        new Promise<string>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          begun();
        });
      const note = noting({ instead: untilOff });
      const call = { calls: [{ tool: 'note', args: {} }] };
      const stage = await open({ replies: [call, call, { text: GOOD }] }, { tools: { note } });
      expect(await calledOff(stage, inTool)).toEqual({ kind: 'called-off' });
      await stage.harness.gone();
      expect(note.called).toHaveLength(1);
      expect(stage.harness.asked()).toHaveLength(1);
    },
  },
  {
    name: 'between two replies: what was paid is told',
    needs: ['runner-tools', 'turn-by-turn'],
    async check(open) {
      const replies = [{ calls: [{ tool: 'note', args: {} }] }, { text: GOOD }];
      const stage = await open({ replies, faults: [{ at: 2, fault: { kind: 'silent' } }] }, { tools: { note: noting() } });
      expect(await calledOff(stage, stage.harness.still())).toEqual({ kind: 'called-off' });
      await stage.harness.gone();
    },
  },
];

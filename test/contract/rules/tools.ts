import { ThermidorFailure } from '../../../plan/run/failure';
import { codeOf } from '../../activities/workshop';
import { noting } from '../noting';
import type { Play } from '../play';
import type { Rule } from '../rule';
import { GOOD, Killed, WORK } from '../stage';

const call = (n: number) => ({ tool: 'note', args: { n } });
const one: Play = { replies: [{ calls: [call(1)] }, { text: GOOD }] };
const two: Play = { replies: [{ text: 'I look twice.', calls: [call(1), call(2)] }, { text: GOOD }] };

export const TOOLS: readonly Rule[] = [
  {
    name: 'a tool’s failure goes back to the agent, which continues',
    needs: ['runner-tools'],
    async check(open) {
      const note = noting({ instead: () => Promise.reject(new ThermidorFailure('tool.failed', 'the swan has flown')) });
      const stage = await open(one, { tools: { note } });
      expect(await stage.said(await stage.perform())).toBe(GOOD);
      expect((await stage.turns()).find(({ role }) => role === 'tool')?.text).toContain('the swan has flown');
    },
  },
  {
    name: 'a tool’s failure that is nobody’s fault ends the activity; the next makes the call again, under the same key',
    needs: ['runner-tools'],
    async check(open) {
      let away = true;
      const instead = async () => {
        if (!away) return 'back';
        away = false;
        throw new ThermidorFailure('store.unavailable', 'away');
      };
      const note = noting({ instead });
      const stage = await open(one, { tools: { note } });
      expect(await codeOf(stage.perform())).toBe('store.unavailable');
      expect(await stage.said(await stage.perform({ call: { attempt: 2 } }))).toBe(GOOD);
      expect(note.keys).toHaveLength(2);
      expect(new Set(note.keys).size).toBe(1);
    },
  },
  {
    name: 'two calls at once are made one after the other, in order, and both results go back in one request',
    needs: ['runner-tools', 'calls-at-once', 'context'],
    async check(open) {
      const doing: string[] = [];
      const note = noting({
        async instead() {
          doing.push('begin');
          await new Promise(setImmediate);
          doing.push('end');
          return `swan ${note.called.length}`;
        },
      });
      const stage = await open(two, { tools: { note } });
      await stage.perform();
      expect(note.called).toEqual([{ n: 1 }, { n: 2 }]);
      expect(doing).toEqual(['begin', 'end', 'begin', 'end']);
      expect(stage.harness.asked()).toHaveLength(2);
      const told = stage.harness.asked()[1]?.messages.join('\n') ?? '';
      expect(told.indexOf('swan 1')).toBeGreaterThan(-1);
      expect(told.indexOf('swan 2')).toBeGreaterThan(told.indexOf('swan 1'));
    },
  },
  {
    name: 'two calls at once are one turn of the agent’s, and a turn for each result',
    needs: ['runner-tools', 'calls-at-once'],
    async check(open) {
      const stage = await open(two, { tools: { note: noting() } });
      await stage.perform();
      const turns = await stage.turns();
      expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
      const ids = turns[1]?.calls?.map(({ id }) => id) ?? [];
      expect(new Set(ids).size).toBe(2);
      expect(turns.slice(2, 4).map((turn) => turn.call?.id)).toEqual(ids);
    },
  },
  {
    name: 'of two calls at once a crash between them makes the second alone again',
    needs: ['runner-tools', 'calls-at-once'],
    async check(open) {
      const betweenThem = async (records: number) => {
        const note = noting();
        const stage = await open(two, { tools: { note } });
        await expect(stage.perform({ dyingAfter: records })).rejects.toThrow(Killed);
        return note.called.length === 1 && stage.events.at(-1) === 'tool' ? { note, stage } : undefined;
      };
      let found: Awaited<ReturnType<typeof betweenThem>>;
      for (let records = 1; !found; records++) found = await betweenThem(records);
      const { note, stage } = found;
      await stage.perform();
      expect(note.called).toEqual([{ n: 1 }, { n: 2 }]);
      expect(stage.harness.paid()).toBe(2);
    },
  },
  {
    name: 'a call beyond what the agent’s file allows is refused and journalled, and the agent reads the refusal and continues',
    needs: ['runner-tools'],
    async check(open) {
      const note = noting();
      const stage = await open(
        { replies: [{ calls: [call(1)] }, { calls: [call(2)] }, { text: GOOD }] },
        { tools: { note }, agent: { limits: { toolCalls: 1 } } },
      );
      const output = await stage.perform();
      expect(note.called).toEqual([{ n: 1 }]);
      expect(output.journal).toMatchObject([{ kind: 'tool', tool: 'note', outcome: 'refused' }]);
      expect(await stage.said(output)).toBe(GOOD);
    },
  },
  {
    name: 'a child is spawned when the agent has ended its turn, and its result is announced to the agent',
    needs: ['runner-tools', 'turn-by-turn'],
    async check(open) {
      const spawn = { tool: 'sessions_spawn', args: { agent: 'bear', task: 'look' } };
      const stage = await open({ replies: [{ calls: [spawn] }, { text: 'I wait.' }, { text: GOOD }] });
      const { paused } = await stage.perform();
      expect(paused).toMatchObject({ kind: 'spawned', children: [{ agent: 'bear' }] });
      const id = `${WORK}/spawn-1`;
      const artifact = await stage.toolbox.artifacts.put('three swans', { mediaType: 'text/plain' });
      const output = await stage.perform({ input: { spawned: [{ id, agent: 'bear', artifact }] } });
      expect(stage.requests.at(-1)?.prompt).toContain('three swans');
      expect(await stage.said(output)).toBe(GOOD);
      expect(stage.harness.paid()).toBe(3);
    },
  },
];

import { field } from '../../../plan/text/json';
import { KEY } from '../../activities/workshop';
import { noting } from '../noting';
import type { Rule } from '../rule';
import { BAD, GOOD, WORK } from '../stage';

const only = (events: readonly string[], ...kept: string[]) => events.filter((event) => kept.includes(event));

export const ORDER: readonly Rule[] = [
  {
    name: 'the request and its prompt are recorded before the adapter is asked',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }] });
      await stage.perform();
      expect(stage.events.slice(0, 3)).toEqual(['user', 'run', 'next']);
      const [request] = await stage.toolbox.ledger.lines(KEY, `${WORK}/requests`);
      expect(field(request, 'idempotencyKey')).toBe(stage.requests[0]?.idempotencyKey);
    },
  },
  {
    name: 'a turn is recorded before the adapter is asked for the next',
    async check(open) {
      const stage = await open({ replies: [{ text: BAD }, { text: GOOD }] });
      await stage.perform();
      const between = stage.events.join(' ').split('next').slice(1, -1);
      expect(between.length).toBeGreaterThan(0);
      for (const events of between) expect(events).toMatch(/user|assistant|tool/);
    },
  },
  {
    name: 'a reply is recorded before the next is asked for',
    needs: ['turn-by-turn', 'runner-tools'],
    async check(open) {
      const call = { calls: [{ tool: 'note', args: {} }] };
      const stage = await open({ replies: [call, call, { text: BAD }, { text: GOOD }] }, { tools: { note: noting() } });
      await stage.perform();
      const pairs = Array.from({ length: 4 }, () => ['asked', 'assistant']).flat();
      expect(only(stage.events, 'asked', 'assistant')).toEqual(pairs);
    },
  },
  {
    name: 'the result of a tool is recorded before the agent reads it, and it reads what is recorded',
    needs: ['turn-by-turn', 'runner-tools', 'context'],
    async check(open) {
      const note = noting({ result: 'seventeen swans' });
      const stage = await open({ replies: [{ calls: [{ tool: 'note', args: {} }] }, { text: GOOD }] }, { tools: { note } });
      await stage.perform();
      expect(only(stage.events, 'asked', 'tool')).toEqual(['asked', 'tool', 'asked']);
      const [before, after] = stage.harness.asked();
      expect(before?.messages.join()).not.toContain('seventeen swans');
      expect(after?.messages.at(-1)).toContain('seventeen swans');
      expect((await stage.turns()).find(({ role }) => role === 'tool')?.text).toBe('seventeen swans');
    },
  },
  {
    name: 'the agent’s role and its tools are the same in all requests of a step',
    async check(open) {
      const stage = await open({ replies: [{ text: BAD }, { text: GOOD }] }, { tools: { note: noting() } });
      await stage.perform();
      const [first, second] = stage.requests.map(({ system, tools, schema }) => ({ system, specs: tools?.specs, schema }));
      expect(stage.requests).toHaveLength(2);
      expect(second).toEqual(first);
      expect(first?.system).toContain('You are the worker.');
    },
  },
  {
    name: 'the other side receives both the agent’s role and its task',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }] });
      await stage.perform();
      const [asked] = stage.harness.asked();
      const told = [asked?.stable, ...(asked?.messages ?? [])].join('\n');
      expect(told).toContain('You are the worker.');
      expect(told).toContain('Produce Report.json');
    },
  },
  {
    name: 'what was sent before is sent again unchanged, over tools and repairs, and is only appended to',
    needs: ['context', 'runner-tools'],
    async check(open) {
      const call = { calls: [{ tool: 'note', args: { n: 1 } }] };
      const stage = await open({ replies: [call, call, { text: BAD }, { text: GOOD }] }, { tools: { note: noting() } });
      await stage.perform();
      const asked = stage.harness.asked();
      expect(asked.length).toBeGreaterThan(1);
      for (const [i, { stable, messages, key }] of asked.entries()) {
        const before = asked[i - 1];
        if (!before) continue;
        expect(stable).toBe(before.stable);
        expect(messages.slice(0, before.messages.length)).toEqual(before.messages);
        expect(messages.length).toBeGreaterThan(before.messages.length);
        // A service that recognises a repeated request must not take a different one for it.
        if (key !== undefined) expect(key).not.toBe(before.key);
      }
    },
  },
];

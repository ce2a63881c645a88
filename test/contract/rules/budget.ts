import { AMOUNTS } from '../../../plan/budgets/budget';
import { chargedTokens } from '../../../plan/budgets/usage';
import type { StepOutput } from '../../../plan/steps/step-activity';
import { failureOf } from '../../activities/workshop';
import { noting } from '../noting';
import type { Rule } from '../rule';
import { BAD, GOOD, MODEL } from '../stage';

const usage = { inputTokens: 30, outputTokens: 10 };
/** The whole ceiling of 20,000. */
const heavy = { inputTokens: 19_000, outputTokens: 1000 };
const CEILING = { tokens: 20_000, onUnlimited: 'allow' } as const;
/** With this price an amount is the same in tokens and in millionths of a dollar. */
const A_TOKEN_A_MICRO_DOLLAR = { prices: { models: { [MODEL]: { input: 1, output: 1 } } } };
const MORE = { tokens: 90_000, onUnlimited: 'allow' } as const;
/** Plays a program that uses a tool of its own. */
const looking = { calls: [{ tool: 'read_file', args: { path: 'a.txt' } }], usage };

function short({ paused }: StepOutput): unknown {
  return paused?.kind === 'budget' ? paused.short : paused;
}

export const BUDGET: readonly Rule[] = [
  {
    name: 'with nothing left makes no request',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }] });
      expect(short(await stage.perform({ input: { budget: { tokens: 0 } } }))).toMatchObject({ kind: 'tokens' });
      expect(stage.requests).toEqual([]);
      expect(stage.harness.asked()).toEqual([]);
    },
  },
  {
    name: 'that the first request uses up lets no repair begin; with more the try goes on and pays for nothing twice',
    async check(open) {
      const stage = await open({
        replies: [
          { text: BAD, usage: heavy },
          { text: GOOD, usage: heavy },
        ],
      });
      const paused = await stage.perform({ input: { budget: CEILING } });
      expect(short(paused)).toMatchObject({ kind: 'tokens' });
      expect(paused.usage).toMatchObject(heavy);
      expect(stage.harness.paid()).toBe(1);
      const done = await stage.perform({ input: { budget: MORE } });
      expect(done.usage).toMatchObject({ inputTokens: 38_000, outputTokens: 2000 });
      expect(stage.harness.paid()).toBe(2);
    },
  },
  {
    name: 'that is used up in the middle of a request stops it there; with more it goes on there',
    needs: ['turn-by-turn', 'runner-tools'],
    async check(open) {
      const note = noting();
      const replies = [
        { calls: [{ tool: 'note', args: {} }], usage: heavy },
        { text: GOOD, usage: heavy },
      ];
      const stage = await open({ replies }, { tools: { note } });
      const paused = await stage.perform({ input: { budget: CEILING } });
      expect(short(paused)).toMatchObject({ kind: 'tokens' });
      expect(stage.harness.asked()).toHaveLength(1);
      const done = await stage.perform({ input: { budget: MORE } });
      expect(await stage.said(done)).toBe(GOOD);
      expect(note.called).toHaveLength(1);
      expect(stage.harness.asked()).toHaveLength(2);
    },
  },
  {
    name: 'of tool calls stops before the call that is too many',
    needs: ['runner-tools'],
    async check(open) {
      const note = noting();
      const call = { calls: [{ tool: 'note', args: {} }] };
      const stage = await open({ replies: [call, call, { text: GOOD }] }, { tools: { note } });
      expect(short(await stage.perform({ input: { budget: { toolCalls: 1 } } }))).toEqual({ kind: 'toolCalls', needed: 2 });
      expect(note.called).toHaveLength(1);
      expect((await stage.perform({ input: { budget: { toolCalls: 2 } } })).toolCalls).toBe(2);
    },
  },
  {
    name: 'in dollars pays for nothing of unknown cost',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD, usage }] });
      const output = await stage.perform({ input: { budget: { costMicroUsd: 1000, onUnknownCost: 'hold' } } });
      expect(short(output)).toEqual({ kind: 'unknownCost', model: MODEL });
      expect(stage.harness.paid()).toBe(0);
    },
  },
  {
    name: 'in dollars counts what a table knows',
    async check(open) {
      const toolbox = { prices: { models: { [MODEL]: { input: 1, output: 1 } } } };
      const replies = [
        { text: BAD, usage },
        { text: GOOD, usage },
      ];
      const stage = await open({ replies }, { toolbox });
      const budget = { onUnlimited: 'allow' } as const;
      expect(short(await stage.perform({ input: { budget: { costMicroUsd: 40, ...budget } } }))).toMatchObject({ kind: 'costMicroUsd' });
      const done = await stage.perform({ input: { budget: { costMicroUsd: 1_000_000, ...budget } } });
      expect(done.usage).toMatchObject({ costMicroUsd: 80 });
    },
  },
  {
    name: 'holds an agent whose replies cannot be limited, before it is asked, and no other',
    async check(open, has) {
      const toolbox = { prices: { models: { [MODEL]: { input: 1, output: 1 } } } };
      for (const ceiling of [{ costMicroUsd: 1_000_000 }, { tokens: 1_000_000 }]) {
        const stage = await open({ replies: [{ text: GOOD, usage }] }, { toolbox });
        const { adapter } = stage.harness;
        const output = await stage.perform({ input: { budget: ceiling } });
        expect(short(output)).toEqual(has('limits') ? undefined : { kind: 'unlimited', adapter: adapter.name });
        expect(stage.harness.paid()).toBe(has('limits') ? 1 : 0);
        const done = await stage.perform({ input: { budget: { ...ceiling, onUnlimited: 'allow' } } });
        expect(await stage.said(done)).toBe(GOOD);
      }
    },
  },
  {
    name: 'in tokens holds before a request that reads more than what is left, and says how much that is',
    needs: ['limits', 'turn-by-turn'],
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD, usage }] }, { agent: { role: 'x'.repeat(30_000) } });
      const paused = await stage.perform({ input: { budget: { tokens: 10_000 } } });
      expect(short(paused)).toEqual({ kind: 'tokens', needed: expect.any(Number) });
      expect(stage.harness.paid()).toBe(0);
      const { needed = 0 } = short(paused) as { needed?: number };
      expect(needed).toBeGreaterThan(31_000);
      const done = await stage.perform({ input: { budget: { tokens: needed } } });
      expect(await stage.said(done)).toBe(GOOD);
    },
  },
  {
    name: 'in tokens counts a reply whose usage is not said by what was reserved, or by its texts',
    async check(open, has) {
      const stage = await open({ replies: [{ text: GOOD, usage: { inputTokens: 0, outputTokens: 0 } }] });
      const output = await stage.perform({ input: { budget: CEILING } });
      // A script's figures are believed.
      const isScript = has('limits') && !has('turn-by-turn');
      expect(output.usage && chargedTokens(output.usage) > GOOD.length).toBe(!isScript);
    },
  },
  {
    name: 'holds a reply that its limit has cut, and it is asked for again with more, and not as malformed',
    needs: ['limits', 'stops', 'turn-by-turn'],
    async check(open) {
      const cut = { text: '{"thesis":', usage: { inputTokens: 30, outputTokens: 1024 }, stop: 'cut' } as const;
      for (const kind of AMOUNTS) {
        const stage = await open({ replies: [cut] }, { toolbox: A_TOKEN_A_MICRO_DOLLAR, step: { repair: 0 } });
        const paused = await stage.perform({ input: { budget: { [kind]: 9000 } } });
        expect(short(paused)).toMatchObject({ kind });
        expect(paused.usage).toMatchObject({ costMicroUsd: 1054 });
        stage.harness.play({ replies: [{ text: GOOD, usage }] });
        const done = await stage.perform({ input: { budget: { [kind]: 1_000_000 } } });
        expect(await stage.said(done)).toBe(GOOD);
        expect(done.repairs).toBeUndefined();
        expect(done.usage).toMatchObject({ costMicroUsd: 1094 });
      }
    },
  },
  {
    name: 'counts all that was reserved for a reply whose end never arrived',
    needs: ['limits', 'turn-by-turn'],
    async check(open) {
      for (const kind of AMOUNTS) {
        const play = { replies: [{ text: GOOD, usage }], faults: [{ at: 1, fault: { kind: 'silent' } }] } as const;
        const stage = await open(play, { toolbox: A_TOKEN_A_MICRO_DOLLAR });
        const off = new AbortController();
        const call = { signal: off.signal, isCancelled: () => true };
        const asked = stage.perform({ input: { budget: { [kind]: 100_000 } }, call });
        await stage.harness.still();
        off.abort(new Error('off'));
        const output = await asked;
        expect(output).toMatchObject({ paused: { kind: 'cancelled' }, usage: { costMicroUsd: null } });
        const atMost = (kind === 'tokens' ? output.usage?.atMostTokens : output.usage?.atMostMicroUsd) ?? 0;
        expect(atMost).toBeGreaterThan(1024);
        // So does the try that continues from there.
        stage.harness.go();
        expect(short(await stage.perform({ input: { budget: { [kind]: atMost + 1 } } }))).toMatchObject({ kind });
      }
    },
  },
  {
    name: 'reaches the adapter, less with each request',
    async check(open) {
      const stage = await open({
        replies: [
          { text: BAD, usage },
          { text: GOOD, usage },
        ],
      });
      await stage.perform({ input: { budget: MORE } });
      expect(stage.requests.map(({ maxTokens }) => maxTokens)).toEqual([90_000, 89_960]);
    },
  },
  {
    name: 'of turns ends a try that uses them up, and its cost is reported',
    needs: ['turn-by-turn', 'runner-tools'],
    async check(open) {
      const call = { calls: [{ tool: 'note', args: {} }], usage };
      const stage = await open(
        { replies: [call, call, call, { text: GOOD }] },
        { tools: { note: noting() }, agent: { limits: { turns: 2 } } },
      );
      const failed = await failureOf(stage.perform());
      expect(failed).toMatchObject({ code: 'agent.turns-used-up', work: { usage: { inputTokens: 60, outputTokens: 20 } } });
      expect(stage.harness.paid()).toBe(2);
    },
  },
  {
    name: 'that a program uses up in the middle of a request ends it there, and the usage so far is reported; with more it continues',
    needs: ['own-tools', 'usage-by-reply'],
    async check(open) {
      // The other side is silent after the reply that uses up the budget, so the rule sees where it stopped.
      const faults = [{ at: 2, fault: { kind: 'silent' } }] as const;
      const replies = [looking, { text: GOOD, usage }];
      const stage = await open({ replies, faults }, { agent: { tools: ['read_file'] } });
      const paused = await stage.perform({ input: { budget: { tokens: 40, onUnlimited: 'allow' } } });
      expect(short(paused)).toMatchObject({ kind: 'tokens' });
      expect(paused.usage).toMatchObject(usage);
      await stage.harness.gone();
      stage.harness.play({ replies });
      const done = await stage.perform({ input: { budget: { tokens: 200, onUnlimited: 'allow' } } });
      expect(await stage.said(done)).toBe(GOOD);
      expect(done.usage).toMatchObject({ inputTokens: 60, outputTokens: 20 });
      expect(stage.harness.paid()).toBe(2);
    },
  },
  {
    name: 'of turns ends a program that does not stop by itself; its cost is reported, or reported as unknown',
    needs: ['own-tools'],
    async check(open) {
      const stage = await open({ replies: [looking, looking, { text: GOOD }] }, { agent: { tools: ['read_file'], limits: { turns: 1 } } });
      const failed = await failureOf(stage.perform());
      expect(failed).toMatchObject({ code: 'agent.turns-used-up', work: { usage: { costMicroUsd: null } } });
      await stage.harness.gone();
    },
  },
  {
    name: 'of tool calls stops a program that makes one too many, and with more it goes on',
    needs: ['own-tools', 'streams'],
    async check(open) {
      // The other side is silent after the call that is one too many, so the rule sees where it stopped.
      const faults = [{ at: 3, fault: { kind: 'silent' } }] as const;
      const replies = [looking, looking, { text: GOOD }];
      const stage = await open({ replies, faults }, { agent: { tools: ['read_file'] } });
      expect(short(await stage.perform({ input: { budget: { toolCalls: 1 } } }))).toEqual({ kind: 'toolCalls', needed: 2 });
      await stage.harness.gone();
      stage.harness.play({ replies });
      const done = await stage.perform({ input: { budget: { toolCalls: 2 } } });
      expect(await stage.said(done)).toBe(GOOD);
      expect(done.toolCalls).toBe(2);
      expect(stage.harness.paid()).toBe(3);
    },
  },
  {
    name: 'of tool calls in the agent’s own file ends a program that makes one too many',
    needs: ['own-tools', 'streams'],
    async check(open) {
      const replies = [looking, looking, { text: GOOD }];
      const stage = await open({ replies }, { agent: { tools: ['read_file'], limits: { toolCalls: 1 } } });
      expect(await failureOf(stage.perform())).toMatchObject({ code: 'agent.turns-used-up', details: { toolCalls: 2 } });
      await stage.harness.gone();
    },
  },
];

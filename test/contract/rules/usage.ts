import { TOKEN_KINDS } from '../../../plan/budgets/usage';
import { noting } from '../noting';
import type { Rule } from '../rule';
import { BAD, GOOD, MODEL } from '../stage';

const PRICES = { prices: { models: { [MODEL]: { input: 1, output: 2 }, 'model-2': { input: 3, output: 4 } } } };

export const USAGE_RULES: readonly Rule[] = [
  {
    name: 'is that of all replies together',
    async check(open) {
      const replies = [
        { text: BAD, usage: { inputTokens: 100, outputTokens: 7 } },
        { text: GOOD, usage: { inputTokens: 130, outputTokens: 9 } },
      ];
      const stage = await open({ replies });
      expect((await stage.perform()).usage).toMatchObject({ inputTokens: 230, outputTokens: 16 });
    },
  },
  {
    name: 'is recorded with each reply',
    needs: ['turn-by-turn', 'runner-tools'],
    async check(open) {
      const replies = [
        { calls: [{ tool: 'note', args: {} }], usage: { inputTokens: 100, outputTokens: 7 } },
        { text: GOOD, usage: { inputTokens: 130, outputTokens: 9 } },
      ];
      const stage = await open({ replies }, { tools: { note: noting() } });
      await stage.perform();
      const used = (await stage.turns()).flatMap(({ usage }) => (usage ? [[usage.inputTokens, usage.outputTokens]] : []));
      expect(used).toEqual([
        [100, 7],
        [130, 9],
      ]);
    },
  },
  {
    name: 'has an unknown cost where no table knows the model, and never zero',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }] });
      expect((await stage.perform()).usage?.costMicroUsd).toBeNull();
    },
  },
  {
    name: 'costs what the table says of the model, in whole millionths',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD, usage: { inputTokens: 100, outputTokens: 7 } }] }, { toolbox: PRICES });
      expect((await stage.perform()).usage?.costMicroUsd).toBe(114);
    },
  },
  {
    name: 'costs what the table says, also of what a program did with tools of its own',
    needs: ['own-tools'],
    async check(open) {
      const usage = { inputTokens: 100, outputTokens: 7 };
      const replies = [
        { calls: [{ tool: 'read_file', args: { path: 'a.txt' } }], usage },
        { text: GOOD, usage },
      ];
      const stage = await open({ replies }, { toolbox: PRICES, agent: { tools: ['read_file'] } });
      expect((await stage.perform()).usage).toMatchObject({ inputTokens: 200, outputTokens: 14, costMicroUsd: 228 });
    },
  },
  ...['negative', 'endless', 'a text', 'a part of one', 'missing'].map(
    (what, i): Rule => ({
      name: `that is absurd or incomplete has an unknown cost and valid counts: ${what}`,
      async check(open) {
        const told: unknown = [-5, 1e18, '12', 1.5, null][i];
        const usage = { inputTokens: told as number, outputTokens: 7 };
        const stage = await open({ replies: [{ text: GOOD, usage }] }, { toolbox: PRICES });
        const output = await stage.perform();
        expect(await stage.said(output)).toBe(GOOD);
        expect(output.usage).toMatchObject({ inputTokens: 0, costMicroUsd: null });
        for (const kind of TOKEN_KINDS) expect(output.usage?.[kind]).toBeGreaterThanOrEqual(0);
      },
    }),
  ),
  {
    name: 'costs what the model costs that answered, where that is another than was asked for',
    needs: ['names-model'],
    async check(open) {
      const reply = { text: GOOD, model: 'model-2', usage: { inputTokens: 100, outputTokens: 10 } };
      const stage = await open({ replies: [reply] }, { toolbox: PRICES });
      expect((await stage.perform()).usage?.costMicroUsd).toBe(340);
    },
  },
];

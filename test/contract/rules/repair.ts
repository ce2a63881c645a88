import { failureOf } from '../../activities/workshop';
import type { Rule } from '../rule';
import { BAD, GOOD } from '../stage';

export const REPAIR: readonly Rule[] = [
  {
    name: 'is asked for again once, with a list of what is missing',
    async check(open) {
      const stage = await open({ replies: [{ text: BAD }, { text: GOOD }] });
      const output = await stage.perform();
      expect(output.repairs).toEqual([{ missingFields: ['price'] }]);
      expect(stage.requests.map(({ ask }) => ask)).toEqual([1, 2]);
      expect(stage.requests[1]?.prompt).toContain('missing_fields: ["price"]');
      expect(stage.harness.asked().at(-1)?.messages.at(-1)).toContain('missing_fields');
      expect(await stage.said(output)).toBe(GOOD);
    },
  },
  {
    name: 'is an empty one, whatever the form: a service is asked once more, and a program has failed',
    async check(open, has) {
      for (const output of [undefined, { name: 'Report.txt' }]) {
        const stage = await open({ replies: [{ text: '' }, { text: '' }] }, output && { step: { output } });
        const failure = await failureOf(stage.perform());
        const asked = stage.requests.map(({ ask }) => ask);
        expect({ code: failure.code, asked }).toEqual(
          has('program') ? { code: 'agent.failed', asked: [1] } : { code: 'reply.invalid', asked: [1, 2] },
        );
        expect(failure.message).toMatch(has('program') ? /ended without a reply/ : /the reply is empty/);
      }
    },
  },
  {
    name: 'is part of the context in which a better one is asked for',
    needs: ['context'],
    async check(open) {
      const stage = await open({ replies: [{ text: BAD }, { text: GOOD }] });
      await stage.perform();
      const said = stage.harness.asked().at(-1)?.messages ?? [];
      expect(said.length).toBeGreaterThanOrEqual(3);
      expect(said.at(-2)).toContain('thesis');
    },
  },
  {
    name: 'that is bad again fails the try, which reports the cost of both',
    async check(open) {
      const usage = { inputTokens: 100, outputTokens: 7 };
      const stage = await open({
        replies: [
          { text: BAD, usage },
          { text: 'no JSON at all', usage },
        ],
      });
      expect(await failureOf(stage.perform())).toMatchObject({
        code: 'reply.invalid',
        work: { usage: { inputTokens: 200, outputTokens: 14 } },
        details: { previous: { name: 'Report.json.refused.txt' } },
      });
      expect(stage.harness.paid()).toBe(2);
    },
  },
  {
    name: 'is not what a good one is: no second request is made',
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }, { text: BAD }] });
      const output = await stage.perform();
      expect(output.repairs).toBeUndefined();
      expect(stage.harness.asked()).toHaveLength(1);
    },
  },
  {
    name: 'is one that was cut, also where what came of it would do',
    needs: ['stops'],
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD, stop: 'cut' }, { text: GOOD }] });
      const output = await stage.perform();
      expect(output.repairs).toHaveLength(1);
      expect(output.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
      expect(await stage.said(output)).toBe(GOOD);
    },
  },
  {
    name: 'is not a refused one: that is not asked for again, and its cost is reported',
    needs: ['stops'],
    async check(open) {
      const usage = { inputTokens: 100, outputTokens: 7 };
      const stage = await open({ replies: [{ text: 'I will not.', stop: 'refused', usage }, { text: GOOD }] });
      expect(await failureOf(stage.perform())).toMatchObject({ code: 'model.refused', work: { usage } });
      expect(stage.harness.asked()).toHaveLength(1);
      // After a lost completion.
      expect(await failureOf(stage.perform())).toMatchObject({ code: 'model.refused', work: { usage } });
      expect(stage.harness.paid()).toBe(1);
    },
  },
];

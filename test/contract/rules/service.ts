import { FAILURES } from '../../../plan/run/failure';
import { failureOf } from '../../activities/workshop';
import { noting } from '../noting';
import type { Fault } from '../play';
import type { Open, Rule } from '../rule';
import { GOOD, KEY_NAME, KEY_VALUE, MODEL, type Stage } from '../stage';

/** A step whose only reply meets a fault the first time. */
const faulty = (open: Open, fault: Fault): Promise<Stage> => open({ replies: [{ text: GOOD }], faults: [{ at: 1, fault }] });

/** It is tried again once, and then the step is done at the price of one reply. */
async function expectTriedOnce(stage: Stage): Promise<void> {
  const { code } = await failureOf(stage.perform());
  expect(FAILURES[code].retried).toBe('once');
  expect(await stage.said(await stage.perform())).toBe(GOOD);
  expect(stage.harness.paid()).toBe(1);
}

/** The step is not tried again and its failure says what may be wrong; nothing was paid. */
async function expectGivenUp(stage: Stage, code: string): Promise<string> {
  const failed = await failureOf(stage.perform());
  expect(failed.code).toBe(code);
  expect(FAILURES[failed.code].retried).toBe('never');
  expect(stage.harness.paid()).toBe(0);
  return failed.message;
}

export const SERVICE: readonly Rule[] = [
  {
    name: 'that limits the rate is asked again when it says, in the same try, and nothing was paid',
    needs: ['overload'],
    async check(open) {
      const stage = await faulty(open, { kind: 'overloaded', retryAfterMs: 600_000 });
      const failed = await failureOf(stage.perform());
      expect(failed.code).toBe('model.overloaded');
      // Some services name the moment and not the wait.
      expect(failed.retryAfterMs).toBeGreaterThan(0);
      expect(failed.retryAfterMs).toBeLessThanOrEqual(600_000);
      // Temporal repeats it within the try, so the step has no further attempt.
      expect(FAILURES[failed.code].retried).toBe('temporal');
      expect(await stage.said(await stage.perform({ call: { attempt: 2 } }))).toBe(GOOD);
      expect(stage.harness.paid()).toBe(1);
    },
  },
  {
    name: 'that is overloaded and says nothing of when is asked again in the same try',
    needs: ['overload'],
    async check(open) {
      const stage = await faulty(open, { kind: 'overloaded' });
      const failed = await failureOf(stage.perform());
      expect(failed.code).toBe('model.overloaded');
      expect(failed.retryAfterMs).toBeUndefined();
    },
  },
  {
    name: 'that is overloaded after a tool call loses nothing of what was paid',
    needs: ['overload', 'runner-tools', 'turn-by-turn'],
    async check(open) {
      const note = noting();
      const replies = [{ calls: [{ tool: 'note', args: {} }] }, { text: GOOD }];
      const stage = await open({ replies, faults: [{ at: 2, fault: { kind: 'overloaded', retryAfterMs: 1 } }] }, { tools: { note } });
      expect(await failureOf(stage.perform())).toMatchObject({ code: 'model.overloaded', work: { usage: { inputTokens: 10 } } });
      expect(await stage.said(await stage.perform())).toBe(GOOD);
      expect(stage.harness.paid()).toBe(2);
      expect(note.called).toHaveLength(1);
    },
  },
  {
    name: 'or a program that ends with an error is tried again once',
    check: async (open) => await expectTriedOnce(await faulty(open, { kind: 'error' })),
  },
  {
    name: 'that cuts the connection before it answers is tried again once',
    needs: ['service'],
    check: async (open) => await expectTriedOnce(await faulty(open, { kind: 'lost' })),
  },
  {
    name: 'that cuts the connection within a reply: the usage so far is recorded and reported, and the step is tried once more',
    needs: ['service'],
    async check(open, has) {
      const toolbox = { prices: { models: { [MODEL]: { input: 1, output: 1 } } } };
      const stage = await open({ replies: [{ text: GOOD }], faults: [{ at: 1, fault: { kind: 'broken' } }] }, { toolbox });
      const failed = await failureOf(stage.perform());
      expect(failed.code).toBe('model.api-error');
      expect(FAILURES[failed.code].retried).toBe('once');
      expect((await stage.turns()).at(-1)).toMatchObject({ role: 'assistant', stop: 'broken', text: '' });
      const output = await stage.perform();
      expect(await stage.said(output)).toBe(GOOD);
      expect(stage.harness.paid()).toBe(2);
      // A cost that nobody reported is unknown; it is not zero.
      expect(output.usage?.costMicroUsd).toBeNull();
      if (has('early-usage')) expect(output.usage).toMatchObject({ inputTokens: 20 });
      // A broken-off reply is not part of the conversation.
      const [first, second] = stage.harness.asked();
      expect(second?.messages).toEqual(first?.messages);
    },
  },
  {
    name: 'whose reply does not begin with JSON was reached: the failure says so, and the step is tried once more',
    needs: ['service'],
    async check(open) {
      const stage = await faulty(open, { kind: 'garbled' });
      const { code, message } = await failureOf(stage.perform());
      expect([code, FAILURES[code].retried]).toEqual(['model.api-error', 'once']);
      expect(message).toContain('cannot be read');
      expect(message).not.toMatch(/cannot be reached|broke off/);
      expect(await stage.said(await stage.perform())).toBe(GOOD);
    },
  },
  {
    name: 'that answers with a page for people is none: its address may be wrong',
    needs: ['service'],
    check: async (open) => expect(await expectGivenUp(await faulty(open, { kind: 'web-page' }), 'model.bad-request')).toContain('HTML'),
  },
  {
    name: 'that refuses the key is not asked again, and nothing says the key',
    needs: ['service'],
    async check(open) {
      const stage = await faulty(open, { kind: 'unauthorized' });
      const failed = await failureOf(stage.perform());
      expect(failed.code).toBe('model.unauthorized');
      expect(`${failed.message} ${JSON.stringify(failed.details)} ${failed.stack}`).not.toContain(KEY_VALUE);
      expect(JSON.stringify(await stage.turns())).not.toContain(KEY_VALUE);
    },
  },
  {
    name: 'without a key is not asked, and the failure says where a key belongs',
    needs: ['service'],
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }] }, { keyless: true });
      expect(await expectGivenUp(stage, 'secret.missing')).toContain(KEY_NAME);
      expect(stage.harness.asked()).toEqual([]);
    },
  },
  {
    name: 'that does not know the model is not asked again, and the failure names the model',
    needs: ['service'],
    check: async (open) => expect(await expectGivenUp(await faulty(open, { kind: 'unknown-model' }), 'model.bad-request')).toContain(MODEL),
  },
  {
    name: 'receives the model that the agent names',
    needs: ['service'],
    async check(open) {
      const stage = await open({ replies: [{ text: GOOD }] }, { agent: { model: 'swan-9' } });
      await stage.perform();
      expect(stage.harness.asked()[0]?.model).toBe('swan-9');
    },
  },
  {
    name: 'whose context is full gets it condensed once; who the agent is and its task stay as they are',
    needs: ['service', 'context', 'runner-tools'],
    async check(open) {
      const note = noting({ result: 'a swan on the lake. '.repeat(2000) });
      const call = { calls: [{ tool: 'note', args: {} }] };
      const play = { replies: [call, call, { text: GOOD }], aside: { text: 'summary: two swans' } };
      const stage = await open({ ...play, faults: [{ at: 3, fault: { kind: 'overflow' } }] }, { tools: { note } });
      const output = await stage.perform();
      expect(await stage.said(output)).toBe(GOOD);
      const asked = stage.harness.asked();
      const [first, last] = [asked[0], asked.at(-1)];
      expect(last?.stable).toBe(first?.stable);
      expect(last?.messages.join('\n')).toContain('Produce Report.json');
      expect((await stage.turns()).filter(({ stop }) => stop === 'condensed')).toHaveLength(1);
      expect(output.usage?.inputTokens).toBe(10 * stage.harness.paid());
    },
  },
];

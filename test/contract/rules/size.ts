import { FAILURES, ThermidorFailure } from '../../../plan/run/failure';
import type { StepOutput } from '../../../plan/steps/step-activity';
import { MemoryArtifacts } from '../../../records/memory/memory-store';
import { failureOf } from '../../activities/workshop';
import { noting } from '../noting';
import type { Rule } from '../rule';
import { GOOD } from '../stage';

const TOKEN = 'swan-0123456789';
const SECRET = {
  plan: { args: { token: { secret: true } } },
  args: { token: 'secret://env/TOKEN' },
  environment: { TOKEN },
} as const;

export const SIZE: readonly Rule[] = [
  {
    name: 'two megabytes of a reply come whole, or fail the try for good',
    async check(open) {
      const text = JSON.stringify({ thesis: 'swan '.repeat(400_000), price: 1 });
      const stage = await open({ replies: [{ text }] });
      const ended = await stage.perform().catch((error: unknown) => error);
      if (ended instanceof ThermidorFailure) expect(ended.code).toBe('output.too-large');
      else expect((await stage.said(ended as StepOutput)).length).toBe(text.length);
      await stage.harness.gone();
    },
  },
  {
    name: 'an output that the store does not take fails the try, is not paid for again, and says what it cost',
    async check(open) {
      const text = JSON.stringify({ thesis: 'swan '.repeat(10_000), price: 1 });
      const stage = await open({ replies: [{ text }] }, { toolbox: { artifacts: new MemoryArtifacts(new Map(), 10_000) } });
      const failed = await failureOf(stage.perform());
      expect(failed).toMatchObject({ code: 'output.too-large', work: { usage: { inputTokens: 10, outputTokens: 5 } } });
      expect(FAILURES[failed.code].retried).toBe('never');
      expect((await failureOf(stage.perform())).code).toBe('output.too-large');
      expect(stage.harness.paid()).toBe(1);
    },
  },
  {
    name: 'bytes that are no UTF-8 are marked as such, and the rest of the reply stands',
    needs: ['bytes'],
    async check(open) {
      const stage = await open({ replies: [{ text: '{"thesis":"a\u0000b","price":1}', raw: true }] });
      expect(await stage.said(await stage.perform())).toMatch(/^\{"thesis":"a\uFFFD.{0,3}b","price":1\}$/);
    },
  },
  {
    name: 'letters of several bytes come whole, wherever the stream was cut into pieces',
    async check(open) {
      const text = JSON.stringify({ thesis: '„Schwäne“ 🦢🦢🦢 天鵝'.repeat(50), price: 1 });
      const stage = await open({ replies: [{ text }] });
      expect(await stage.said(await stage.perform())).toBe(text);
    },
  },
  {
    name: 'a secret of the run that an agent says is masked in its transcript and its output',
    async check(open) {
      const stage = await open({ replies: [{ text: JSON.stringify({ thesis: `the token is ${TOKEN}`, price: 1 }) }] }, SECRET);
      const output = await stage.perform();
      expect(await stage.said(output)).toBe('{"thesis":"the token is ***","price":1}');
      expect(JSON.stringify(await stage.turns())).not.toContain(TOKEN);
    },
  },
  {
    name: 'a secret of the run is masked in calls, in results, and in what goes back to the agent',
    needs: ['runner-tools', 'context'],
    async check(open) {
      const note = noting({ result: `it says ${TOKEN}` });
      const stage = await open(
        { replies: [{ calls: [{ tool: 'note', args: { say: TOKEN } }] }, { text: GOOD }] },
        { ...SECRET, tools: { note } },
      );
      await stage.perform();
      expect(JSON.stringify(await stage.turns())).not.toContain(TOKEN);
      expect(stage.harness.asked()[1]?.messages.join()).not.toContain(TOKEN);
    },
  },
];

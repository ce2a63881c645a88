import { agent } from '../../activities/agent/agent';
import { changedFiles } from '../../activities/agent/changes';
import type { Step } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

const STEPS: Step[] = [
  { id: 'converge', kind: 'command', command: { shell: ['true'] } },
  { id: 'review', kind: 'review', agent: 'bull', of: 'converge', critic: 'bull', inputs: ['converge'], output: { name: 'Review.json' } },
];

function report(...findings: [where: string, what: string][]): Json {
  return { verdict: 'revise', issues: findings.map(([field, description]) => ({ severity: 'major', field, description })) };
}

async function json(shop: Workshop, value: Json) {
  return await shop.artifacts.put(JSON.stringify(value), { mediaType: 'application/json', name: 'x.json' });
}

async function judged(now: Json, before: Json, given: (shop: Workshop) => Promise<Partial<StepInput>>) {
  const adapter = fakeAgent(() => JSON.stringify(now));
  const shop = workshop(withAgent(adapter));
  await shop.open(STEPS);
  const previous = await json(shop, before);
  const input = { run: KEY.run, previous, findings: { review: 'review', report: previous }, ...(await given(shop)) };
  const output = await agent(shop.toolbox, shop.call('review#2~1'), input);
  return { output, prompt: adapter.requests[0]?.prompt ?? '' };
}

describe('a reviewer that judges again', () => {
  const before = report(['stop_loss', 'too far away'], ['size', 'too large']);

  test('counts which of its findings are resolved, which remain and which are new', async () => {
    const now = report(['stop_loss', 'Too far  away'], ['entry', 'no zone']);
    const { output } = await judged(now, before, async () => ({}));
    expect(output.verdict?.delta).toEqual({ resolved: 1, remaining: 1, added: 1 });
  });

  test('reads its last findings, and no request to mend them', async () => {
    const { prompt } = await judged(report(), before, async () => ({}));
    expect(prompt.match(/too far away/g)).toHaveLength(1);
    expect(prompt).not.toContain('Mend every finding');
  });

  test('reads what has changed in the work that it judges', async () => {
    const { prompt } = await judged(report(), before, async (shop) => ({
      judgedBefore: await json(shop, { stop_loss: 90, size: 5 }),
      inputs: { converge: await json(shop, { stop_loss: 95, size: 5, entry: [1, 2] }) },
    }));
    expect(prompt).toContain('~ stop_loss: 90 → 95');
    expect(prompt).toContain('+ entry: [1,2]');
    expect(prompt).not.toContain('~ size');
  });

  test('reads the findings of another review that sent the work back', async () => {
    const { prompt } = await judged(report(), before, async (shop) => ({
      findings: { review: 'legal', report: await json(shop, report(['claim', 'not proven'])) },
    }));
    expect(prompt).toContain('too far away');
    expect(prompt).toContain('"legal"');
    expect(prompt).toContain('not proven');
  });

  test('has no such count in its first round', async () => {
    const adapter = fakeAgent(() => JSON.stringify(report(['a', 'b'])));
    const shop = workshop(withAgent(adapter));
    await shop.open(STEPS);
    const output = await agent(shop.toolbox, shop.call('review#1~1'), { run: KEY.run });
    expect(output.verdict).not.toHaveProperty('delta');
  });
});

describe('what has changed from one output to the next', () => {
  const asJson = (value: Json) => ({ text: JSON.stringify(value), value, json: true });
  const asText = (text: string) => ({ text, value: text, json: false });

  test('is said of JSON by path: changed, new and gone', () => {
    const said = changedFiles(asJson({ a: { b: 1, gone: true }, list: [1, 2] }), asJson({ a: { b: 2 }, list: [1, 2, 3] }));
    expect(said?.split('\n')).toEqual(['~ a.b: 1 → 2', '- a.gone: true', '+ list[2]: 3']);
  });

  test('is said of text by line', () => {
    expect(changedFiles(asText('one\ntwo\nthree'), asText('one\n2\nthree'))?.split('\n')).toEqual(['- two', '+ 2']);
  });

  test('is nothing if the two are the same', () => {
    expect(changedFiles(asText('one'), asText('one'))).toBeUndefined();
  });

  test('is cut if it is much, and says how much is left out', () => {
    const many = asText(Array.from({ length: 500 }, (_, i) => `line ${i} ${'x'.repeat(1000)}`).join('\n'));
    const said = changedFiles(asText('before'), many) ?? '';
    expect(said.split('\n')).toHaveLength(101);
    expect(said.split('\n').at(-1)).toContain('401');
    expect(said.length).toBeLessThan(20_000);
  });
});

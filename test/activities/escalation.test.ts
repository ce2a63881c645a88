import { agent } from '../../activities/agent/agent';
import type { EscalationRequest } from '../../plan/steps/escalation';
import type { Step } from '../../plan/steps/step';
import { failureOf, fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

const ADDRESS = 'review#3~1/escalation-ceo';
const STEPS: Step[] = [
  { id: 'converge', kind: 'command', command: { shell: ['true'] } },
  { id: 'review', kind: 'review', agent: 'bull', of: 'converge' },
];
const ANSWER = JSON.stringify({ decision: 'pass', rationale: 'the risk is ours' });

async function asked(shop: Workshop, more: Partial<EscalationRequest> = {}, address = ADDRESS) {
  const ceo = await shop.blob({ id: 'ceo', title: 'the CEO', role: 'You decide.' });
  await shop.open(STEPS, { agents: { ceo: { definition: ceo } } });
  const escalation: EscalationRequest = { agent: 'ceo', reason: 'the reviewer blocked', history: [], before: [], ...more };
  return agent(shop.toolbox, shop.call(address), { run: KEY.run, escalation });
}

async function stored(shop: Workshop, text: string) {
  return await shop.artifacts.put(text, { mediaType: 'text/plain', name: 'Thesis.md' });
}

describe('an agent of the escalation chain', () => {
  test('decides with a reason, which goes into the run', async () => {
    const adapter = fakeAgent(() => ANSWER);
    const output = await asked(workshop(withAgent(adapter)));
    expect(output).toMatchObject({ escalated: { decision: 'pass', rationale: 'the risk is ours' }, adapter: 'fake' });
    expect(output.artifact?.name).toBe('review.escalation-ceo.json');
    expect(adapter.requests[0]).toMatchObject({ stepId: 'review@ceo', agent: { id: 'ceo' } });
  });

  test('reads every round: its outcome, the verdict, the error, and earlier advice', async () => {
    const adapter = fakeAgent(() => ANSWER);
    const shop = workshop(withAgent(adapter));
    await asked(shop, {
      history: [
        { step: 'converge', round: 1, artifact: await stored(shop, 'buy it all') },
        { step: 'review', round: 1, verdict: { verdict: 'revise', findings: { high: 2 }, summary: 'far too large' } },
        { step: 'converge', round: 2, error: { code: 'command.failed', message: 'no data' } },
      ],
      before: [{ agent: 'strategist', said: 'it is above me' }],
    });
    const prompt = adapter.requests[0]?.prompt ?? '';
    for (const told of [
      'the reviewer blocked',
      'buy it all',
      'revise',
      '2 high',
      'far too large',
      'command.failed',
      'no data',
      'it is above me',
    ])
      expect(prompt).toContain(told);
  });

  test('reads the outputs of the newest rounds if there is no room for all', async () => {
    const adapter = fakeAgent(() => ANSWER);
    const shop = workshop(withAgent(adapter));
    const rounds = Array.from({ length: 12 }, (_, i) => `${i + 1}`.padEnd(40_000, 'x'));
    const history = await Promise.all(
      rounds.map(async (text, i) => ({ step: 'converge', round: i + 1, artifact: await stored(shop, text) })),
    );
    await asked(shop, { history });
    const prompt = adapter.requests[0]?.prompt ?? '';
    expect(prompt).toContain('12xxx');
    expect(prompt).not.toContain('\n1xxx');
    expect(prompt).toContain(history[0]?.artifact.sha256);
    expect(prompt.length).toBeLessThan(300_000);
  });

  test.each([
    ['a word that decides nothing', { decision: 'maybe', rationale: 'who knows' }],
    ['no reason', { decision: 'abort' }],
    ['a blank reason', { decision: 'abort', rationale: '  ' }],
  ])('who answers with %s is asked once more, and then has failed', async (_, reply) => {
    const adapter = fakeAgent(() => JSON.stringify(reply));
    const failure = await failureOf(asked(workshop(withAgent(adapter))));
    expect(failure.code).toBe('reply.invalid');
    expect(adapter.requests.map(({ ask }) => ask)).toEqual([1, 2]);
  });

  test('who advises knows that a person decides, and answers in the same words', async () => {
    const adapter = fakeAgent(() => ANSWER);
    const output = await asked(workshop(withAgent(adapter)), { advises: true });
    expect(output.escalated).toEqual({ decision: 'pass', rationale: 'the risk is ours' });
    const [request] = adapter.requests;
    expect(request?.prompt).toContain('A person decides what happens next');
    expect(request?.prompt).not.toContain('You decide');
    expect(request?.system).toContain('you advise to let the work go on');
  });

  test('may repair a reply that could not be used', async () => {
    const adapter = fakeAgent(({ ask }) => (ask === 1 ? 'let it pass' : ANSWER));
    const output = await asked(workshop(withAgent(adapter)));
    expect(output.escalated?.decision).toBe('pass');
  });

  test('is asked about a step of any kind', async () => {
    const adapter = fakeAgent(() => JSON.stringify({ decision: 'pass_on', rationale: 'not mine' }));
    const output = await asked(workshop(withAgent(adapter)), {}, 'converge#1~1/escalation-ceo');
    expect(output.escalated?.decision).toBe('pass_on');
  });
});

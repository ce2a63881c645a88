import { agent, command, review, reviewed } from '../support/steps';
import { planOf, runPlan } from '../support/world';

describe('the journal', () => {
  it('has every request and reply of a run as an envelope, in order', async () => {
    const world = runPlan(planOf([agent('draft'), review('check', 'draft')]), { steps: { check: () => reviewed('pass') } });
    await world.result;
    const envelopes = world.journal().flatMap((entry) => (entry.kind === 'envelope' ? [entry.envelope] : []));
    expect(envelopes.map(({ from, to, intent }) => `${from} ${intent} ${to}`)).toEqual([
      'boss assign_task lead',
      'lead assign_task worker',
      'worker deliver_report lead',
      'lead review_request worker',
      'worker review_verdict lead',
      'lead deliver_report boss',
    ]);
    expect(envelopes[2]).toMatchObject({ ref_task: 'test-run/draft#1~1', payload: { $ref: 'draft-1-1' }, expect_response: false });
    expect(envelopes.at(-1)?.payload).toMatchObject({ message: 'pipeline complete' });
  });

  it('counts without gaps over pages, and forgets nothing', async () => {
    const world = runPlan(planOf(Array.from({ length: 400 }, (_, i) => command(`s${i}`))));
    await world.result;
    const numbers = world.journal().map((entry) => entry.seq);
    expect(numbers).toEqual(Array.from({ length: 804 }, (_, i) => i + 1));
  });
});

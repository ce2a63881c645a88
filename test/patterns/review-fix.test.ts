import type { Feedback, FeedbackType } from '../../plan/patterns/feedback';
import { reviewFindings } from '../../plan/patterns/review-findings';
import type { ReviewStep } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { verdictOf } from '../../plan/steps/verdict';
import { freshly } from '../interpreter/program';
import { agent, command, review, reviewed } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';

/**
 * Producer and reviewer (docs/patterns.md, CP-2): the verdict of a review, the findings that go back with it, and the end of the rounds.
 */
const RETRY = [{ kind: 'retry' as const, step: 'impl', max: 5 }];

const planWith = (more: Partial<ReviewStep> = {}) =>
  planOf([agent('plan', { agent: 'boss' }), agent('impl'), review('rev', 'impl', { onRevise: RETRY, ...more }), command('ship')]);

function play(says: () => StepOutput, step: Partial<ReviewStep> = {}, more: WorldOptions = {}): World {
  return runPlan(planWith(step), { steps: { rev: says }, ...more });
}

function feedback(world: World, type: FeedbackType): Feedback[] {
  return world.journal().flatMap((entry) => (entry.kind === 'pattern' && entry.type === type ? [entry] : []));
}

const HIGH = { high: [{ file: 'a.ts', line: 3, description: 'it leaks', suggestion: 'close it' }] };

/** The verdicts of a reviewer by round, with its findings. The last one is repeated. */
function finds(...rounds: { says?: 'pass' | 'revise' | 'block'; high?: number; unfixable?: true }[]): () => StepOutput {
  let judged = 0;
  return () => {
    const { says = 'revise', high = 0, unfixable } = rounds[Math.min(judged++, rounds.length - 1)] ?? {};
    return { ...reviewed(says, { findings: { high }, ...(unfixable ? { unfixable } : {}) }), findings: HIGH };
  };
}

const started = (world: World, step: string) => world.order().filter((address) => address.startsWith(`${step}#`));

describe('what a report says', () => {
  test('CP-2 · entry · a conditional pass passes, and with a critical finding it is a revise', () => {
    const report = (severity: string) => ({ verdict: 'CONDITIONAL', issues: [{ severity, description: 'x' }] });
    expect(verdictOf(report('high'))).toMatchObject({ verdict: 'pass', said: 'CONDITIONAL' });
    expect(verdictOf(report('critical'))).toMatchObject({ verdict: 'revise', said: 'CONDITIONAL', findings: { critical: 1 } });
  });

  test('CP-2 · entry · work that passes is not unfixable, whatever the report says', () => {
    expect(verdictOf({ verdict: 'block', unfixable: true })).toMatchObject({ unfixable: true });
    expect(verdictOf({ verdict: 'block', unfixable: 'yes' })).not.toHaveProperty('unfixable');
    expect(verdictOf({ verdict: 'pass', unfixable: true })).not.toHaveProperty('unfixable');
  });

  test('CP-2 · entry · findings are listed by severity, bounded and cut', () => {
    const found = reviewFindings({
      verdict: 'revise',
      findings: [
        { severity: 'major', file: 'a.ts', line: 3, description: 'it leaks', suggestion: 'close it' },
        'no tests',
        { severity: 'critical', description: 'x'.repeat(5000) },
        ...Array.from({ length: 500 }, () => ({ description: 'more' })),
      ],
    });
    expect(found).toMatchObject({ ...HIGH, medium: expect.arrayContaining([{ description: 'no tests' }]) });
    expect(JSON.stringify(found).length).toBeLessThan(2000);
  });
});

test('CP-2 · workflow · the journal has what was said about each round, and what goes back to whom', async () => {
  const world = play(finds({ high: 2 }, { says: 'pass' }));
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(feedback(world, 'review_result')).toMatchObject([
    { step: 'rev', from: 'worker', data: { verdict: 'revise', iteration: 1, findings: HIGH } },
    { step: 'rev#2', data: { verdict: 'pass', iteration: 2 } },
  ]);
  expect(feedback(world, 'fix_required')).toMatchObject([{ from: 'worker', to: 'worker', data: { iteration: 1, findings: HIGH } }]);
});

test('CP-2 · roles · what is to be fixed goes to the agent that the reviewer names', async () => {
  const says = finds({ high: 1 }, { says: 'pass' });
  const world = play(() => {
    const said = says();
    return said.verdict ? { ...said, verdict: { ...said.verdict, reviseTarget: 'boss' } } : said;
  });
  await world.result;
  expect(feedback(world, 'fix_required')).toMatchObject([{ to: 'boss' }]);
  expect(started(world, 'plan')).toEqual(['plan#1~1', 'plan#2~1']);
});

test('CP-2 · success · work that passes goes on, after as many rounds as it takes', async () => {
  const world = play(finds({ high: 3 }, { high: 2 }, { high: 1 }, { says: 'pass' }), { stallRounds: 2 });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(started(world, 'impl')).toHaveLength(4);
  expect(started(world, 'ship')).toHaveLength(1);
});

describe('if no further round helps', () => {
  test('CP-2 · fallbacks · rounds that are used up go to a person, who sees what was found in each of them', async () => {
    const world = play(finds({ high: 2 }), { onRevise: [{ kind: 'retry', step: 'impl', max: 1 }] });
    await world.elapse();
    expect(world.status().gates).toMatchObject([{ step: 'rev#2', kind: 'escalation' }]);
    expect(feedback(world, 'fix_required')).toHaveLength(1);
    expect(feedback(world, 'review_result')).toHaveLength(2);
    expect(world.gateInputs).toMatchObject([{ escalation: { rounds: [{ step: 'rev', round: 1, verdict: { findings: { high: 2 } } }] } }]);
  });

  test('CP-2 · fallbacks · on_stall follows once findings have not gone down for stall_rounds', async () => {
    const world = play(finds({ high: 2 }), { stallRounds: 2, onStall: [{ kind: 'continue' }], onBlock: [{ kind: 'stop' }] });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(started(world, 'impl')).toHaveLength(3);
  });

  test('CP-2 · fallbacks · work that no revision helps is planned again, with what was found', async () => {
    const world = play(finds({ unfixable: true }, { says: 'pass' }), { onUnfixable: [{ kind: 'retry', step: 'plan', max: 1 }] });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(started(world, 'plan')).toEqual(['plan#1~1', 'plan#2~1']);
    expect(feedback(world, 'fix_required')).toEqual([]);
    const again = world.seen.find(({ call }) => call.options.address === 'plan#2~1');
    expect(again?.input).toMatchObject({
      findings: { review: 'rev', instructions: expect.any(String), report: { name: 'review-revise' } },
    });
  });

  test('CP-2 · fallbacks · without on_unfixable it goes as on_block says, and is not sent back', async () => {
    const world = play(finds({ unfixable: true }, { says: 'pass' }));
    await world.elapse();
    expect(world.status().gates).toMatchObject([{ step: 'rev', kind: 'escalation', question: expect.stringContaining('no revision') }]);
    expect(started(world, 'impl')).toHaveLength(1);
    const passed = play(finds({ unfixable: true }), { onBlock: [{ kind: 'continue' }] });
    await expect(passed.result).resolves.toMatchObject({ status: 'completed' });
    expect(started(passed, 'impl')).toHaveLength(1);
  });

  test('CP-2 · fallbacks · a review that sends nothing back only reports it', async () => {
    const reports: ReviewStep = { kind: 'review', id: 'rev', of: 'impl', agent: 'worker', reads: [['verdict']] };
    const world = runPlan(planOf([agent('impl'), reports, command('ship')]), { steps: { rev: finds({ unfixable: true }) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(started(world, 'ship')).toHaveLength(1);
  });
});

test('CP-2 · cancel · a round that is cancelled is not reviewed', async () => {
  const world = play(
    finds({ high: 1 }),
    {},
    { steps: { rev: finds({ high: 1 }), impl: ({ address }) => (address?.round === 2 ? new Promise(() => {}) : {}) } },
  );
  await world.settle();
  await world.settle();
  world.cancel();
  await expect(world.result).rejects.toBeDefined();
  expect(started(world, 'rev')).toEqual(['rev#1~1']);
});

test('CP-2 · continue-as-new · rounds, findings and feedback are the same wherever a run continues', async () => {
  const fresh = freshly();
  const world = play(
    finds({ high: 3 }, { high: 2 }, { says: 'pass' }),
    {},
    { historyIsFull: fresh.historyIsFull, activitiesPerExecution: 3 },
  );
  await fresh.toTheEnd(world);
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.executions).toBeGreaterThan(1);
  expect(feedback(world, 'review_result').map(({ data }) => data)).toMatchObject([{ iteration: 1 }, { iteration: 2 }, { iteration: 3 }]);
  expect(feedback(world, 'fix_required')).toHaveLength(2);
});

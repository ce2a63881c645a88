import type { StepOutput } from '../../plan/steps/step-activity';
import { saying } from '../support/behaviours';
import { agent, approval, command, review, reviewed, wait } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type StepBehaviour } from '../support/world';

const addressOf = (seen: Seen | undefined) => seen?.call.options.address;

describe('two reviews that overlap in one pipeline', () => {
  const plan = () =>
    planOf(
      [
        agent('draft', { after: [] }),
        agent('polish', { after: ['draft'], inputs: ['draft'] }),
        review('facts', 'draft', { after: ['draft'], onRevise: [{ kind: 'retry', step: 'draft', max: 3 }] }),
        review('style', 'polish', { after: ['polish'], onRevise: [{ kind: 'retry', step: 'polish', max: 3 }] }),
        command('publish', { after: ['facts', 'style'] }),
      ],
      {},
      'graph',
    );

  it('each sends back its own cone, and the other’s verdict holds if its cone is not touched', async () => {
    const world = runPlan(plan(), { steps: { facts: saying('pass'), style: saying('revise', 'pass') } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().filter((address) => address.startsWith('facts'))).toEqual(['facts#1~1']);
    expect(world.order()).toEqual(expect.arrayContaining(['polish#2~1', 'style#2~1', 'publish#1~1']));
    expect(world.order().at(-1)).toBe('publish#1~1');
  });

  it('both get a say if both send something back', async () => {
    const world = runPlan(plan(), { steps: { facts: saying('revise', 'pass'), style: saying('revise', 'pass') } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('facts')).toMatchObject({ state: 'done', round: 2, verdict: { verdict: 'pass' } });
    expect(world.step('style').verdict).toMatchObject({ verdict: 'pass' });
    expect(world.order().at(-1)).toBe('publish#1~1');
  });

  it('one around the other runs it again, with the name of the reviewer whose findings they are', async () => {
    const nested = planOf([
      agent('draft'),
      review('inner', 'draft', { onRevise: [{ kind: 'retry', step: 'draft', max: 3 }] }),
      agent('polish', { inputs: ['draft'] }),
      review('outer', 'polish', { onRevise: [{ kind: 'retry', step: 'draft', max: 3 }] }),
    ]);
    const world = runPlan(nested, { steps: { inner: saying('revise', 'pass'), outer: saying('revise', 'pass') } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual([
      ...['draft#1~1', 'inner#1~1', 'draft#2~1', 'inner#2~1', 'polish#1~1', 'outer#1~1'],
      ...['draft#3~1', 'inner#3~1', 'polish#2~1', 'outer#2~1'],
    ]);
    const third = world.seen.find((seen) => addressOf(seen) === 'inner#3~1');
    expect(third?.input).toMatchObject({ findings: { review: 'outer' }, previous: { name: 'review-pass' } });
  });
});

describe('two reviews of the same step', () => {
  const plan = () =>
    planOf(
      [
        agent('draft', { after: [] }),
        review('facts', 'draft', { after: ['draft'] }),
        review('style', 'draft', { after: ['draft'] }),
        command('publish', { after: ['facts', 'style'] }),
      ],
      {},
      'graph',
    );

  it('that both send it back, the second while it is being mended for the first: it starts again with the findings of both', async () => {
    const answers = new Map<string, (output: StepOutput) => void>();
    const byHand: StepBehaviour = (seen) => new Promise((resolve) => answers.set(addressOf(seen) ?? '', resolve));
    const world = runPlan(plan(), {
      steps: {
        facts: byHand,
        style: byHand,
        draft: (seen) => (seen.address?.round === 1 ? { artifact: artifact('draft-1') } : byHand(seen)),
      },
    });
    await world.settle();
    answers.get('facts#1~1')?.({ ...reviewed('revise'), artifact: artifact('of-facts') });
    await world.settle();
    answers.get('style#1~1')?.({ ...reviewed('revise'), artifact: artifact('of-style') });
    await world.settle();
    expect(world.step('draft')).toMatchObject({ state: 'running', round: 3 });
    const third = world.seen.find((seen) => addressOf(seen) === 'draft#3~1');
    expect(third?.input).toMatchObject({
      previous: { name: 'draft-1' },
      findings: { review: 'style', report: { name: 'of-style' }, also: [{ review: 'facts', report: { name: 'of-facts' } }] },
    });
    // The late answer of the cancelled round is ignored.
    answers.get('draft#2~1')?.({ artifact: artifact('draft-2') });
    await world.settle();
    expect(world.step('draft')).toMatchObject({ state: 'running', round: 3 });
    answers.get('draft#3~1')?.({ artifact: artifact('draft-3') });
    await world.settle();
    expect(world.step('draft').artifact?.name).toBe('draft-3');
    for (const id of ['facts#2~1', 'style#2~1']) answers.get(id)?.(reviewed('pass'));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().filter((address) => address.startsWith('publish'))).toEqual(['publish#1~1']);
  });

  it('leave no clock of a superseded gate running: its timeout decides nothing in the next round', async () => {
    const gated = planOf(
      [
        agent('draft', { after: [] }),
        approval('legal', { after: ['draft'], timeoutMs: 60_000, onTimeout: 'approve' }),
        wait('half', { after: ['legal'], forMs: 30_000 }),
        review('facts', 'draft', { after: ['legal'] }),
        review('style', 'draft', { after: ['half'] }),
      ],
      {},
      'graph',
    );
    const world = runPlan(gated, { steps: { facts: saying('pass'), style: saying('revise', 'pass') } });
    await world.settle();
    const opened = world.clock.now();
    await world.completes();
    const decisions = world.journal().flatMap((entry) => (entry.kind === 'decision' ? [Date.parse(entry.at) - opened] : []));
    expect(decisions).toEqual([60_000, 150_000]);
  });

  it('close the gate of a round that the other supersedes, and only the next one’s time counts', async () => {
    const gated = planOf(
      [
        agent('draft', { after: [] }),
        approval('legal', { after: ['draft'], timeoutMs: 60_000, onTimeout: 'approve' }),
        review('facts', 'draft', { after: ['legal'] }),
        review('style', 'draft', { after: ['legal'] }),
      ],
      {},
      'graph',
    );
    let answer: (output: StepOutput) => void = () => undefined;
    const world = runPlan(gated, {
      steps: {
        facts: saying('revise', 'pass'),
        style: ({ address }) => (address?.round === 1 ? new Promise((resolve) => (answer = resolve)) : reviewed('pass')),
      },
    });
    await world.settle();
    const opened = world.clock.now();
    world.signal('approve', { by: 'counsel' });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'legal#2' }]);
    world.clock.after(30_000, () => answer(reviewed('revise')));
    await world.completes();
    const timedOut = world.journal().filter((entry) => entry.kind === 'decision' && entry.decision.via === 'time-out');
    expect(timedOut.map(({ at }) => Date.parse(at) - opened)).toEqual([90_000]);
  });
});

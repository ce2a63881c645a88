import { saying } from '../support/behaviours';
import { agent, command, forEach, group, parallel, pipeline, review, reviewed } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, verdict } from '../support/world';

const addressOf = (seen: Seen | undefined) => seen?.call.options.address;

describe('the reviewer that judges again', () => {
  it('is given its last report, and what it judged then', async () => {
    const world = runPlan(planOf([agent('draft'), review('check', 'draft', { inputs: ['draft'] })]), {
      steps: { check: saying('revise', 'pass') },
    });
    await world.result;
    const second = world.seen.find((seen) => addressOf(seen) === 'check#2~1');
    expect(second?.input).toMatchObject({
      previous: { name: 'review-revise' },
      judgedBefore: { name: 'draft-1-1' },
      inputs: { draft: { name: 'draft-2-1' } },
    });
    expect(world.seen.find((seen) => addressOf(seen) === 'check#1~1')?.input).not.toHaveProperty('judgedBefore');
  });

  it('has a critic next to it that reads nothing of its report, and all of its own', async () => {
    const world = runPlan(planOf([agent('draft'), review('check', 'draft', { critic: 'boss' })]), {
      steps: {
        check: ({ input, address }) => {
          const word = address?.round === 1 ? 'revise' : 'pass';
          const who = input.critic ? 'critic' : 'reviewer';
          return { artifact: artifact(`${who}-${address?.round}`), verdict: verdict(word), values: { verdict: word } };
        },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const second = world.seen.find((seen) => addressOf(seen) === 'check#2~1/critic');
    expect(second?.input).toMatchObject({ previous: { name: 'critic-1' }, judgedBefore: { name: 'draft-1-1' } });
    expect(second?.input).not.toHaveProperty('findings');
  });
});

describe('a revise target', () => {
  it('that names an agent means that agent’s last step before the review', async () => {
    const plan = planOf([
      agent('first', { agent: 'bullish' }),
      agent('second', { agent: 'bullish' }),
      agent('draft'),
      review('check', 'draft', { onRevise: [{ kind: 'retry', step: 'draft', max: 3 }] }),
    ]);
    let judged = 0;
    const world = runPlan(plan, { steps: { check: () => reviewed(judged++ === 0 ? 'revise' : 'pass', { reviseTarget: 'bullish' }) } });
    await world.result;
    expect(world.order().slice(4)).toEqual(['second#2~1', 'draft#2~1', 'check#2~1']);
  });
});

describe('a review within something else', () => {
  it('in a branch sends back what is in its branch alone', async () => {
    const branch = group('left', [agent('draft'), review('check', 'draft')]);
    const world = runPlan(planOf([parallel('both', [branch, agent('right')]), command('next')]), {
      steps: { check: saying('revise', 'pass') },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const addresses = world.order();
    expect(addresses.filter((address) => address.includes('right'))).toHaveLength(1);
    expect(addresses.filter((address) => address.includes('draft'))).toEqual(['both[0]/left/draft#1~1', 'both[0]/left/draft#2~1']);
  });

  it('in a loop sends back what is in its iteration alone', async () => {
    const judged = new Map<number, number>();
    const world = runPlan(planOf([forEach('each', [agent('draft'), review('check', 'draft')])]), {
      lists: { each: ['a', 'b'] },
      steps: {
        check: ({ address }) => {
          const index = address?.path[0]?.index ?? 0;
          const round = (judged.get(index) ?? 0) + 1;
          judged.set(index, round);
          return reviewed(index === 1 && round === 1 ? 'revise' : 'pass');
        },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().filter((address) => address.includes('/draft'))).toEqual([
      'each[0]/draft#1~1',
      'each[1]/draft#1~1',
      'each[1]/draft#2~1',
    ]);
  });

  it('in a child pipeline sends back what is in the child, and asks at the parent if revisions are used up', async () => {
    const child = planOf([agent('draft'), review('check', 'draft', { onRevise: [{ kind: 'retry', step: 'draft', max: 1 }] })], {
      name: 'child',
    });
    const world = runPlan(planOf([pipeline('sub', 'child'), command('next')]), {
      children: { child },
      steps: { check: saying('revise', 'revise') },
    });
    await world.settle();
    expect(world.order()).toEqual(['draft#1~1', 'check#1~1', 'draft#2~1', 'check#2~1']);
    expect(world.status().gates).toMatchObject([{ step: 'sub/check#2', kind: 'escalation' }]);
    world.signal('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

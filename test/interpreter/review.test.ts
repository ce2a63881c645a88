import type { Action } from '../../plan/steps/action';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { VerdictRecord } from '../../plan/steps/verdict';
import { agent, approval, command, group, review, reviewed, verdictIs } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World } from '../support/world';

/** The pipeline has the shape of the main job: structure → bull ∥ bear → converge → review → publish. */
const pipeline = (more = {}) =>
  planOf(
    [
      agent('structure', { after: [] }),
      agent('bull', { after: ['structure'], agent: 'bullish' }),
      agent('bear', { after: ['structure'], agent: 'bearish' }),
      agent('converge', { after: ['bull', 'bear'], inputs: ['bull', 'bear'] }),
      review('review', 'converge', { after: ['converge'], ...more }),
      command('publish', { after: ['review'], when: verdictIs('review', 'pass') }),
    ],
    {},
    'graph',
  );

function saying(...words: (VerdictRecord['verdict'] | [VerdictRecord['verdict'], Partial<VerdictRecord>])[]): StepBehaviour {
  let round = 0;
  return (): StepOutput => {
    const word = words[Math.min(round, words.length - 1)] ?? 'pass';
    round += 1;
    return typeof word === 'string' ? reviewed(word) : reviewed(...word);
  };
}

const waitsAt = (world: World) => world.status().gates.map(({ step, kind }) => `${kind} ${step}`);

describe('a review', () => {
  it('lets the run go on when it passes', async () => {
    const world = runPlan(pipeline(), { steps: { review: saying('pass') } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().at(-1)).toBe('publish#1~1');
  });

  it('sends the target back with the findings, and what lies between', async () => {
    const world = runPlan(pipeline(), { steps: { review: saying('revise', 'pass') } });
    await world.result;
    expect(world.order().slice(4)).toEqual(['review#1~1', 'converge#2~1', 'review#2~1', 'publish#1~1']);
    const again = world.seen.find(({ call }) => call.options.address === 'converge#2~1');
    expect(again?.input).toMatchObject({
      findings: { review: 'review', report: { name: 'review-revise' } },
      previous: { name: 'converge-1-1' },
    });
  });

  it('runs a wider cone when the reviewer names an agent upstream, and nothing else', async () => {
    const world = runPlan(pipeline(), { steps: { review: saying(['revise', { reviseTarget: 'bullish' }], 'pass') } });
    await world.result;
    expect(world.order().slice(5)).toEqual(['bull#2~1', 'converge#2~1', 'review#2~1', 'publish#1~1']);
  });

  it('goes by the pipeline’s target when the reviewer names nothing upstream', async () => {
    const world = runPlan(pipeline(), { steps: { review: saying(['revise', { reviseTarget: 'publish' }], 'pass') } });
    await world.result;
    expect(world.order().slice(5, 7)).toEqual(['converge#2~1', 'review#2~1']);
  });

  it('keeps superseded evidence, marked, and feeds none of it to later steps', async () => {
    const world = runPlan(pipeline(), { steps: { review: saying(['revise', { reviseTarget: 'bull' }], 'pass') } });
    await world.result;
    expect(world.step('bull').superseded).toMatchObject([{ state: 'superseded', round: 1, artifact: { name: 'bull-1-1' } }]);
    const second = world.seen.find(({ call }) => call.options.address === 'converge#2~1');
    expect(second?.input.inputs).toMatchObject({ bull: { name: 'bull-2-1' }, bear: { name: 'bear-1-1' } });
  });

  it('asks a person when three revisions are used up, who may let it pass', async () => {
    const world = runPlan(pipeline(), { steps: { review: saying('revise') } });
    await world.settle();
    expect(world.order().filter((address) => address.startsWith('converge'))).toHaveLength(4);
    expect(waitsAt(world)).toEqual(['escalation review#4']);
    world.signal('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('review').verdict).toMatchObject({ verdict: 'pass', said: 'revise', decidedBy: 'chairman' });
    expect(world.order().at(-1)).toBe('publish#1~1');
  });

  it('lets a person send it back once more with instructions', async () => {
    const world = runPlan(pipeline({ onRevise: [{ kind: 'retry', step: 'converge', max: 1 }] }), {
      steps: { review: saying('revise', 'revise', 'pass') },
    });
    await world.settle();
    world.signal('respond', { by: 'chairman', response: 'revise', comment: 'halve the position' });
    await world.result;
    const third = world.seen.find(({ call }) => call.options.address === 'converge#3~1');
    expect(third?.input.findings).toMatchObject({ instructions: 'halve the position' });
  });

  it('runs the actions of on_revise in order, then those of on_block', async () => {
    const onRevise: Action[] = [
      { kind: 'notify', channel: '#desk' },
      { kind: 'retry', step: 'converge', max: 1 },
    ];
    const world = runPlan(pipeline({ onRevise, onBlock: [{ kind: 'stop' }] }), { steps: { review: saying('revise', 'revise') } });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected', reason: expect.stringContaining('converge') });
    expect(world.order().filter((address) => address.startsWith('converge'))).toEqual(['converge#1~1', 'converge#2~1']);
    const channels = world.journal().flatMap((entry) => (entry.kind === 'notification' ? [entry.channel] : []));
    expect(channels.filter((channel) => channel === '#desk')).toHaveLength(2);
  });

  it('takes a block up the chain, agent by agent, to a person', async () => {
    const world = runPlan(pipeline({ onBlock: [{ kind: 'escalate', to: { kind: 'agent', id: 'boss' } }] }), {
      steps: { review: saying('block') },
    });
    await world.settle();
    expect(waitsAt(world)).toEqual(['escalation review']);
    const path = world
      .journal()
      .flatMap((entry) =>
        entry.kind === 'envelope' && entry.envelope.intent === 'escalate' ? [`${entry.envelope.from}→${entry.envelope.to}`] : [],
      );
    expect(path).toEqual(['lead→boss', 'boss→human']);
    world.signal('reject', { by: 'chairman', comment: 'too risky' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected', reason: expect.stringContaining('too risky') });
    expect(world.step('publish').state).toBe('pending');
  });

  it('leaves a verdict to conditions if the pipeline has no on_revise', async () => {
    const plan = planOf([
      agent('draft'),
      { ...review('check', 'draft'), onRevise: undefined } as never,
      command('publish', { when: verdictIs('check', 'pass') }),
    ]);
    const world = runPlan(plan, { steps: { check: saying('revise') } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('publish').state).toBe('skipped');
  });

  it('is read by conditions in our words, whatever the reviewer calls it', async () => {
    const says = (): StepOutput => ({ ...reviewed('pass', { said: 'APPROVE' }), values: { verdict: 'APPROVE' } });
    const world = runPlan(pipeline(), { steps: { review: says } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('publish').state).toBe('done');
  });

  it('starts no step of a revise round while the run is paused', async () => {
    let answer: (output: StepOutput) => void = () => undefined;
    const world = runPlan(pipeline(), {
      steps: {
        review: ({ address }) =>
          address?.round === 1
            ? new Promise((resolve) => {
                answer = resolve;
              })
            : reviewed('pass'),
      },
    });
    await world.settle();
    world.signal('pause', { by: 'ops' });
    answer(reviewed('revise'));
    await world.settle();
    expect(world.status().state).toBe('paused');
    expect(world.step('converge')).toMatchObject({ state: 'pending', round: 2 });
    world.signal('unpause');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('closes the gate of a superseded round, and says so to a person who answers it', async () => {
    const plan = planOf(
      [
        agent('draft', { after: [] }),
        approval('legal', { after: ['draft'] }),
        review('check', 'legal', { after: ['legal'], onRevise: [{ kind: 'retry', step: 'draft', max: 1 }] }),
      ],
      {},
      'graph',
    );
    const world = runPlan(plan, { steps: { check: saying('revise', 'pass') } });
    await world.settle();
    world.signal('approve', { by: 'a' });
    await world.settle();
    expect(waitsAt(world)).toEqual(['approval legal#2']);
    world.signal('approve', { step: 'legal#1', by: 'b' });
    await world.settle();
    expect(waitsAt(world)).toEqual(['approval legal#2']);
    expect(world.journal().findLast((entry) => entry.kind === 'signal')).toMatchObject({ outcome: 'late' });
  });
});

describe('a critic', () => {
  const judged = (first: 'pass' | 'revise' | 'block', second: 'pass' | 'revise' | 'block') =>
    runPlan(planOf([agent('draft'), review('judge', 'draft', { critic: 'boss' }), command('next')]), {
      steps: { judge: ({ input }) => reviewed(input.critic ? second : first) },
    });

  it('is asked next to the reviewer, and agreement decides', async () => {
    const world = judged('pass', 'pass');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['draft#1~1', 'judge#1~1', 'judge#1~1/critic', 'next#1~1']);
  });

  it('who disagrees takes the matter to a person', async () => {
    const world = judged('pass', 'block');
    await world.elapse();
    expect(world.status().gates).toMatchObject([
      { step: 'judge', kind: 'escalation', question: expect.stringContaining('boss says block') },
    ]);
    world.signal('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

it('goes to a person when findings have not gone down for as many rounds as stall_rounds says', async () => {
  const world = runPlan(
    planOf([agent('draft'), review('judge', 'draft', { stallRounds: 2, onRevise: [{ kind: 'retry', step: 'draft', max: 9 }] })]),
    {
      steps: { judge: () => reviewed('revise', { findings: { high: 2 } }) },
    },
  );
  await world.elapse();
  expect(world.status().gates).toMatchObject([{ step: 'judge#3', kind: 'escalation' }]);
});

describe('a review that sends back what a step next to it is still to read', () => {
  it('makes that step, within another, wait for the new round', async () => {
    const reader = command('reader', { inputs: ['draft'] });
    const beside = { ...group('beside', [approval('ask'), reader]), after: ['draft'] };
    const steps = [agent('draft'), { ...review('judge', 'draft'), after: ['draft'] }, beside];
    const world = runPlan(planOf(steps, {}, 'graph'), {
      steps: {
        draft: async ({ address, call }) => {
          if (address?.round === 2) await new Promise<void>((done) => call.clock.after(1000, done));
          return { artifact: artifact(`draft-${address?.round}`) };
        },
        judge: ({ address }) => reviewed(address?.round === 1 ? 'revise' : 'pass'),
      },
    });
    await world.settle();
    expect(world.step('draft')).toMatchObject({ round: 2, state: 'running' });
    await world.update('approve', { by: 'ann' });
    await world.completes();
    expect(world.seen.find(({ step }) => step === 'reader')?.input.inputs).toMatchObject({ draft: { name: 'draft-2' } });
  });
});

import type { Plan } from '../../plan/plan';
import type { ApprovalStep, Step } from '../../plan/steps/step';
import { consensus } from '../patterns/consensus-play';
import { ruledOutput } from '../patterns/played';
import { agent, approval, command, group } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { carry, rerun } from './carrying';
import { freshly } from './program';

/** Nobody fills two places in one question, however many gates it has. The questions are sorted by the way to a second place. */

const HOUR = 3_600_000;
const GATE = { gate: () => ({ contentSha256: 'c'.repeat(64) }) };

/** A vote. `ballots` lists, by voter, the people that may answer each ballot. */
function voteOf(ballots: Record<string, string[]>, more: Parameters<typeof consensus>[2] = {}): Step {
  const step = consensus([], Object.keys(ballots), { step: { threshold: { count: Object.keys(ballots).length }, rounds: 1 }, ...more });
  if (step.kind !== 'consensus') throw new Error(step.kind);
  for (const part of step.parts as ApprovalStep[]) {
    const approvers = ballots[part.id.slice('decide_'.length)];
    if (approvers) part.approvers = approvers;
  }
  return step;
}
const ballot = (voter: string): string => `decide[1]/decide_${voter}`;

/** A question with two gates at which one person would answer: `own` is their own place, `other` that of another person. */
interface Way {
  plan: Plan;
  own: string;
  other: string;
  /** Hands over the other person's place once the gates are open. */
  handOver?: { step: string; by: string; to: string };
}
const TWO = { chairman: ['chairman'], cfo: ['cfo'], ceo: ['ceo'] };
const VOTES: Record<string, Way> = {
  'by standing delegation': {
    plan: planOf([voteOf(TWO)], { delegates: { chairman: ['cfo'] } }),
    own: ballot('cfo'),
    other: ballot('chairman'),
  },
  'by a group that contains a voter': {
    plan: planOf([voteOf({ board: ['chairman', 'cfo'], cfo: ['cfo'] })]),
    own: ballot('cfo'),
    other: ballot('board'),
  },
  'by two groups': {
    plan: planOf([voteOf({ board: ['chairman', 'cfo'], finance: ['cfo', 'coo'] })]),
    own: ballot('finance'),
    other: ballot('board'),
  },
  'by a group in which somebody has a delegate': {
    plan: planOf([voteOf({ board: ['chairman', 'ceo'], cfo: ['cfo'] })], { delegates: { ceo: ['cfo'] } }),
    ...{ own: ballot('cfo'), other: ballot('board') },
  },
  'as the delegate of two who vote': {
    plan: planOf([voteOf(TWO)], { delegates: { chairman: ['dan'], cfo: ['dan'] } }),
    ...{ own: ballot('cfo'), other: ballot('chairman') },
  },
};
const personOf = (way: string): string => (way.startsWith('as the delegate') ? 'dan' : 'cfo');

/** The time between the two answers. */
const BETWEEN = ['at once', 'one after the other', 'in a fresh execution between'] as const;

async function begun(plan: Plan, options: WorldOptions = {}): Promise<{ world: World; again(): Promise<void> }> {
  const fresh = freshly();
  const world = runPlan(plan, { ...GATE, historyIsFull: (info) => fresh.historyIsFull(info), ...options });
  for (let i = 0; i < 6; i++) await world.settle();
  return { world, again: () => fresh.again(world) };
}
const said = (world: World): string[] =>
  world.journal().flatMap((entry) => (entry.kind === 'signal' && entry.name === 'approve' ? [entry.outcome] : []));
const settled = async (world: World): Promise<void> => {
  for (let i = 0; i < 6; i++) await world.settle();
};

describe('a vote', () => {
  const cases = Object.entries(VOTES).flatMap(([name, way]) =>
    (['own first', 'the other first'] as const).flatMap((order) => BETWEEN.map((between) => [name, order, between, way] as const)),
  );
  it.each(cases)('has one ballot of a person %s, %s, %s', async (name, order, between, { plan, own, other }) => {
    const { world, again } = await begun(plan);
    const by = personOf(name);
    const [first, second] = order === 'own first' ? [own, other] : [other, own];
    world.signal('approve', { step: first, by, comment: 'yes' });
    if (between !== 'at once') await settled(world);
    if (between === 'in a fresh execution between') {
      await again();
      expect(world.executions).toBeGreaterThan(1);
    }
    world.signal('approve', { step: second, by, comment: 'yes' });
    await settled(world);
    expect(said(world)).toEqual(['applied', 'refused']);
    expect(world.status().gates.map(({ step }) => step)).toContain(second);
    await expect(world.update('reject', { step: second, by, comment: 'no' })).rejects.toMatchObject({
      outcome: 'refused',
      message: expect.stringMatching(/already answered at .*nobody fills two places in one vote|one voice in the vote/),
    });
    expect(world.journal().filter((entry) => entry.kind === 'decision')).toHaveLength(1);
  });

  it('says who has voted in whose place: in the journal, in the view and in the report', async () => {
    const { world } = await begun(planOf([voteOf({ chairman: ['chairman'], cfo: ['cfo'] })], { delegates: { chairman: ['dan'] } }));
    await world.update('approve', { step: ballot('chairman'), by: 'dan', comment: 'yes' });
    await settled(world);
    const vote = world.journal().find((entry) => entry.kind === 'pattern' && entry.type === 'vote');
    expect(vote).toMatchObject({ from: 'chairman', by: 'dan', inPlaceOf: 'chairman' });
    expect(world.step('decide').vote?.voters[0]).toMatchObject({ name: 'chairman', vote: 'APPROVE', by: 'dan', inPlaceOf: 'chairman' });
    await world.update('approve', { step: ballot('cfo'), by: 'cfo', comment: 'yes' });
    await settled(world);
    expect(ruledOutput(world, /^decide#\d+~\d+\/compose$/)).toMatchObject({
      votes: [
        { from: 'chairman', by: 'dan', in_place_of: 'chairman' },
        { from: 'cfo', by: 'cfo' },
      ],
    });
  });

  it('takes the voice of somebody once, whether they vote themselves or by a delegate', async () => {
    const plan = planOf([voteOf({ board: ['chairman', 'ceo'], chairman: ['chairman'] })], { delegates: { chairman: ['dan'] } });
    const { world } = await begun(plan);
    await world.update('approve', { step: ballot('chairman'), by: 'chairman', comment: 'yes' });
    const refused = { outcome: 'refused', message: expect.stringContaining('chairman has one voice in the vote') };
    await expect(world.update('approve', { step: ballot('board'), by: 'dan', comment: 'yes' })).rejects.toMatchObject(refused);
    await world.update('approve', { step: ballot('board'), by: 'ceo', comment: 'yes' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('gives a delegate of several the place that is open in it', async () => {
    const plan = planOf([voteOf({ board: ['chairman', 'ceo'], chairman: ['chairman'] })], {
      delegates: { chairman: ['dan'], ceo: ['dan'] },
    });
    const { world } = await begun(plan);
    await world.update('approve', { step: ballot('chairman'), by: 'chairman', comment: 'yes' });
    await world.update('approve', { step: ballot('board'), by: 'dan', comment: 'yes' });
    await settled(world);
    expect(world.journal().filter((entry) => entry.kind === 'decision')).toMatchObject([
      { decision: { by: 'chairman' } },
      { decision: { by: 'dan', inPlaceOf: 'ceo' } },
    ]);
  });

  it.each([
    ['who has a ballot of their own', 'cfo', undefined],
    ['who has answered at another', 'dan', { step: ballot('ceo'), by: 'dan' }],
    ['who has been given another place already', 'eve', undefined],
  ])('gives no place after the fact to one %s', async (_, to, first) => {
    const { world } = await begun(planOf([voteOf(TWO)], { delegates: { ceo: ['dan'] } }));
    if (first) await world.update('approve', { ...first, comment: 'yes' });
    await world.update('delegate', { step: ballot('cfo'), by: 'cfo', to: 'eve' });
    const refused = { outcome: 'refused', message: expect.stringMatching(/nobody fills two places: name somebody else/) };
    await expect(world.update('delegate', { step: ballot('chairman'), by: 'chairman', to })).rejects.toMatchObject(refused);
    await world.update('delegate', { step: ballot('chairman'), by: 'chairman', to: 'zoe' });
    await world.update('approve', { step: ballot('chairman'), by: 'zoe', comment: 'yes' });
  });

  it('lets one who has voted in another’s place hand over their own', async () => {
    const { world } = await begun(planOf([voteOf(TWO)], { delegates: { chairman: ['cfo'] } }));
    await world.update('approve', { step: ballot('chairman'), by: 'cfo', comment: 'yes' });
    await world.update('delegate', { step: ballot('cfo'), by: 'cfo', to: 'eve' });
    await world.update('approve', { step: ballot('cfo'), by: 'eve', comment: 'yes' });
    await world.update('approve', { step: ballot('ceo'), by: 'ceo', comment: 'yes' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('counts nothing of another vote', async () => {
    const second = { ...voteOf(TWO), id: 'again' } as Step;
    if (second.kind !== 'consensus') throw new Error(second.kind);
    second.parts = second.parts.map((part) => ({ ...part, id: part.id.replace('decide', 'again') }) as typeof part);
    const { world } = await begun(planOf([voteOf(TWO), second], { delegates: { chairman: ['cfo'] } }, 'graph'));
    await world.update('approve', { step: ballot('cfo'), by: 'cfo', comment: 'yes' });
    await world.update('approve', { step: 'again[1]/again_chairman', by: 'cfo', comment: 'yes' });
    await settled(world);
    expect(said(world)).toEqual(['applied', 'applied']);
  });

  it('has the answers that a rerun carries over, and not those of ballots that it asks again', async () => {
    const stops: Parameters<typeof voteOf>[1] = { step: { threshold: { count: 3 }, rounds: 1, onFail: [{ kind: 'stop' }] } };
    const plan = planOf([voteOf(TWO, stops)], { delegates: { chairman: ['cfo'] } });
    const { world } = await begun(plan);
    await world.update('approve', { step: ballot('chairman'), by: 'cfo', comment: 'yes' });
    await world.elapse(() => world.status().steps.some(({ address, state }) => address === ballot('chairman') && state === 'done'));
    await world.update('reject', { step: ballot('ceo'), by: 'ceo', comment: 'no' });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'consensus.failed' });
    const kept = rerun(plan, carry(world, ballot('ceo')).carry, GATE);
    await settled(kept);
    await expect(kept.update('approve', { step: ballot('cfo'), by: 'cfo', comment: 'yes' })).rejects.toMatchObject({ outcome: 'refused' });
    const anew = rerun(plan, carry(world, 'decide').carry, GATE);
    await settled(anew);
    await anew.update('approve', { step: ballot('cfo'), by: 'cfo', comment: 'yes' });
    await expect(anew.update('approve', { step: ballot('chairman'), by: 'cfo', comment: 'yes' })).rejects.toMatchObject({
      outcome: 'refused',
    });
  });

  it('has somebody decide after all have abstained who has abstained themselves, in their own place alone', async () => {
    const step = voteOf({ chairman: ['chairman'], cfo: ['cfo'] }, { default: 'person' });
    if (step.kind !== 'consensus') throw new Error(step.kind);
    const last = step.parts.find(({ id }) => id === 'decide_default');
    Object.assign(last ?? {}, { approvers: ['chairman', 'cfo'] });
    const { world } = await begun(planOf([step], { delegates: { chairman: ['eve'] } }));
    await world.update('respond', { step: ballot('chairman'), by: 'eve', response: 'abstain', comment: 'x' });
    await world.update('respond', { step: ballot('cfo'), by: 'cfo', response: 'abstain', comment: 'x' });
    await settled(world);
    await world.update('approve', { step: ballot('default'), by: 'cfo', comment: 'I carry it' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

/** A question that goes from one gate to the one above. */
interface Levels {
  plan: Plan;
  steps?: Record<string, StepBehaviour>;
  /** The two gates, and how the question leaves the lower one. */
  lower: string;
  above: string;
  leave: 'no' | 'time';
}
const SIGN = { approvers: ['ann', 'bob'], quorum: 2, timeoutMs: HOUR, onTimeout: 'escalate' as const };
const CHAIN: Plan['escalation'] = [{ kind: 'human', people: ['ann', 'chairman'] }];
const TO_PEOPLE = [{ kind: 'escalate' as const, to: { kind: 'human' as const, people: ['ann', 'chairman'] } }];
const need = { category: 'move_money', summary: 'transfer', contentSha256: 'c'.repeat(64), content: artifact('call') } as const;
const DELEGATES = { chairman: ['ann'], bob: ['ann'] };
const planned = (steps: Step[], more: Partial<Plan> = {}): Plan => planOf(steps, { escalation: CHAIN, delegates: DELEGATES, ...more });
const LEVELS: Record<string, Levels> = {
  'an approval that nobody completes, and the one above': {
    plan: planned([approval('sign', { ...SIGN, onReject: TO_PEOPLE })]),
    ...{ lower: 'sign', above: 'sign', leave: 'time' },
  },
  'an approval that is refused, and the one above': {
    plan: planned([approval('sign', { approvers: ['ann', 'bob'], onReject: TO_PEOPLE })]),
    ...{ lower: 'sign', above: 'sign', leave: 'no' },
  },
  'a yes to an action that nobody completes, and the one above': {
    plan: planned([command('ship', { category: 'deploy' })], { requiresApproval: { deploy: SIGN } }),
    ...{ lower: 'ship', above: 'ship', leave: 'time' },
  },
  'a yes to a call of a tool that nobody completes, and the one above': {
    plan: planned([agent('pay')], { requiresApproval: { move_money: SIGN } }),
    steps: { pay: ({ input }) => (input.approvals ? {} : { paused: { kind: 'approval', need } }) },
    ...{ lower: 'pay', above: 'pay', leave: 'time' },
  },
  'a vote that fails, and the people above': {
    plan: planned([voteOf({ ann: ['ann'], bob: ['bob'] }, { step: { threshold: { count: 2 }, rounds: 1, onFail: TO_PEOPLE } })]),
    ...{ lower: ballot('ann'), above: 'decide', leave: 'no' },
  },
};

describe('a matter that goes up', () => {
  it.each(
    Object.entries(LEVELS).flatMap(([name, levels]) =>
      (['own', 'other'] as const).flatMap((first) => [false, true].map((isFresh) => [name, first, isFresh, levels] as const)),
    ),
  )(
    '%s: who has answered (in their %s place first; a fresh execution between: %s) fills no second place',
    async (_, first, isFresh, { plan, steps, lower, above, leave }) => {
      // To answer in another's place, a person must have no place of their own.
      const isOwn = first === 'own';
      const people = isOwn ? plan : without(plan, 'ann', lower);
      const { world, again } = await begun(people, steps ? { steps } : {});
      await world.update(leave === 'no' ? 'reject' : 'approve', { step: lower, by: 'ann', comment: 'x' });
      await world.elapse(() =>
        world.status().gates.some(({ step, approvers }) => step === above && approvers?.includes('chairman') === true),
      );
      expect(world.status().gates).toMatchObject([{ step: above }]);
      if (isFresh) await again();
      const answer = { step: above, by: 'ann', comment: 'x' };
      // The gate above names both: people may answer there in the same place as before, and in no other.
      if (isOwn) {
        await world.update('approve', answer);
        expect(world.journal().findLast((entry) => entry.kind === 'decision' || entry.kind === 'approval')).toBeDefined();
        expect(JSON.stringify(world.journal())).not.toContain('"inPlaceOf":"chairman"');
      } else {
        const refused = { outcome: 'refused', message: expect.stringContaining('nobody fills two places in one question') };
        await expect(world.update('approve', answer)).rejects.toMatchObject(refused);
        await world.update('approve', { ...answer, by: 'chairman' });
      }
    },
  );

  it('is taken by one who answered below in their own place not in another’s', async () => {
    const toChairman = [{ kind: 'escalate' as const, to: { kind: 'human' as const, people: ['chairman'] } }];
    const { world } = await begun(
      planOf([approval('sign', { approvers: ['ann'], onReject: toChairman })], { delegates: { chairman: ['ann'] } }),
    );
    await world.update('reject', { by: 'ann', comment: 'no' });
    await settled(world);
    const refused = { outcome: 'refused', message: expect.stringMatching(/chairman can answer sign, or hand the place over/) };
    await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject(refused);
    await expect(world.update('delegate', { by: 'chairman', to: 'ann' })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('delegate', { by: 'chairman', to: 'zoe' });
    await world.update('approve', { by: 'zoe' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('counts nothing of an earlier call of a tool, nor of an earlier round', async () => {
    let calls = 0;
    const steps: Record<string, StepBehaviour> = {
      pay: ({ input }) =>
        (input.approvals?.length ?? 0) < 2 ? { paused: { kind: 'approval', need: { ...need, summary: `${calls++}` } } } : {},
    };
    const plan = planOf([agent('pay')], { requiresApproval: { move_money: { approvers: ['bob', 'chairman'] } }, delegates: DELEGATES });
    const { world } = await begun(plan, { steps });
    await world.update('approve', { by: 'ann' });
    await settled(world);
    await world.update('delegate', { by: 'bob', to: 'eve' });
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('is nobody’s second place in a gate of its own, even if they have answered at another step', async () => {
    const { world } = await begun(
      planOf([group('g', [approval('one', { approvers: ['ann'] })]), approval('two', { approvers: ['bob'] })], { delegates: DELEGATES }),
    );
    await world.update('approve', { by: 'ann' });
    await settled(world);
    await world.update('approve', { step: 'two', by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

/** The same question, in which a person has no place of their own at the lower gate. */
function without(plan: Plan, name: string, lower: string): Plan {
  const others = (people: readonly string[] = []): string[] => people.filter((one) => one !== name);
  const [step] = plan.block.steps;
  if (!step) throw new Error('the plan has no step');
  if (step.kind === 'approval') Object.assign(step, { ...step, approvers: others(step.approvers) });
  const policies = Object.entries(plan.requiresApproval ?? {}).map(([category, policy]) => [
    category,
    { ...policy, approvers: others(policy.approvers) },
  ]);
  const parts =
    step.kind === 'consensus'
      ? step.parts.map((part) => (part.id === lower.split('/')[1] ? { ...part, approvers: ['bob'] } : part))
      : undefined;
  const steps = [{ ...step, ...(parts ? { parts } : {}) } as Step];
  return { ...plan, block: { ...plan.block, steps }, ...(policies.length > 0 ? { requiresApproval: Object.fromEntries(policies) } : {}) };
}

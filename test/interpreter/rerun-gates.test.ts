import type { Plan } from '../../plan/plan';
import type { CarryAnswer, CarryProblem, CarryQuery } from '../../plan/run/carry';
import type { Step } from '../../plan/steps/step';
import { fails } from '../support/behaviours';
import { agent, approval, command, forEach, group, input, parallel, pipeline, review, reviewed } from '../support/steps';
import { planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { CHILD, carry, ran, rerun, settle } from './carrying';

const AMOUNT = 'arg amount';

/** A run in which ann has approved every question and answered every input. */
async function approved(plan: Plan, options: WorldOptions = {}, by = 'ann'): Promise<World> {
  const world = await settle(runPlan(plan, options));
  for (let asked = 0; asked < 20; asked++) {
    const [gate] = world.status().gates;
    if (!gate) break;
    if (gate.kind === 'input') world.signal('respond', { step: gate.step, by, response: 'yes' });
    else world.signal('approve', { step: gate.step, by });
    await settle(world);
  }
  return settle(world);
}

function order(world: World, query: CarryQuery): CarryAnswer | CarryProblem {
  return world.query('carry', query) as CarryAnswer | CarryProblem;
}

/** Orders a rerun with a changed amount, which `readers` read. */
function withAmount(world: World, from: string, readers: string[], more: Partial<CarryQuery> = {}): CarryAnswer {
  const answer = order(world, { from, again: readers, changed: { [AMOUNT]: readers }, ...more });
  if ('problem' in answer) throw new Error(answer.problem);
  return answer;
}

const carriedGates = ({ gates }: CarryAnswer) => gates?.carried.map(({ gate }) => gate);
const askedAgain = ({ gates }: CarryAnswer) => gates?.again.map(({ gate }) => gate);

describe('the decision of a gate', () => {
  const plan = planOf([approval('ask'), command('prepare'), command('pay'), approval('publish'), command('tell')]);

  it('does not hold if a step that it covers reads an arg that has changed; what is done after it stays done', async () => {
    const answer = withAmount(await approved(plan), 'pay', ['pay']);
    expect(Object.keys(answer.carry.records)).toEqual(['prepare']);
    expect(answer.gates).toMatchObject({
      carried: [],
      again: [
        { gate: 'ask', because: `pay reads ${AMOUNT}, which has changed` },
        { gate: 'publish', because: 'a step before it runs again' },
      ],
    });
  });

  it('holds if nothing has changed, and if what has changed lies after the next approval', async () => {
    const before = await approved(plan);
    expect(carriedGates(carry(before, 'pay'))).toEqual(['ask']);
    const answer = withAmount(before, 'tell', ['tell']);
    expect(carriedGates(answer)).toEqual(['ask']);
    expect(askedAgain(answer)).toEqual(['publish']);
    expect(answer.gates?.carried).toEqual([{ gate: 'ask', choice: 'approve', by: ['ann'], at: expect.any(String), identity: 'claimed' }]);
  });

  it('is asked for before what is after it runs, and nothing that is done is done again', async () => {
    const answer = withAmount(await approved(plan), 'tell', ['tell']);
    const world = rerun(plan, answer.carry);
    await settle(world);
    expect(world.status().gates.map(({ step }) => step)).toEqual(['publish']);
    expect(world.order().filter((address) => !address.endsWith('/gate'))).toEqual([]);
    world.signal('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['tell#1~1']);
  });

  it('is asked for with work between that stays done, which counts only once it is given', async () => {
    const three = planOf([approval('ask'), command('prepare'), command('pay')]);
    const world = rerun(three, withAmount(await approved(three), 'pay', ['pay']).carry);
    await settle(world);
    expect(world.order()).toEqual([]);
    expect(world.step('ask').state).toBe('waiting');
    expect(world.step('prepare').state).toBe('done');
    world.signal('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['pay#1~1']);
  });

  it('ends the new run if it is no', async () => {
    const three = planOf([approval('ask'), command('prepare'), command('pay')]);
    const world = rerun(three, withAmount(await approved(three), 'pay', ['pay']).carry, { activitiesPerExecution: 3 });
    await settle(world);
    world.signal('reject', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(world.order()).toEqual([]);
  });

  it('does not hold if the answer to a gate before it may be another', async () => {
    const two = planOf([
      input('name'),
      command('pay', { records: [{ step: 'name', field: 'response' }] }),
      command('log'),
      command('tell'),
    ]);
    const answer = withAmount(await approved(two), 'tell', ['tell']);
    expect(Object.keys(answer.carry.records)).toEqual([]);
    expect(answer.again).toEqual(['name', 'pay', 'log', 'tell']);
  });

  it('does not hold under four eyes if its author starts the new run', async () => {
    const four = planOf([approval('ask', { fourEyes: true, quorum: 2 }), command('pay')]);
    const before = await ran(four, { input: { startedBy: 'bob' } });
    for (const by of ['ann', 'eve']) {
      before.signal('approve', { by });
      await settle(before);
    }
    const startedBy = (name: string) => order(before, { from: 'pay', startedBy: name }) as CarryAnswer;
    expect(startedBy('bob').gates?.carried).toMatchObject([{ gate: 'ask', by: ['ann', 'eve'] }]);
    expect(carriedGates(startedBy('cid'))).toEqual(['ask']);
    for (const name of ['ann', 'eve'])
      expect(startedBy(name).gates?.again).toMatchObject([{ gate: 'ask', because: expect.stringContaining(name) }]);
  });

  it('of one proven person holds for a starter who is proven, and for no other', async () => {
    const proof = { channel: 'discord' as const, at: '2026-11-21T08:00:00.000Z', mac: 'ab'.repeat(32) };
    const one = planOf([approval('ask', { fourEyes: true, identity: 'proven' }), command('pay')]);
    const before = await ran(one, { startedBy: { kind: 'person', name: 'bob', identity: 'proven' }, checkProof: async () => ({}) });
    await before.update('approve', { by: 'ann', proof: { ...proof, at: new Date(before.clock.now()).toISOString() } });
    await settle(before);
    const from = (more: Partial<CarryQuery>) => order(before, { from: 'pay', ...more }) as CarryAnswer;
    expect(carriedGates(from({ startedBy: 'cid', provenStarter: true }))).toEqual(['ask']);
    expect(askedAgain(from({ startedBy: 'ann', provenStarter: true }))).toEqual(['ask']);
    expect(askedAgain(from({ startedBy: 'cid' }))).toEqual(['ask']);
    expect(askedAgain(from({}))).toEqual(['ask']);
  });

  it('made in an earlier run is carried on, and judged again, by a rerun of a rerun', async () => {
    const three = planOf([approval('ask'), command('prepare'), command('pay')]);
    const second = rerun(three, carry(await approved(three), 'pay').carry);
    await second.result;
    expect(carriedGates(carry(second, 'pay'))).toEqual(['ask']);
    expect(askedAgain(withAmount(second, 'pay', ['pay']))).toEqual(['ask']);
  });
});

describe('a cover', () => {
  const branches = (left: Step[], right: Step[]) => [parallel('par', [group('left', left), group('right', right)]), command('end')];

  it('of a gate in a branch is what is after it there, and after the container', async () => {
    const plan = planOf(branches([approval('ask'), command('a')], [command('b')]));
    const before = await approved(plan);
    expect(askedAgain(withAmount(before, 'end', ['end']))).toEqual(['par[0]/left/ask']);
    expect(askedAgain(withAmount(before, 'a', ['a']))).toEqual(['par[0]/left/ask']);
    expect(carriedGates(carry(before, 'end'))).toEqual(['par[0]/left/ask']);
  });

  it('has what runs again in another branch come in from outside, where both join', async () => {
    const plan = planOf(branches([approval('ask'), command('a')], [command('b')]));
    expect(askedAgain(carry(await approved(plan), 'b'))).toEqual(['par[0]/left/ask']);
    const alone = planOf([parallel('par', [group('left', [approval('ask'), command('a')]), group('right', [command('b')])])]);
    expect(carriedGates(carry(await approved(alone), 'b'))).toEqual(['par[0]/left/ask']);
  });

  it('in a graph is what waits for the gate; a step next to that runs again enters it', async () => {
    const steps = (join: string[]) => [command('x', { after: [] }), approval('ask', { after: [] }), command('pay', { after: join })];
    expect(askedAgain(carry(await approved(planOf(steps(['x', 'ask']), {}, 'graph')), 'x'))).toEqual(['ask']);
    expect(carriedGates(carry(await approved(planOf(steps(['ask']), {}, 'graph')), 'x'))).toEqual(['ask']);
    expect(askedAgain(withAmount(await approved(planOf(steps(['ask']), {}, 'graph')), 'pay', ['pay']))).toEqual(['ask']);
  });

  it('takes in a step after the next gate that feeds one of its own', async () => {
    const steps = [approval('first', { after: [] }), approval('second', { after: ['first'] }), command('x', { after: ['second'] })];
    const plan = planOf([...steps, command('pay', { after: ['x', 'first'] })], {}, 'graph');
    const before = await approved(plan);
    expect(carriedGates(carry(before, 'x'))).toEqual(['first', 'second']);
    expect(askedAgain(withAmount(before, 'x', ['x']))).toEqual(['first', 'second']);
  });

  it.each([
    ['a condition', approval('next', { when: { kind: 'literal', value: true } })],
    ['an error that lets the run go on', approval('next', { onError: [{ kind: 'continue' }] })],
    ['a question that is no approval', input('next')],
    ['a yes to an action', command('next', { category: 'move_money' })],
    ['a branch', parallel('par', [approval('next'), command('b')])],
  ])('is not ended by a gate that may be passed over: %s', async (_, next) => {
    const plan = planOf([approval('ask'), next, command('pay')]);
    expect(askedAgain(withAmount(await approved(plan), 'pay', ['pay']))).toContain('ask');
  });

  it('of an approval after a step’s work asks again without doing the work again', async () => {
    const asked = { form: { sha256: 'f'.repeat(64), sizeBytes: 1, mediaType: 'application/json' }, question: 'Good?' };
    const build = () => ({ artifact: { sha256: 'b'.repeat(64), sizeBytes: 1, mediaType: 'application/json' }, approval: asked });
    const plan = planOf([command('build', { approval: {} }), command('ship', { inputs: ['build'] })]);
    const answer = withAmount(await approved(plan, { steps: { build } }), 'ship', ['ship']);
    expect(askedAgain(answer)).toEqual(['build']);
    const world = rerun(plan, answer.carry, { steps: { build } });
    await settle(world);
    expect(world.status().gates).toMatchObject([{ step: 'build', question: 'Good?' }]);
    world.signal('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['ship#1~1']);
    expect(world.seen[0]?.input.inputs).toMatchObject({ build: { sha256: 'b'.repeat(64) } });
  });

  it('in a loop is of its iteration: others go on next to it', async () => {
    const plan = planOf([forEach('each', [approval('ask'), command('pay')], { maxConcurrent: 2 }), command('end')]);
    const before = await approved(plan, {
      lists: { each: [1, 2, 3] },
      steps: { pay: ({ address }) => (address?.path[0]?.index === 1 ? fails() : {}) },
    });
    const answer = carry(before, 'each[1]/pay');
    expect(Object.keys(answer.carry.records)).toEqual(['each', 'each[1]/ask']);
    expect(carriedGates(answer)).toEqual(['each[1]/ask']);
  });
});

describe('a yes to an action', () => {
  it('is used up by it: a repetition asks again, and nothing else does', async () => {
    const plan = planOf([approval('ask'), command('pay', { category: 'move_money' }), command('tell')]);
    const before = await approved(plan);
    expect(carry(before, 'pay').gates).toMatchObject({ carried: [{ gate: 'ask' }], again: [{ gate: 'pay' }] });
    const world = rerun(plan, carry(before, 'pay').carry);
    await settle(world);
    expect(world.status().gates).toMatchObject([{ step: 'pay', category: 'move_money' }]);
    // The answer is bound to the action, whatever follows.
    const answer = withAmount(before, 'tell', ['tell']);
    expect(Object.keys(answer.carry.records)).toEqual(['pay']);
    expect(askedAgain(answer)).toEqual(['ask']);
  });
});

describe('a decision that no gate can ask for again by itself', () => {
  it('of a loop that is over refuses the rerun, and says where to begin', async () => {
    const plan = planOf([forEach('each', [approval('ask'), command('pay')]), command('tell')]);
    const before = await approved(plan, { lists: { each: [1] } });
    expect(order(before, { from: 'tell', again: ['tell'], changed: { [AMOUNT]: ['tell'] } })).toEqual({
      problem: expect.stringMatching(/tell reads arg amount.*rerun from each/),
    });
    expect(order(before, { from: 'tell' })).toHaveProperty('carry');
    expect(withAmount(before, 'each', ['tell']).carry.records).toEqual({});
  });

  it('of a child pipeline refuses it likewise, and within the child asks its gates', async () => {
    const child = planOf([approval('ask'), command('ship')], { name: CHILD });
    const plan = planOf([command('a'), pipeline('deploy', CHILD), command('tell')]);
    const before = await approved(plan, { children: { [CHILD]: child } });
    expect(before.status().state).toBe('completed');
    expect(order(before, { from: 'tell', again: ['tell'], changed: { [AMOUNT]: ['tell'] } })).toEqual({
      problem: expect.stringMatching(/rerun from deploy/),
    });
    expect(order(before, { from: 'tell' })).toHaveProperty('carry');
    const within = withAmount(before, 'deploy/ship', ['tell']);
    expect(within.child).toMatchObject({ from: 'ship', behind: `tell reads ${AMOUNT}, which has changed` });
    const inner = before.children.get('test-run.deploy') as World;
    const answer = order(inner, { from: 'ship', behind: within.child?.behind ?? '' }) as CarryAnswer;
    expect(answer.gates?.again).toEqual([{ gate: 'ask', because: `tell reads ${AMOUNT}, which has changed` }]);
  });

  const FOUR = { fourEyes: true } as const;
  const release = planOf([approval('ask', FOUR), command('ship')], { name: CHILD });
  const told = (world: World, more: Partial<CarryQuery>) => order(world, { from: 'tell', ...more });

  it.each([
    ['an iteration that is over', [forEach('kept', [approval('ask', FOUR), command('pay')])], 'kept'],
    ['a child pipeline', [pipeline('kept', CHILD)], 'kept'],
    ['a child pipeline of an iteration that is over', [forEach('kept', [pipeline('deploy', CHILD)])], 'kept'],
    ['an iteration within another', [forEach('kept', [forEach('inner', [approval('ask', FOUR)])])], 'kept'],
    ['a child pipeline in a branch', [parallel('par', [group('kept', [pipeline('deploy', CHILD)]), group('b', [command('x')])])], 'deploy'],
  ])('of four eyes in %s holds for no starter who made it', async (_, steps, at) => {
    const plan = planOf([...steps, command('tell')]);
    const before = await approved(plan, { children: { [CHILD]: release }, lists: { kept: [1, 2], inner: [1] } });
    expect(before.status().state).toBe('completed');
    expect(told(before, { startedBy: 'ann' })).toEqual({
      problem: expect.stringMatching(new RegExp(`ann decided there and starts the new run.*rerun from .*${at}`)),
    });
    expect(told(before, { startedBy: 'bob' })).toHaveProperty('carry');
    // A rerun of the rerun has it as well.
    const second = rerun(plan, carry(before, 'tell').carry, { children: { [CHILD]: release } });
    await second.result;
    expect(told(second, { startedBy: 'ann' })).toHaveProperty('problem');
    expect(told(second, { startedBy: 'bob' })).toHaveProperty('carry');
  });

  it('of one proven person in a loop that is over holds for a proven starter alone', async () => {
    const plan = planOf([forEach('each', [approval('ask', { ...FOUR, identity: 'proven' })]), command('tell')]);
    const startedBy = { kind: 'person', name: 'bob', identity: 'proven' } as const;
    const before = await ran(plan, { startedBy, lists: { each: [1] }, checkProof: async () => ({}) });
    const proof = { channel: 'discord' as const, at: new Date(before.clock.now()).toISOString(), mac: 'ab'.repeat(32) };
    await before.update('approve', { by: 'ann', proof });
    await settle(before);
    expect(told(before, { startedBy: 'cid' })).toEqual({ problem: expect.stringContaining('the starter of the new run is not proven') });
    expect(told(before, { startedBy: 'cid', provenStarter: true })).toHaveProperty('carry');
    expect(told(before, { startedBy: 'ann', provenStarter: true })).toHaveProperty('problem');
  });

  it('of four eyes stays known if the loop goes on in another try of what holds it', async () => {
    const each = forEach('each', [approval('ask', FOUR), command('pay')]);
    const plan = planOf([{ ...group('g', [each]), retry: { max: 2, delayMs: 1 } }, command('tell')]);
    let failures = 1;
    const pay: StepBehaviour = ({ address }) => (address?.path[1]?.index === 1 && failures-- > 0 ? fails() : {});
    const before = runPlan(plan, { lists: { each: [1, 2] }, steps: { pay } });
    for (let asked = 0; asked < 3; asked++) {
      await settle(before);
      await before.elapse();
      if (before.status().gates.length > 0) before.signal('approve', { by: 'ann' });
    }
    await expect(before.result).resolves.toMatchObject({ status: 'completed' });
    expect(failures).toBeLessThan(1);
    expect(told(before, { startedBy: 'ann' })).toHaveProperty('problem');
  });

  it('of an escalation refuses it: the work before it would be done again', async () => {
    const plan = planOf([agent('draft'), review('judge', 'draft'), command('pay')]);
    const before = await approved(plan, { steps: { judge: () => reviewed('block') } });
    expect(before.status().state).toBe('completed');
    expect(order(before, { from: 'pay', again: ['pay'], changed: { [AMOUNT]: ['pay'] } })).toEqual({
      problem: expect.stringMatching(/rerun from judge/),
    });
    expect(order(before, { from: 'pay' })).toHaveProperty('carry');
  });
});

import type { GrantNeed } from '../../plan/brief/authority';
import { ThermidorFailure } from '../../plan/run/failure';
import { block, escalation, execution, plan, review, subTask } from '../brief/replies';
import { unique } from '../patterns/played';
import { artifact, type StepBehaviour } from '../support/world';
import { type BriefOptions, playBrief } from './brief-play';

/** A step of kind `brief` in memory: who is asked how often, in which state, and what people decide. */

const PLAN_1 = block(plan(subTask('a')));
const PLAN_2 = block(plan(subTask('a'), subTask('b', { depends_on: ['a'] })));
const does = (id: string) => block(execution(id));
const judges = (id: string, verdict: string) => block(review(id, verdict, { suggested_revision: 'add a test' }));
const GOOD = { planner: [PLAN_1], executor: [does('a')], reviewer: [judges('a', 'pass')] };
const CRITIC = '[planner, executor, reviewer, critic]';

async function played(options: BriefOptions) {
  const brief = playBrief(options);
  await brief.settle();
  unique(brief);
  return brief;
}

const gateOf = ({ world }: Awaited<ReturnType<typeof played>>) => world.status().gates[0];

describe('calls of a brief', () => {
  it('are three for one sub-task, and each state is in the journal before anybody is asked in it', async () => {
    const { calls, world, states, notes, output } = await played({ says: GOOD });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(calls).toEqual(['planner', 'executor', 'reviewer']);
    expect(states()).toEqual(['init', 'plan', 'dispatch', 'execute', 'review_step', 'next_subtask', 'complete']);
    expect(output()).toMatchObject({
      project: 'site',
      outcome: 'success',
      calls: 3,
      questions: 0,
      sub_tasks: [{ id: 'a', state: 'passed' }],
    });
    const order = world.journal().flatMap((entry) => {
      if (entry.kind === 'brief' && entry.event === 'entered') return [entry.state];
      return entry.kind === 'envelope' && entry.envelope.intent === 'assign_task' ? [entry.envelope.to] : [];
    });
    expect(order.slice(0, 8)).toEqual([
      ...['init', 'plan', 'brief_planner', 'dispatch', 'execute', 'brief_executor', 'review_step', 'brief_reviewer'],
    ]);
    expect(notes().at(-1)).toMatchObject({ state: 'complete', phase: 4 });
    // Phase 0: nobody is asked, and it is recorded, for the plan and for each sub-task.
    expect(notes().flatMap((note) => (note.event === 'confirmed' ? [note.subtask ?? 'the plan'] : []))).toEqual(['the plan', 'a']);
  });

  it('are five for two, in the order of their dependencies', async () => {
    const two = block(plan(subTask('b', { depends_on: ['a'], order: 1 }), subTask('a', { order: 2 })));
    const brief = await played({
      says: { planner: [two], executor: [does('a'), does('b')], reviewer: [judges('a', 'pass'), judges('b', 'pass')] },
    });
    expect(brief.calls).toEqual(['planner', 'executor', 'reviewer', 'executor', 'reviewer']);
    expect(brief.assigned('brief[4]/brief_executor')).toContain('wrote a.md');
  });

  it('are two without a reviewer: an execution passes', async () => {
    const brief = await played({ says: { planner: [PLAN_1], executor: [does('a')] }, roles: '[planner, executor]' });
    expect(brief.calls).toEqual(['planner', 'executor']);
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('are one for one agent alone', async () => {
    const brief = await played({ says: { agent: ['It is there.'] }, roles: '[]' });
    expect(brief.calls).toEqual(['agent']);
    expect(brief.output()).toMatchObject({ outcome: 'success', sub_tasks: [{ execution: 'It is there.' }] });
  });

  it('of one agent begin after the confirmation, and pass through the detectors', async () => {
    const brief = await played({ says: { agent: ['I am blocked: there is no key.'] }, roles: '[]', mode: 'gated', answers: ['confirm'] });
    expect(brief.calls).toEqual(['agent']);
    expect(gateOf(brief)).toMatchObject({ step: 'brief[3]/brief_operator', choices: ['retry', 'pass', 'stop'] });
    expect(brief.notes().at(-1)).toMatchObject({ state: 'block', phase: 2 });
  });

  it('end after two if the plan is malformed twice, and no fresh agent is asked', async () => {
    const brief = await played({ says: { planner: ['no plan', 'still none'] } });
    expect(brief.calls).toEqual(['planner', 'planner']);
    expect(brief.world.order()).toEqual(['brief[1]/brief_planner#1~1']);
    expect(gateOf(brief)).toMatchObject({ step: 'brief[2]/brief_operator', choices: ['retry', 'stop'] });
    expect(brief.states().at(-1)).toBe('escalate');
    expect(brief.world.step('brief').brief).toMatchObject({ calls: 2 });
  });

  it('are one more where a repair helps', async () => {
    const brief = await played({ says: { ...GOOD, executor: [does('b'), does('a')] } });
    expect(brief.calls).toEqual(['planner', 'executor', 'executor', 'reviewer']);
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.output()).toMatchObject({ calls: 4 });
  });

  it('are all those of the roles, whatever comes of them', async () => {
    const brief = await played({
      says: { planner: ['no plan', PLAN_1], executor: ['no', 'none', does('b'), does('a')], reviewer: [judges('a', 'pass')] },
      answers: ['retry'],
    });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.output()).toMatchObject({ calls: brief.calls.length, questions: 1 });
    expect(brief.calls).toHaveLength(7);
  });

  it('are those of further tries and of spawned agents, too', async () => {
    let tries = 0;
    const helped: StepBehaviour = ({ input, call: { options } }) => {
      if (input.spawn) return { artifact: artifact('helped'), requests: 3 };
      if (input.spawned) return { artifact: artifact('did-a') };
      tries += 1;
      if (tries === 1) throw new ThermidorFailure('agent.failed', 'no answer', undefined, undefined, { requests: 2 });
      return { paused: { kind: 'spawned', children: [{ id: `${options.address}/spawn-1`, agent: 'brief_executor', task: 'help' }] } };
    };
    const brief = await played({ says: { ...GOOD, executor: [] }, steps: { brief_executor: helped }, documents: () => does('a') });
    await brief.world.elapse();
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect([tries, brief.output()['calls']]).toEqual([2, 2 + 2 + 3 + 1]);
  });
});

describe('a reviewer', () => {
  it('has work done again up to the limit, each time with its report, then a person is asked', async () => {
    const again = [0, 1, 2].map(() => judges('a', 'needs_retry'));
    const brief = await played({
      says: { planner: [PLAN_1], executor: again.map(() => does('a')), reviewer: again },
      more: 'budgets: {max_retries_per_subtask: 2}',
    });
    expect(brief.calls.filter((role) => role === 'executor')).toHaveLength(3);
    expect(brief.assigned('brief[4]/brief_executor')).toContain('add a test');
    expect(gateOf(brief)).toMatchObject({ choices: ['retry', 'pass', 'skip', 'stop'] });
    expect(brief.notes().at(-1)).toMatchObject({ state: 'escalate', reason: expect.stringContaining('its 2 retries are used up') });
  });

  it('fails work: a person is asked, and nobody tries again', async () => {
    const brief = await played({ says: { ...GOOD, reviewer: [judges('a', 'fail')] } });
    expect(brief.calls).toEqual(['planner', 'executor', 'reviewer']);
    expect(brief.states().at(-1)).toBe('escalate');
  });
});

describe('a critic', () => {
  const says = { ...GOOD, reviewer: [judges('a', 'pass')], critic: [judges('a', 'fail')] };

  it('does not see the report of the reviewer, and a person who sees both chooses the verdict', async () => {
    const brief = await played({ says, roles: CRITIC });
    expect(brief.assigned('brief[4]/brief_critic')).toContain('wrote a.md');
    expect(brief.assigned('brief[4]/brief_critic')).not.toContain('I have read the file');
    expect(gateOf(brief)).toMatchObject({ choices: ['pass', 'needs_retry', 'fail'] });
    const question = Object.entries(brief.world.ruled).find(([address]) => address.endsWith('/question-5'))?.[1];
    expect(question).toContain('"verdict": "pass"'.replace(' ', ''));
    expect(question).toContain('"verdict":"fail"');
  });

  it.each([
    ['pass', 'complete'],
    ['fail', 'escalate'],
  ])('the person says %s', async (choice, state) => {
    const brief = await played({ says, roles: CRITIC, answers: [choice] });
    expect(brief.states().at(-1)).toBe(state);
    expect(brief.calls).toHaveLength(4);
  });

  it('the person says needs_retry: only the one who wants a change is heard', async () => {
    const twice = {
      planner: [PLAN_1],
      executor: [does('a'), does('a')],
      reviewer: [judges('a', 'pass'), judges('a', 'pass')],
      critic: [judges('a', 'fail'), judges('a', 'pass')],
    };
    const brief = await played({ says: twice, roles: CRITIC, answers: ['needs_retry'] });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.calls).toHaveLength(7);
  });
});

describe('a role that does not go on', () => {
  it.each([
    ['error', 'escalate'],
    ['warn', 'block'],
    ['info', 'block'],
  ])('an escalation with %s: %s', async (severity, state) => {
    const brief = await played({ says: { ...GOOD, executor: [block(escalation(severity))] } });
    expect(brief.notes().at(-1)).toMatchObject({ state, subtask: 'a', reason: 'the key is missing' });
  });

  it('fails: a person is asked, with the code', async () => {
    const broken = new ThermidorFailure('agent.turns-used-up', 'it did not answer');
    const brief = await played({ says: { ...GOOD, executor: [broken] } });
    expect(brief.notes().at(-1)).toMatchObject({ state: 'escalate', reason: 'agent.turns-used-up: it did not answer' });
  });

  it('announces a destruction that nothing authorises: phase 3; what is authorised goes on', async () => {
    const says = { ...GOOD, executor: [block(execution('a', { output: 'I will delete all files in src.' }))] };
    const held = await played({ says });
    expect(held.notes().at(-1)).toMatchObject({ state: 'block', phase: 3 });
    const free = await played({ says, more: 'authorized_costs: [filesystem_delete]' });
    await expect(free.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('announces what a person has granted, for the run or for ever: nothing is asked', async () => {
    const text = block(execution('a', { output: 'I will delete all files in src.' }));
    const lasting = await played({ says: { ...GOOD, executor: [text] }, lasting: ['filesystem_delete'] });
    await expect(lasting.world.result).resolves.toMatchObject({ status: 'completed' });
    const reply = artifact('said');
    const need: GrantNeed = {
      ...{ project: 'site', categories: ['filesystem_delete'], tool: 'run', contentSha256: 'a'.repeat(64), content: artifact('call') },
    };
    const granted = playBrief({
      says: GOOD,
      steps: {
        brief_executor: ({ input: { authority } }) => (authority?.granted ? { artifact: reply } : { paused: { kind: 'grant', need } }),
      },
      documents: (sha256) => (sha256 === reply.sha256 ? text : undefined),
      answers: ['run'],
    });
    await granted.settle();
    await expect(granted.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it.each([
    ['skip', 'incomplete', ['skipped', 'skipped']],
    ['stop', 'stopped', ['open', 'open']],
  ])('the person says %s', async (choice, outcome, stages) => {
    const brief = await played({ says: { ...GOOD, planner: [PLAN_2], executor: [block(escalation('warn'))] }, answers: [choice] });
    const { outcome: said, sub_tasks } = brief.output();
    expect(said).toBe(outcome);
    expect((sub_tasks as { state: string }[]).map(({ state }) => state)).toEqual(stages);
    const ended = brief.world.result;
    if (choice === 'stop') await expect(ended).rejects.toMatchObject({ code: 'brief.stopped' });
    else await expect(ended).resolves.toMatchObject({ status: 'completed' });
  });

  it('the person says pass: the sub-task counts as passed', async () => {
    const says = { ...GOOD, planner: [PLAN_2], executor: [block(escalation('warn')), does('b')], reviewer: [judges('b', 'pass')] };
    const brief = await played({ says, answers: ['pass'] });
    const rows = [
      { execution: null, let_pass: true },
      { state: 'passed', let_pass: false },
    ];
    expect(brief.output()).toMatchObject({ outcome: 'success', sub_tasks: rows });
  });

  it('the person says retry: it reads the comment', async () => {
    const brief = await played({
      says: { ...GOOD, executor: [block(escalation('warn')), does('a')] },
      answers: [['retry', 'the key is in .env']],
    });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.assigned('brief[4]/brief_executor')).toContain('the key is in .env');
    expect(brief.output()).toMatchObject({ calls: 4, questions: 1 });
  });
});

describe('gated', () => {
  it('a person confirms the plan and each sub-task, and nothing is executed before', async () => {
    const says = { planner: [PLAN_2], executor: [does('a'), does('b')], reviewer: [judges('a', 'pass'), judges('b', 'pass')] };
    const open = await played({ says, mode: 'gated' });
    expect(open.calls).toEqual(['planner']);
    expect(gateOf(open)).toMatchObject({ step: 'brief[2]/brief_confirm', choices: ['confirm', 'retry', 'stop'] });
    const brief = await played({ says, mode: 'gated', answers: ['confirm', 'confirm', 'confirm'] });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.output()).toMatchObject({ calls: 5, questions: 3 });
    expect(brief.notes().filter(({ event }) => event === 'confirmed')).toEqual([]);
    const questions = Object.entries(brief.world.ruled).flatMap(([address, text]) =>
      address.includes('/question-') ? [String(text)] : [],
    );
    expect(questions[0]).toContain('A site, confirmed.');
    expect(questions[1]).toContain('Write a.md');
    expect(questions[1]).toContain('a.md exists');
  });

  it('the person wants another plan, and the planner reads why', async () => {
    const brief = await played({
      says: { ...GOOD, planner: [PLAN_2, PLAN_1] },
      mode: 'gated',
      answers: [['retry', 'one is enough'], 'confirm', 'confirm'],
    });
    expect(brief.calls).toEqual(['planner', 'planner', 'executor', 'reviewer']);
    expect(brief.assigned('brief[3]/brief_planner')).toContain('one is enough');
    expect(brief.assigned('brief[3]/brief_planner')).toContain('"depends_on"');
  });

  it('the person leaves a sub-task out', async () => {
    const brief = await played({ says: { planner: [PLAN_2] }, mode: 'gated', answers: ['confirm', 'skip'] });
    expect(brief.calls).toEqual(['planner']);
    expect(brief.output()).toMatchObject({ outcome: 'incomplete' });
  });
});

it('the same script twice has the same states, artifacts and calls', async () => {
  const says = {
    planner: [PLAN_2],
    executor: [does('a'), does('a'), does('b')],
    reviewer: ['needs_retry', 'pass'].map((word) => judges('a', word)),
  };
  const options = { says: { ...says, reviewer: [...says.reviewer, judges('b', 'pass')] } };
  const [first, second] = [await played(options), await played(options)];
  expect(second.notes()).toEqual(first.notes());
  expect(second.world.ruled).toEqual(first.world.ruled);
  expect(second.world.composed).toEqual(first.world.composed);
  expect(second.world.order()).toEqual(first.world.order());
});

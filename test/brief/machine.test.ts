import type { CoordinatorState, TeamRules } from '../../kinds/brief/rules/coordinator-state';
import { dueIn } from '../../kinds/brief/rules/due';
import type { CoordinatorEvent } from '../../kinds/brief/rules/events';
import { handle, newCoordinator } from '../../kinds/brief/rules/machine';
import type { OperatorChoice } from '../../kinds/brief/rules/words';
import type { HandOff } from '../../plan/brief/hand-off';
import { describeFaults, readHandOff } from '../../plan/brief/read-hand-off';
import { chance } from '../caid/chance';
import { block, escalation, execution, plan, review, subTask } from './replies';

/** The coordinator of a brief, played with scripted replies: which states it goes through, and how often it asks whom. */

const RULES: TeamRules = { isGated: false, judges: ['reviewer'], retries: 3 };
const CRITIC: Partial<TeamRules> = { judges: ['reviewer', 'critic'] };

const ref = (name: string) => ({ sha256: name, sizeBytes: 1, mediaType: 'application/json' });

interface Script {
  /** In the order in which agents are asked; a repair is a call, too. */
  replies: string[];
  answers?: (OperatorChoice | [OperatorChoice, comment: string])[];
  rules?: Partial<TeamRules>;
  /** What a detector has found in the reply with this number. */
  flags?: Record<number, 'blocked' | 'destructive'>;
}

/** Plays until it is over, or a person is asked who does not answer. */
function play({ replies, answers = [], rules = {}, flags = {} }: Script) {
  let state: CoordinatorState = newCoordinator({ ...RULES, ...rules });
  const calls: string[] = [];
  const given: unknown[] = [];
  const states: string[] = [state.at];
  const notes: string[] = [];
  const asked: string[] = [];
  const open = [...answers];
  const ask = (role: string) => {
    calls.push(role);
    const text = replies[calls.length - 1];
    if (text === undefined) throw new Error(`no reply for call ${calls.length}, of ${role}`);
    return text;
  };
  for (let turn = 0; turn < 2000; turn += 1) {
    // Another execution begins with what was stored.
    state = JSON.parse(JSON.stringify(state));
    const due = dueIn(state);
    expect(dueIn(state)).toEqual(due);
    let event: CoordinatorEvent = { kind: 'go' };
    if (due.kind === 'over') break;
    if (due.kind === 'call') {
      given.push(due.given);
      const wanted =
        due.expects === 'plan' ? { kind: due.expects, roles: ['executor', 'writer'] } : { kind: due.expects, subtask: due.subtask ?? '' };
      const read = () => readHandOff(ask(due.role), wanted);
      let found = read();
      if ('faults' in found) found = read();
      const flag = flags[calls.length];
      event =
        'faults' in found
          ? { kind: 'malformed', reason: describeFaults(found.faults) }
          : {
              ...eventOf(found.handOff, ref(`${due.role}-${due.number}`)),
              ...(flag ? { flag: { kind: flag, reason: `it is ${flag}` } } : {}),
            };
    } else if (due.kind === 'operator' || (due.kind === 'confirm' && due.isAsked)) {
      asked.push(`${state.at} ${due.subtask ?? 'plan'}: ${due.choices.join(' ')}`);
      const next = open.shift();
      if (next === undefined) break;
      const [choice, comment] = Array.isArray(next) ? next : [next];
      event = { kind: 'answered', choice, ...(comment === undefined ? {} : { comment: ref(comment) }) };
    }
    notes.push(...handle(state, event).map((note) => JSON.stringify(note)));
    states.push(state.at);
  }
  return { state, calls, given, states, notes, asked };
}

function eventOf(handOff: HandOff, where: ReturnType<typeof ref>): CoordinatorEvent {
  switch (handOff.kind) {
    case 'plan':
      return { kind: 'planned', plan: where, subtasks: handOff.subtasks };
    case 'execution':
      return { kind: 'executed', execution: where };
    case 'review':
      return { kind: 'reviewed', verdict: handOff.verdict, report: where };
    case 'escalation':
      return { kind: 'escalated', severity: handOff.severity, reason: handOff.reason };
  }
}

const PLAN_1 = block(plan(subTask('a')));
const PLAN_2 = block(plan(subTask('a'), subTask('b')));
const exec = (id: string) => block(execution(id));
const judged = (id: string, verdict: string) => block(review(id, verdict, { suggested_revision: 'add a test' }));
const stages = ({ subtasks }: CoordinatorState) => Object.fromEntries(subtasks.map(({ id, stage }) => [id, stage]));

describe('counts of calls', () => {
  test('one sub-task that passes: three', () => {
    const { calls, state, states } = play({ replies: [PLAN_1, exec('a'), judged('a', 'pass')] });
    expect(calls).toEqual(['planner', 'executor', 'reviewer']);
    expect(states).toEqual(['init', 'plan', 'dispatch', 'dispatch', 'execute', 'review_step', 'next_subtask', 'complete']);
    expect(state).toMatchObject({ over: 'success', calls: 3, asks: 0 });
  });

  test('two: five', () => {
    const { calls, state } = play({ replies: [PLAN_2, exec('a'), judged('a', 'pass'), exec('b'), judged('b', 'pass')] });
    expect(calls).toEqual(['planner', 'executor', 'reviewer', 'executor', 'reviewer']);
    expect(state.over).toBe('success');
  });

  test('a plan that is invalid twice: two', () => {
    const { calls, asked, state } = play({ replies: ['no plan', 'still none'] });
    expect(calls).toEqual(['planner', 'planner']);
    expect(state.halt).toEqual({
      why: 'malformed',
      by: 'planner',
      from: 'plan',
      reason: 'the reply has no fenced `json` block, and is not a JSON object as a whole',
    });
    expect(asked).toEqual(['escalate plan: retry stop']);
  });

  test('without a reviewer an execution passes', () => {
    const { calls, states } = play({ replies: [PLAN_1, exec('a')], rules: { judges: [] } });
    expect(calls).toEqual(['planner', 'executor']);
    expect(states).not.toContain('review_step');
  });

  test('with a critic who agrees: four', () => {
    expect(play({ replies: [PLAN_1, exec('a'), judged('a', 'pass'), judged('a', 'pass')], rules: CRITIC }).calls).toHaveLength(4);
  });

  test('a sub-task that names a role is executed by it', () => {
    const { calls } = play({ replies: [block(plan(subTask('a', { role: 'writer' }))), exec('a'), judged('a', 'pass')] });
    expect(calls).toEqual(['planner', 'writer', 'reviewer']);
  });
});

describe('judges', () => {
  test('needs_retry: again, with the work so far and the report, and no other', () => {
    const { calls, given, state, states } = play({
      replies: [PLAN_1, exec('a'), judged('a', 'needs_retry'), exec('a'), judged('a', 'pass')],
    });
    expect(calls).toHaveLength(5);
    expect(given[3]).toEqual({ execution: ref('executor-2'), revisions: [ref('reviewer-3')] });
    expect(given[4]).toEqual({ execution: ref('executor-4') });
    expect(states.filter((at) => at === 'retry')).toHaveLength(1);
    expect(state.subtasks[0]).toMatchObject({ stage: 'passed', attempts: 2, retries: 1 });
  });

  test.each([0, 1, 3])('after %i retries: escalate', (retries) => {
    const again = Array.from({ length: retries + 1 }, () => [exec('a'), judged('a', 'needs_retry')]).flat();
    const { calls, state, asked } = play({ replies: [PLAN_1, ...again], rules: { retries } });
    expect(calls).toHaveLength(1 + 2 * (retries + 1));
    expect(state.halt).toMatchObject({ why: 'retries', by: 'reviewer' });
    expect(asked).toEqual(['escalate a: retry pass skip stop']);
  });

  test('fail: escalate', () => {
    const { asked, state } = play({ replies: [PLAN_1, exec('a'), judged('a', 'fail')] });
    expect(asked).toEqual(['escalate a: retry pass skip stop']);
    expect(state.halt).toMatchObject({ why: 'verdict' });
  });

  test('the critic gets the execution, and not the report of the reviewer', () => {
    const { given } = play({ replies: [PLAN_1, exec('a'), judged('a', 'fail'), judged('a', 'fail')], rules: CRITIC });
    expect(given[3]).toEqual({ execution: ref('executor-2') });
  });

  test.each([
    ['pass', 'fail'],
    ['fail', 'pass'],
    ['pass', 'needs_retry'],
    ['needs_retry', 'fail'],
  ])('%s and %s: block, with both reports, and a person chooses the verdict', (reviewer, critic) => {
    const { asked, state } = play({ replies: [PLAN_1, exec('a'), judged('a', reviewer), judged('a', critic)], rules: CRITIC });
    expect(asked).toEqual(['block a: pass needs_retry fail']);
    expect(state.halt).toMatchObject({ why: 'disagreement', reason: `the reviewer says ${reviewer}, the critic says ${critic}` });
    expect(state.subtasks[0]?.reports).toEqual({
      reviewer: { verdict: reviewer, report: ref('reviewer-3') },
      critic: { verdict: critic, report: ref('critic-4') },
    });
  });

  const disagreed = [PLAN_1, exec('a'), judged('a', 'pass'), judged('a', 'needs_retry')];

  test('the person says pass', () => {
    expect(play({ replies: disagreed, answers: ['pass'], rules: CRITIC }).state.over).toBe('success');
  });

  test('the person says needs_retry: only who wants a change is heard', () => {
    const { given, state } = play({
      replies: [...disagreed, exec('a'), judged('a', 'pass'), judged('a', 'pass')],
      answers: [['needs_retry', 'do it']],
      rules: CRITIC,
    });
    expect(given[4]).toEqual({ execution: ref('executor-2'), revisions: [ref('critic-4')], comment: ref('do it') });
    expect(state.over).toBe('success');
  });

  test('the person says fail: escalate', () => {
    expect(play({ replies: disagreed, answers: ['fail'], rules: CRITIC }).asked[1]).toBe('escalate a: retry pass skip stop');
  });
});

describe('what stops it', () => {
  it.each([
    ['info', 'block'],
    ['warn', 'block'],
    ['error', 'escalate'],
  ])('an escalation with the severity %s: %s', (severity, at) => {
    expect(play({ replies: [PLAN_1, block(escalation(severity))] }).asked).toEqual([`${at} a: retry pass skip stop`]);
    expect(play({ replies: [block(escalation(severity))] }).asked).toEqual([`${at} plan: retry stop`]);
  });

  it.each([
    ['executor', [PLAN_1, 'x', 'x'], 3],
    ['reviewer', [PLAN_1, exec('a'), exec('a'), 'x'], 4],
    ['critic', [PLAN_1, exec('a'), judged('a', 'pass'), 'x', judged('b', 'pass')], 5],
  ])('a reply of the %s that is malformed twice: escalate', (by, replies, calls) => {
    const played = play({ replies, rules: CRITIC });
    expect(played.calls).toHaveLength(calls);
    expect(played.state).toMatchObject({ at: 'escalate', halt: { why: 'malformed', by } });
  });

  it.each([
    ['blocked', 2],
    ['destructive', 3],
  ] as const)('a reply that is %s: block, in phase %i', (flag, phase) => {
    const { state, notes } = play({ replies: [PLAN_1, exec('a')], flags: { 2: flag } });
    expect(state).toMatchObject({ at: 'block', halt: { why: flag, by: 'executor', isHeld: true } });
    expect(JSON.parse(notes.at(-1) ?? '')).toEqual({ event: 'entered', state: 'block', phase, subtask: 'a', reason: `it is ${flag}` });
  });
});

describe('what people answer', () => {
  test('retry: the role is asked again with the comment, and nobody else', () => {
    const { calls, given } = play({ replies: [PLAN_1, exec('a'), 'x', 'x', judged('a', 'pass')], answers: [['retry', 'in JSON']] });
    expect(calls).toEqual(['planner', 'executor', 'reviewer', 'reviewer', 'reviewer']);
    expect(given.at(-1)).toEqual({ execution: ref('executor-2'), comment: ref('in JSON') });
  });

  test('retry of a critic: the review is not repeated', () => {
    const { calls } = play({
      replies: [PLAN_1, exec('a'), judged('a', 'pass'), block(escalation('warn')), judged('a', 'pass')],
      answers: ['retry'],
      rules: CRITIC,
    });
    expect(calls).toEqual(['planner', 'executor', 'reviewer', 'critic', 'critic']);
  });

  test('retry of a plan: it is planned anew, with the comment', () => {
    const { given, state } = play({ replies: ['x', 'x', PLAN_1, exec('a'), judged('a', 'pass')], answers: [['retry', 'as JSON']] });
    expect(given[1]).toEqual({ comment: ref('as JSON') });
    expect(state.over).toBe('success');
  });

  test('retry of failed work: with as many tries as before', () => {
    const failed = [exec('a'), judged('a', 'needs_retry')];
    const { state } = play({ replies: [PLAN_1, ...failed, ...failed, ...failed, ...failed], answers: ['retry'], rules: { retries: 1 } });
    expect(state.subtasks[0]).toMatchObject({ attempts: 4, retries: 1 });
    expect(state.halt?.why).toBe('retries');
  });

  test('pass: a sub-task without a good reply counts as passed', () => {
    const { calls, state } = play({ replies: [PLAN_1, block(escalation('warn'))], answers: ['pass'] });
    expect(calls).toHaveLength(2);
    expect(state).toMatchObject({ over: 'success', subtasks: [{ stage: 'passed' }] });
  });

  test('pass: a reply that a detector held is taken as it is, and goes to the reviewer', () => {
    const { calls, state } = play({
      replies: [PLAN_1, exec('a'), judged('a', 'pass')],
      answers: ['pass', 'pass'],
      flags: { 1: 'destructive', 2: 'blocked' },
    });
    expect(calls).toEqual(['planner', 'executor', 'reviewer']);
    expect(state.over).toBe('success');
  });

  test('retry: a reply that a detector held is forgotten', () => {
    const { calls, state } = play({
      replies: [PLAN_1, exec('a'), judged('a', 'fail'), judged('a', 'pass')],
      answers: ['retry'],
      flags: { 3: 'blocked' },
    });
    expect(calls).toEqual(['planner', 'executor', 'reviewer', 'reviewer']);
    expect(state.over).toBe('success');
  });

  test('skip: what depends on it is skipped, too, and nothing else', () => {
    const whole = block(plan(subTask('a'), subTask('b', { depends_on: ['a'] }), subTask('c', { depends_on: ['b'] }), subTask('d')));
    const { state, notes } = play({ replies: [whole, block(escalation('error')), exec('d'), judged('d', 'pass')], answers: ['skip'] });
    expect(stages(state)).toEqual({ a: 'skipped', b: 'skipped', c: 'skipped', d: 'passed' });
    expect(state.over).toBe('incomplete');
    expect(notes).toContain('{"event":"skipped","subtask":"c","reason":"it depends on \\"b\\", which is skipped"}');
  });

  test('stop: it ends there', () => {
    const { state } = play({ replies: [PLAN_2, exec('a'), judged('a', 'fail')], answers: ['stop'] });
    expect(state).toMatchObject({ at: 'complete', over: 'stopped' });
    expect(state).not.toHaveProperty('halt');
  });
});

describe('gated', () => {
  const rules = { isGated: true };
  const replies = [PLAN_2, exec('a'), judged('a', 'pass'), exec('b'), judged('b', 'pass')];

  test('a person confirms the plan before it is carried out, and each sub-task', () => {
    const { asked, state } = play({ replies, answers: ['confirm', 'confirm', 'confirm'], rules });
    expect(asked).toEqual(['dispatch plan: confirm retry stop', 'dispatch a: confirm skip stop', 'dispatch b: confirm skip stop']);
    expect(state).toMatchObject({ over: 'success', asks: 3 });
  });

  test('nothing is executed before', () => {
    expect(play({ replies, answers: ['confirm'], rules }).calls).toEqual(['planner']);
  });

  test('another plan, with a comment', () => {
    const { given } = play({ replies: [PLAN_2, PLAN_1], answers: [['retry', 'one is enough']], rules });
    expect(given[1]).toEqual({ plan: ref('planner-1'), comment: ref('one is enough') });
  });

  test('a comment on a sub-task goes to its executor', () => {
    expect(play({ replies, answers: ['confirm', ['confirm', 'in French']], rules }).given[1]).toEqual({ comment: ref('in French') });
  });

  test('a sub-task is left out', () => {
    const { state } = play({ replies: [PLAN_2, exec('b'), judged('b', 'pass')], answers: ['confirm', 'skip', 'confirm'], rules });
    expect(stages(state)).toEqual({ a: 'skipped', b: 'passed' });
  });
});

describe('what is not due', () => {
  it.each<[string, CoordinatorEvent]>([
    ['an answer that nobody was asked for', { kind: 'answered', choice: 'pass' }],
    ['a review before there is work', { kind: 'reviewed', verdict: 'pass', report: ref('r') }],
    ['an execution before there is a plan', { kind: 'executed', execution: ref('e') }],
    ['a turn without the reply', { kind: 'go' }],
  ])('%s', (_, event) => {
    const state = newCoordinator(RULES);
    handle(state, { kind: 'go' });
    const before = structuredClone(state);
    expect(() => handle(state, event)).toThrow('does not wait for');
    expect(state).toEqual(before);
  });

  test('a choice that is not offered', () => {
    const { state } = play({ replies: ['x', 'x'] });
    expect(() => handle(state, { kind: 'answered', choice: 'pass' })).toThrow('does not wait for answered');
  });

  test('anything after the end', () => {
    const { state } = play({ replies: ['x', 'x'], answers: ['stop'] });
    expect(() => handle(state, { kind: 'go' })).toThrow('does not wait for go');
  });
});

describe.each(Array.from({ length: 40 }, (_, seed) => seed))('random script %i', (seed) => {
  /** Events that may come, until a person has answered 30 times, who then stops it or lets it pass. */
  const walk = () => {
    const pick = chance(seed);
    const judges = ([[], ['reviewer'], ['critic'], ['reviewer', 'critic']] as const)[pick(4)] ?? [];
    let state = newCoordinator({ isGated: pick(2) === 0, judges, retries: pick(4) });
    const trace: string[] = [];
    const flagged = () =>
      pick(8) === 0 ? { flag: { kind: pick(2) === 0 ? ('blocked' as const) : ('destructive' as const), reason: 'r' } } : {};
    for (let turn = 0; ; turn += 1) {
      expect(turn).toBeLessThan(10_000);
      const due = dueIn(state);
      let event: CoordinatorEvent = { kind: 'go' };
      if (due.kind === 'over') return { state, trace };
      if (due.kind === 'operator' || (due.kind === 'confirm' && due.isAsked)) {
        const last = due.choices.includes('stop') ? 'stop' : 'pass';
        event = { kind: 'answered', choice: state.asks < 30 ? (due.choices[pick(due.choices.length)] ?? last) : last };
      } else if (due.kind === 'call') {
        const bad = pick(10);
        const where = ref(`${due.number}`);
        if (bad === 0) event = { kind: 'malformed', reason: 'r' };
        else if (bad === 1) event = { kind: 'escalated', severity: pick(2) === 0 ? 'error' : 'info', reason: 'r' };
        else if (bad === 2) event = { kind: 'failed', reason: 'r' };
        else if (due.expects === 'plan')
          event = {
            ...{ kind: 'planned', plan: where, ...flagged() },
            subtasks: Array.from({ length: 1 + pick(10) }, (_, i) => ({
              id: `t${i}`,
              title: 't',
              depends_on: i > 0 && pick(2) === 0 ? [`t${pick(i)}`] : [],
            })),
          };
        else if (due.expects === 'execution') event = { kind: 'executed', execution: where, ...flagged() };
        else
          event = {
            kind: 'reviewed',
            verdict: (['pass', 'pass', 'needs_retry', 'fail'] as const)[pick(4)] ?? 'pass',
            report: where,
            ...flagged(),
          };
      }
      const before = stages(state);
      trace.push(JSON.stringify(handle(state, event)));
      expectInvariants(state, before, due.kind === 'call' && due.expects === 'plan');
      if (pick(5) === 0) state = JSON.parse(JSON.stringify(state));
    }
  };

  test('ends, and the same script has the same states', () => {
    const [first, second] = [walk(), walk()];
    expect(second).toEqual(first);
    expect(['success', 'incomplete', 'stopped']).toContain(first.state.over);
    expect(JSON.stringify(first.state).length).toBeLessThan(10_000);
  });
});

/** `CoordinatorState` has them. */
function expectInvariants(state: CoordinatorState, before: Record<string, string>, isPlanned: boolean): void {
  const { at, subtasks, current, halt, over } = state;
  expect(halt !== undefined).toBe(at === 'block' || at === 'escalate');
  expect(over !== undefined).toBe(at === 'complete');
  for (const { id, stage, retries } of subtasks) {
    if (stage === 'working') expect(id).toBe(current);
    if (!isPlanned && (before[id] === 'passed' || before[id] === 'skipped')) expect(stage).toBe(before[id]);
    expect(retries).toBeLessThanOrEqual(state.team.retries);
  }
  if (over === 'success') expect(subtasks.every(({ stage }) => stage === 'passed')).toBe(true);
}

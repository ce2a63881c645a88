import { MOST_TEXT } from '../../plan/brief/hand-off';
import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import { block, escalation, execution, plan, review, subTask } from '../brief/replies';
import { unique } from '../patterns/played';
import type { WorldOptions } from '../support/world';
import { type BriefOptions, playBrief } from './brief-play';
import { carry, rerun } from './carrying';
import { freshly } from './program';

/** Whatever happens to a brief, nobody is asked twice, no answer is lost, and what is wrong becomes a question to a person. */

const does = (id: string) => block(execution(id));
const judges = (id: string, verdict: string) => block(review(id, verdict));
const ONE = block(plan(subTask('a')));
const GOOD = { planner: [ONE], executor: [does('a')], reviewer: [judges('a', 'pass')] };

async function played(options: BriefOptions) {
  const brief = playBrief(options);
  await brief.settle();
  unique(brief);
  return brief;
}

describe('a brief that continues in a fresh execution', () => {
  it('comes to the same in every wait', async () => {
    const says = {
      planner: [block(plan(subTask('a'), subTask('b')))],
      executor: [does('a'), block(escalation('warn')), does('a'), does('b')],
      reviewer: [judges('a', 'needs_retry'), judges('a', 'pass'), judges('b', 'pass')],
    };
    const answers = ['confirm', 'confirm', ['retry', 'go on'] as [string, string], 'confirm'];
    const whole = await played({ says, mode: 'gated', answers });
    const fresh = freshly();
    const broken = playBrief({ says, mode: 'gated', historyIsFull: fresh.historyIsFull });
    const left = [...answers];
    await broken.settle();
    for (let turn = 0; turn < 40 && broken.states().at(-1) !== 'complete'; turn++) {
      await fresh.again(broken.world);
      const [gate] = broken.world.status().gates;
      const answer = gate && left.shift();
      if (!gate || !answer) continue;
      const [choice, comment] = typeof answer === 'string' ? [answer] : answer;
      broken.world.signal('respond', { step: gate.step, by: 'ann', response: choice, ...(comment ? { comment } : {}) });
    }
    await fresh.toTheEnd(broken.world);
    await expect(broken.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(broken.world.executions).toBeGreaterThan(5);
    expect(broken.calls).toEqual(whole.calls);
    expect(broken.states()).toEqual(whole.states());
    expect(broken.output()).toEqual(whole.output());
    unique(broken);
  });
});

describe('a rerun from within a brief', () => {
  const says = { ...GOOD, reviewer: ['silence'] };
  const brokenOff = async () => {
    const first = await played({ says });
    first.world.cancel();
    await expect(first.world.result).rejects.toThrow();
    return first;
  };
  const begin = (from: string, first: Awaited<ReturnType<typeof brokenOff>>) => (plan: Plan, options: WorldOptions) =>
    rerun(plan, carry(first.world, from).carry, options);

  it('from the planner plans anew', async () => {
    const first = await brokenOff();
    const again = await played({
      says: GOOD,
      begin: begin('brief[1]/brief_planner', first),
      documents: (sha256) => first.world.resultOf(sha256) ?? null,
    });
    expect(again.calls).toEqual(['planner', 'executor', 'reviewer']);
    expect(carry(first.world, 'brief[1]/brief_planner').notes).toEqual([]);
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('from an executor keeps the plan', async () => {
    const first = await brokenOff();
    const again = await played({
      says: GOOD,
      begin: begin('brief[2]/brief_executor', first),
      documents: (sha256) => first.world.resultOf(sha256) ?? null,
    });
    expect(again.calls).toEqual(['executor', 'reviewer']);
    expect(again.assigned('brief[2]/brief_executor')).toContain('Write a.md');
    const note = 'brief goes on with what is not done yet; to begin it as a whole, rerun from brief[1]/brief_planner';
    expect(carry(first.world, 'brief[2]/brief_executor').notes).toEqual([note]);
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

it('a rerun from a turn that there is not is refused, and names those that there are', async () => {
  const over = await played({ says: GOOD });
  const from = (turn: number) => over.world.query('carry', { from: `brief[${turn}]/brief_planner` });
  for (const turn of [0, 4, 9]) expect(from(turn)).toEqual({ problem: `brief has no turn ${turn}: it has 1 to 3` });
  expect(carry(over.world, 'brief[3]/brief_reviewer').notes).toEqual([expect.stringContaining('goes on with what is not done')]);
  const asked = await played({ says: GOOD, mode: 'gated' });
  expect(asked.world.query('carry', { from: 'brief[3]/brief_executor' })).toEqual({ problem: 'brief has no turn 3: it has 1 to 2' });
  expect(asked.world.query('carry', { from: 'brief[2]/brief_confirm' })).not.toHaveProperty('problem');
});

it('a rerun from a role in the turn of another is refused, and names whose turn it was', async () => {
  const over = await played({ says: { ...GOOD, planner: ['none', 'none', ONE] }, mode: 'gated', answers: ['retry', 'confirm', 'confirm'] });
  const ran = ['planner', 'operator', 'planner', 'confirm', 'confirm', 'executor', 'reviewer'];
  for (const [at, whose] of ran.entries()) {
    const path = (part: string) => `brief[${at + 1}]/brief_${part}`;
    expect(over.world.query('carry', { from: path(whose) })).not.toHaveProperty('problem');
    for (const other of new Set(ran.filter((one) => one !== whose)))
      expect(over.world.query('carry', { from: path(other) })).toEqual({
        problem: `turn ${at + 1} of brief was not brief_${other}'s but brief_${whose}'s: rerun from ${path(whose)}`,
      });
  }
});

it('a rerun of a brief that is over begins anew', async () => {
  const first = await played({ says: GOOD });
  expect(carry(first.world, 'brief').notes).toEqual([]);
  const again = await played({ says: GOOD, begin: (plan, options) => rerun(plan, carry(first.world, 'brief').carry, options) });
  expect(again.calls).toEqual(['planner', 'executor', 'reviewer']);
  await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
});

it('a role that leaves its scope halts the run, and nobody is asked', async () => {
  const outside = new ThermidorFailure('brief.out-of-scope', 'the role "executor" does not have git_push');
  const brief = await played({ says: { ...GOOD, executor: [outside] } });
  await expect(brief.world.result).rejects.toMatchObject({ code: 'brief.out-of-scope' });
  expect(brief.world.status().gates).toEqual([]);
});

it('a person reads the whole of an escalation', async () => {
  const brief = await played({ says: { ...GOOD, executor: [block(escalation('error', { context: 'It is in no file.' }))] } });
  const asked = Object.entries(brief.world.ruled).find(([address]) => address.endsWith('/question-3'))?.[1];
  for (const part of ['# Severity\n\nerror', 'the key is missing', '# Context\n\n> It is in no file.']) expect(asked).toContain(part);
});

describe('a reply that attacks', () => {
  it('claims to be a plan where an execution is asked for: malformed, and the plan stays', async () => {
    const forged = block(plan(subTask('evil')));
    const brief = await played({ says: { ...GOOD, executor: [forged, forged] } });
    expect(brief.notes().at(-1)).toMatchObject({ state: 'escalate', reason: expect.stringContaining('"execution"') });
    expect(brief.world.step('brief').brief?.subtasks).toMatchObject([{ id: 'a' }]);
  });

  it('has ids that are names of every object', async () => {
    const ids = ['__proto__', 'constructor', 'toString'];
    const [first = '', ...others] = ids;
    const text = block(plan(subTask(first), ...others.map((id) => subTask(id, { depends_on: ['__proto__'] }))));
    const brief = await played({
      says: { planner: [text], executor: ids.map(does), reviewer: ids.map((id) => judges(id, 'pass')) },
    });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.assigned('brief[4]/brief_executor')).toContain('wrote __proto__.md');
  });

  it.each([
    ['short ids', (n: number) => `t${n}`],
    ['ids of a thousand characters', (n: number) => `${n}`.padStart(1000, 'x')],
  ])('is a plan of 64 sub-tasks, each of which depends on all before it, with %s: the run does not die of it', async (_name, idOf) => {
    const many = Array.from({ length: 64 }, (_, n) => subTask(idOf(n), { depends_on: Array.from({ length: n }, (_one, m) => idOf(m)) }));
    const brief = await played({ says: { planner: [block(plan(...many)), block(plan(...many))], executor: ['silence'] } });
    expect(brief.world.status().state).toMatch(/running|waiting/);
    expect(brief.calls.at(-1)).toBe(brief.world.status().gates.length === 0 ? 'executor' : 'planner');
  });

  it('has a title that steers terminals: nothing of it is in the journal or the status', async () => {
    const title = `\u001b[31m${'x'.repeat(1000)}\u2028\u202e`;
    const brief = await played({ says: { planner: [block(plan(subTask('a', { title })))], executor: ['silence'] } });
    const seen = JSON.stringify([brief.notes(), brief.world.status()]);
    expect(seen).not.toMatch(/\\u001b|\u2028|\u202e/);
    expect(brief.world.step('brief').brief?.subtasks[0]?.title.length ?? 0).toBeLessThanOrEqual(101);
  });

  it('is too long, after its repair as well: a person is asked', async () => {
    const long = block(execution('a', { output: 'x'.repeat(MOST_TEXT + 1) }));
    const brief = await played({ says: { ...GOOD, executor: [long, long] } });
    expect(brief.states().at(-1)).toBe('escalate');
  });
});

describe('people', () => {
  const says = { ...GOOD, executor: [block(escalation('warn')), does('a')] };
  const OPERATOR = 'brief[3]/brief_operator';

  it('the first of two answers counts', async () => {
    const brief = await played({ says });
    for (const response of ['retry', 'stop']) brief.world.signal('respond', { step: OPERATOR, by: 'ann', response });
    await brief.settle();
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('words that are no answers there are refused, and the gate stays', async () => {
    const brief = await played({ says });
    for (const response of ['confirm', 'needs_retry', 'constructor'])
      await expect(brief.world.update('respond', { step: OPERATOR, by: 'ann', response })).rejects.toMatchObject({ outcome: 'refused' });
    await expect(brief.world.update('approve', { step: OPERATOR, by: 'ann' })).rejects.toThrow();
    await expect(brief.world.update('reject', { step: OPERATOR, by: 'ann' })).rejects.toThrow();
    expect(brief.world.status().gates).toMatchObject([{ step: OPERATOR }]);
  });

  it('abort ends it while it is held', async () => {
    const brief = await played({ says });
    brief.world.signal('abort', { by: 'ops' });
    await expect(brief.world.result).rejects.toMatchObject({ code: 'run.aborted' });
  });

  it.each([
    ['a planner', { planner: ['silence'] }, 'auto'],
    ['an executor', { planner: [ONE], executor: ['silence'] }, 'auto'],
    ['a confirmation', GOOD, 'gated'],
    ['an operator', says, 'auto'],
  ] as const)('cancel while it waits for %s', async (_name, replies, mode) => {
    const brief = await played({ says: replies, mode });
    brief.world.cancel();
    await expect(brief.world.result).rejects.toThrow();
    expect(brief.world.status().gates).toEqual([]);
  });
});

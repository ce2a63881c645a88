import { ThermidorFailure } from '../../plan/run/failure';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { block, execution, plan, review, subTask } from '../brief/replies';
import { artifact, type StepBehaviour } from '../support/world';
import { type BriefOptions, playBrief } from './brief-play';
import { freshly } from './program';
import { need } from './spending';

/** The ceilings of a brief in memory: each holds it, a person raises it, and nothing that was done is repeated. */

const does = (id: string) => block(execution(id));
const judges = (id: string, verdict: string) => block(review(id, verdict, { suggested_revision: 'add a test' }));
const PLAN = block(plan(subTask('a'), subTask('b')));
const AGAIN = { planner: [PLAN], executor: [], reviewer: [judges('a', 'needs_retry'), judges('a', 'pass'), judges('b', 'pass')] };
const BOTH = { planner: [PLAN], executor: [does('a'), does('b')], reviewer: [judges('a', 'pass'), judges('b', 'pass')] };

async function played(options: BriefOptions) {
  const brief = playBrief(options);
  await brief.settle();
  return brief;
}

/** An executor that makes so many calls of tools in each attempt, or pauses where it has no more. */
function calling(perAttempt: readonly (number | Error)[]) {
  const given: StepInput['budget'][] = [];
  let attempt = 0;
  const replies: string[] = [];
  const behaviour: StepBehaviour = ({ input, call }): StepOutput => {
    given.push(input.budget);
    const wanted = perAttempt[attempt] ?? 0;
    const { toolCalls = Number.POSITIVE_INFINITY, toolCallsBefore = 0 } = input.budget ?? {};
    const many = wanted instanceof Error ? 4 : wanted;
    if (toolCallsBefore + many > toolCalls) return { paused: { kind: 'budget', short: { kind: 'toolCalls', needed: toolCalls + 1 } } };
    attempt += 1;
    if (wanted instanceof Error) throw wanted;
    replies.push(call.options.address ?? '');
    return { artifact: artifact(`did-${input.handOff?.kind === 'execution' ? input.handOff.subtask : ''}`), toolCalls: many };
  };
  const documents = (sha256: string) => {
    const id = ['a', 'b'].find((one) => artifact(`did-${one}`).sha256 === sha256);
    return id && does(id);
  };
  return { given, replies, world: { steps: { brief_executor: behaviour }, documents } };
}

const CALLS = 'budgets: {max_tool_calls_per_subtask: 10}';
const limits = (given: StepInput['budget'][]) => given.map((budget) => [budget?.toolCallsBefore ?? 0, budget?.toolCalls]);

describe('calls of tools', () => {
  it('count over the attempts of a sub-task, and not over sub-tasks', async () => {
    const { world, given } = calling([7, 3, 9]);
    const brief = await played({ says: AGAIN, more: CALLS, ...world });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(limits(given)).toEqual([
      [0, 10],
      [7, 10],
      [0, 10],
    ]);
  });

  it('of judges count as well', async () => {
    const { world, given } = calling([4, 2]);
    const reviewer = ['needs_retry', 'pass'].map((word) => ({ text: judges('a', word), toolCalls: 1 }));
    const brief = await played({ says: { ...AGAIN, planner: [block(plan(subTask('a')))], reviewer }, more: CALLS, ...world });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(limits(given)).toEqual([
      [0, 10],
      [5, 10],
    ]);
    const judged = brief.world.seen.filter(({ call }) => call.options.address?.includes('reviewer'));
    expect(limits(judged.map(({ input }) => input.budget))).toEqual([
      [4, 10],
      [7, 10],
    ]);
  });

  it('of agents that an executor has spawned count as well', async () => {
    const given: StepInput['budget'][] = [];
    const executor: StepBehaviour = ({ input, call: { options } }): StepOutput => {
      given.push(input.budget);
      if (input.spawn) return { artifact: artifact('helped'), toolCalls: 6 };
      if (input.spawned) return { artifact: artifact('did-a'), toolCalls: 2 };
      return { paused: { kind: 'spawned', children: [{ id: `${options.address}/spawn-1`, agent: 'brief_executor', task: 'help' }] } };
    };
    const brief = await played({
      says: { planner: [block(plan(subTask('a')))], executor: [], reviewer: [judges('a', 'pass')] },
      more: CALLS,
      steps: { brief_executor: executor },
      documents: () => does('a'),
    });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(limits(given)).toEqual([
      [0, 10],
      [0, 10],
      [6, 10],
    ]);
    expect(limits(brief.world.seen.slice(-2, -1).map(({ input }) => input.budget))).toEqual([[8, 10]]);
  });

  it('hold the brief at their ceiling, which a person raises for the attempts that follow, too', async () => {
    const { world, given, replies } = calling([7, 6, 12]);
    const brief = await played({ says: AGAIN, more: CALLS, ...world });
    expect(brief.world.status().gates).toMatchObject([{ kind: 'budget', step: 'brief[4]/brief_executor', roleTeam: true }]);
    expect(brief.world.journal()).toContainEqual(
      expect.objectContaining({
        event: 'reached',
        reason: expect.stringContaining('10 tool calls a sub-task, and brief[4]/brief_executor needs 11.'),
      }),
    );
    await brief.world.update('extend_budget', { tool_calls_per_step: 12 });
    await brief.settle();
    // A second ceiling after the first.
    expect(brief.world.status().gates).toMatchObject([{ kind: 'budget', step: 'brief[4]/brief_executor' }]);
    await brief.world.update('extend_budget', { tool_calls_per_step: 20 });
    await brief.settle();
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(limits(given)).toEqual([
      [0, 10],
      [7, 10],
      [7, 12],
      [7, 20],
      [0, 20],
    ]);
    expect(replies).toHaveLength(3);
    expect(brief.calls).toEqual(['planner', 'reviewer', 'reviewer', 'reviewer']);
  });

  it('of an attempt that has failed count as well, in whichever execution', async () => {
    const fresh = freshly();
    const { world, given } = calling([new ThermidorFailure('agent.turns-used-up', 'no answer', undefined, undefined, { toolCalls: 4 }), 3]);
    const brief = playBrief({
      says: { ...AGAIN, reviewer: [judges('a', 'pass')], planner: [block(plan(subTask('a')))] },
      more: CALLS,
      answers: ['retry'],
      historyIsFull: fresh.historyIsFull,
      ...world,
    });
    for (let i = 0; i < 8; i++) await fresh.again(brief.world);
    await brief.settle();
    await fresh.toTheEnd(brief.world);
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(limits(given)).toEqual([
      [0, 10],
      [4, 10],
    ]);
  });
});

describe('tokens', () => {
  it('hold the brief before they are spent, and it goes on where it was', async () => {
    const paying: StepBehaviour = ({ input }): StepOutput => ({
      ...need(900, input),
      ...((input.budget?.tokens ?? 0) >= 900 ? { artifact: artifact('said-paid') } : {}),
    });
    const brief = await played({
      says: BOTH,
      more: 'budgets: {max_tokens: 500}',
      steps: { brief_reviewer: paying },
      documents: () => judges('a', 'pass'),
    });
    expect(brief.world.status().gates).toMatchObject([{ kind: 'budget', step: 'brief[3]/brief_reviewer' }]);
    expect(brief.states().at(-1)).toBe('review_step');
    await brief.world.update('extend_budget', { tokens: 1000 });
    await brief.settle();
    expect(brief.calls.slice(0, 3)).toEqual(['planner', 'executor', 'executor']);
  });
});

describe('minutes', () => {
  const HALF_HOUR = 1_800_000;
  /** Replies that take their time. */
  function slow(takes: Record<string, [ms: number, reply: string]>) {
    const said = new Map<string, string>();
    const steps = Object.entries(takes).map(([role, [ms, reply]]): [string, StepBehaviour] => [
      `brief_${role}`,
      ({ call, input }) =>
        new Promise((resolve) => {
          const ref = artifact(`said-${call.options.address}`);
          said.set(ref.sha256, reply);
          const takesMs = Math.min(ms, (input.budget?.untilMs ?? Number.POSITIVE_INFINITY) - call.clock.now());
          const end: StepOutput = takesMs < ms ? { paused: { kind: 'budget', short: { kind: 'wallClock' } } } : { artifact: ref };
          call.clock.after(takesMs, () => resolve(end));
        }),
    ]);
    return { steps: Object.fromEntries(steps), documents: (sha256: string) => said.get(sha256) ?? null };
  }
  const ONE = { planner: [block(plan(subTask('a')))], reviewer: [judges('a', 'pass')] };
  const pass = async ({ world }: Awaited<ReturnType<typeof played>>, ms: number) => {
    world.clock.after(ms, () => undefined);
    const until = world.clock.now() + ms;
    await world.elapse(() => world.clock.now() >= until);
  };

  it('rest while a person is asked, in whichever execution', async () => {
    const fresh = freshly();
    const brief = playBrief({ says: ONE, mode: 'gated', historyIsFull: fresh.historyIsFull, ...slow({ executor: [600_000, does('a')] }) });
    await brief.settle();
    await pass(brief, HALF_HOUR);
    await fresh.again(brief.world);
    await pass(brief, HALF_HOUR);
    expect(brief.world.step('brief').budget?.wallClockMs).toMatchObject({ ceiling: 1_200_000, spent: 0 });
    for (const gate of ['brief[2]/brief_confirm', 'brief[3]/brief_confirm']) {
      brief.world.signal('respond', { step: gate, by: 'ann', response: 'confirm' });
      await brief.settle();
    }
    await pass(brief, 600_000);
    await brief.settle();
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.world.step('brief').budget?.wallClockMs).toMatchObject({ spent: 600_000 });
  });

  it('rest while the run is paused, in whichever execution', async () => {
    const fresh = freshly();
    const brief = playBrief({ says: ONE, historyIsFull: fresh.historyIsFull, ...slow({ executor: [600_000, does('a')] }) });
    await brief.settle();
    await pass(brief, 300_000);
    await brief.world.update('pause', { by: 'ops' });
    await pass(brief, HALF_HOUR);
    await fresh.again(brief.world);
    await pass(brief, HALF_HOUR);
    expect(brief.world.status().state).toBe('paused');
    expect(brief.world.step('brief').budget?.wallClockMs).toMatchObject({ spent: 300_000 });
    await brief.world.update('unpause', { by: 'ops' });
    await brief.settle();
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.world.step('brief').budget?.wallClockMs).toMatchObject({ spent: 300_000 });
  });

  it('hold the brief when they are used up; a person who comes late raises them by what the work needs', async () => {
    const brief = playBrief({ says: ONE, ...slow({ executor: [HALF_HOUR, does('a')] }) });
    await brief.settle();
    await pass(brief, 1_200_000);
    await brief.settle();
    expect(brief.world.status().gates).toMatchObject([{ kind: 'budget', step: 'brief[2]/brief_executor' }]);
    await pass(brief, 10 * HALF_HOUR);
    await brief.world.update('extend_budget', { wall_clock: '60m' });
    await brief.settle();
    expect(brief.world.status().gates).toEqual([]);
    await pass(brief, HALF_HOUR);
    await brief.settle();
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.calls).toEqual(['planner', 'reviewer']);
  });

  it('hold it once more at the ceiling that a person has raised them to, and nobody is asked twice', async () => {
    const brief = playBrief({ says: ONE, ...slow({ executor: [2 * HALF_HOUR, does('a')] }) });
    await brief.settle();
    for (const [usedMs, more] of [
      [1_200_000, '40m'],
      [2_400_000, '120m'],
    ] as const) {
      await pass(brief, 1_200_000);
      await brief.settle();
      expect(brief.world.status().gates).toMatchObject([{ kind: 'budget', step: 'brief[2]/brief_executor' }]);
      expect(brief.world.step('brief').budget?.wallClockMs).toMatchObject({ ceiling: usedMs, spent: usedMs });
      await brief.world.update('extend_budget', { wall_clock: more });
      await brief.settle();
    }
    await pass(brief, 2 * HALF_HOUR);
    await brief.settle();
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.calls).toEqual(['planner', 'reviewer']);
  });
});

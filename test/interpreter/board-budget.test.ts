import { coder, completes, type Member, notes, playBoard, rows, toTheEnd } from './board-play';
import { freshly } from './program';
import { need } from './spending';

/** What a team may use, and what a task of it may. */

const task = (subject: string) => ({ subject });
const ALONE = { members: [coder('alice')] };

/** Uses so many tokens for each task, three times, and completes it. */
const using =
  (count: number): Member =>
  async (work) => {
    if (work.text.includes('Task #')) for (let i = 0; i < 3; i++) await work.uses(count);
    return completes(work);
  };

describe('the budget of a task', () => {
  it('ends the work that has used it up: the task is held, and a person is asked what was used of what', async () => {
    const played = playBoard({
      tasks: [task('one'), task('two')],
      member: async (work) => (work.text.includes('Task #1') ? using(40)(work) : using(10)(work)),
      step: { ...ALONE, taskBudget: { tokens: 100 } },
    });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    expect(played.world.status().gates).toMatchObject([{ step: 'team[1]/team_person' }]);
    expect(Object.entries(played.world.composed).find(([address]) => address.includes('/question-1'))?.[1]).toMatchObject({
      value: {
        task: '#1: one',
        came_back_from: 'alice',
        reason: 'its budget is used up: 80 of 100 tokens; the next reply may take 40 tokens',
      },
    });
    await played.world.update('reject', { step: played.world.status().gates[0]?.step, by: 'ann' });
    await played.world.elapse();
    await expect(played.world.result).rejects.toMatchObject({ code: 'board.unfinished' });
    // The member has not failed, and has done the other task meanwhile.
    expect(notes(played, 'work-ended')[0]).toMatchObject({ member: 'alice', end: 'spent' });
    expect(notes(played, 'failed')).toEqual([]);
    expect(played.works.map((text) => /Task #\d/.exec(text)?.[0])).toEqual(['Task #1', 'Task #2']);
    expect(played.world.journal()).toContainEqual(
      expect.objectContaining({ kind: 'budget', step: 'team[1]/team_coder', event: 'reached' }),
    );
  });

  it('is fresh when a person has the task tried again, with the conversation so far', async () => {
    let each = 40;
    const contexts: unknown[] = [];
    const played = playBoard({
      tasks: [task('one')],
      member: (work) => {
        contexts.push(work.input.member?.context);
        return using(each)(work);
      },
      step: { ...ALONE, taskBudget: { tokens: 100 } },
    });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    each = 30;
    await played.world.update('approve', { step: played.world.status().gates[0]?.step, by: 'ann' });
    await toTheEnd(played);
    expect(contexts.at(-1)).toMatchObject([{ name: 'context-alice' }]);
    expect(rows(played, 'tasks')).toMatchObject([{ status: 'completed', tokens: 170, cost: 0 }]);
  });

  it('is what is left after others have tried it, and it is tried by nobody once it is used up', async () => {
    const budgets: unknown[] = [];
    const member: Member = async (work) => {
      if (!work.text.includes('Task #')) return undefined;
      if (!work.input.spent) budgets.push([work.member, work.input.budget?.tokens]);
      await work.uses(50);
      await work.ask({ kind: 'fail_task', reason: `${work.member} cannot` });
      return undefined;
    };
    const played = playBoard({
      tasks: [task('one')],
      member,
      step: { members: [coder('alice'), coder('bob')], taskBudget: { tokens: 100 }, attempts: 10 },
    });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    // Each member is called again with its answers, and bob once more to end.
    expect([...new Map(budgets.map((row) => [JSON.stringify(row), row])).values()]).toEqual([
      ['alice', 100],
      ['bob', 50],
    ]);
    expect(notes(played, 'returned')).toMatchObject([
      { reason: 'alice cannot' },
      { reason: 'its budget is used up: 100 of 100 tokens; bob cannot' },
    ]);
    expect(notes(played, 'held')).toHaveLength(1);
  });

  it.each([[{}], [{ waits: true as const }]])('is that of one task: a claimed one has a work of its own (%j)', async (asks) => {
    const member: Member = async (work) => {
      if (!work.text.includes('<auto-claimed>')) {
        await work.ask({ kind: 'claim_task', task: 1 });
        return { workEnd: 'claimed' };
      }
      await work.uses(60);
      await work.ask({ kind: 'complete_task' });
      if (!work.text.includes('Task #1')) return undefined;
      expect(await work.ask({ kind: 'claim_task', task: 2 })).toMatchObject({ begins_with_next_work: true });
      return { workEnd: 'claimed' };
    };
    const prompted = { ...coder('alice'), prompt: { sha256: 'p'.repeat(64), sizeBytes: 1, mediaType: 'text/plain' } };
    const played = playBoard({
      tasks: [task('one'), task('two')],
      member,
      step: { members: [prompted] as never, taskBudget: { tokens: 100 } },
      ...asks,
    });
    await toTheEnd(played);
    expect(rows(played, 'tasks')).toMatchObject([
      { status: 'completed', tokens: 60 },
      { status: 'completed', tokens: 60 },
    ]);
  });

  it('is that of agents, too, which the member spawns: one that reaches it fails, and its member goes on with the rest', async () => {
    const results: unknown[] = [];
    const member: Member = async (work) => {
      const { input, seen } = work;
      if (input.spawn) return need(120, input);
      if (!work.text.includes('Task #')) return undefined;
      await work.uses(40);
      const children = [{ id: `${seen.call.options.address}/spawn-1`, agent: 'tester', task: 'look' }];
      if (!input.spawned) return { paused: { kind: 'spawned', children } };
      results.push(...input.spawned);
      return completes(work);
    };
    const played = playBoard({ tasks: [task('one')], member, step: { ...ALONE, taskBudget: { tokens: 100 } } });
    await toTheEnd(played);
    expect(results[0]).toMatchObject({ error: { code: 'board.task-spent' } });
    expect(rows(played, 'tasks')).toMatchObject([{ status: 'completed', tokens: 40 }]);
    expect(notes(played, 'held')).toEqual([]);
  });

  it('does not hold a task that was completed before', async () => {
    const member: Member = async (work) => {
      if (!work.text.includes('Task #')) return undefined;
      await work.uses(90);
      await work.ask({ kind: 'complete_task' });
      await work.uses(90);
      return undefined;
    };
    const played = playBoard({ tasks: [task('one'), task('two')], member, step: { ...ALONE, taskBudget: { tokens: 100 } } });
    await toTheEnd(played);
    expect(notes(played, 'held')).toEqual([]);
    expect(notes(played, 'work-ended')).toMatchObject([{ end: 'spent' }, { end: 'spent' }]);
  });

  it('counts the time of all works', async () => {
    const member: Member = async (work) => {
      if (!work.text.includes('Task #')) return undefined;
      await work.takes(40_000);
      if (work.input.spent) return { workEnd: 'spent', short: work.input.spent };
      await work.ask({ kind: 'fail_task', reason: 'not yet' });
      return undefined;
    };
    const played = playBoard({ tasks: [task('one')], member, step: { ...ALONE, taskBudget: { wallClockMs: 60_000 }, attempts: 10 } });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    expect(notes(played, 'returned')).toMatchObject([
      { reason: 'not yet' },
      { reason: expect.stringContaining('its budget is used up: 1 min 00 s of 1 min 00 s') },
    ]);
  });

  it('is counted the same when each wait falls into another execution', async () => {
    const { historyIsFull, toTheEnd: freshToTheEnd } = freshly();
    const played = playBoard({
      tasks: [task('one'), task('two')],
      member: using(40),
      step: { ...ALONE, taskBudget: { tokens: 130 } },
      historyIsFull,
    });
    await freshToTheEnd(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(rows(played, 'tasks')).toMatchObject([{ tokens: 120 }, { tokens: 120 }]);
  });

  it('ends a work in the same way when each wait falls into another execution, and is fresh afterwards', async () => {
    const { historyIsFull, toTheEnd: freshToTheEnd } = freshly();
    let each = 40;
    const options = { tasks: [task('one')], step: { ...ALONE, taskBudget: { tokens: 100 } }, historyIsFull };
    const played = playBoard({ ...options, member: (work) => using(each)(work) });
    await freshToTheEnd(played.world);
    expect(notes(played, 'returned')).toMatchObject([
      { reason: 'its budget is used up: 80 of 100 tokens; the next reply may take 40 tokens' },
    ]);
    each = 20;
    await played.world.update('approve', { step: played.world.status().gates[0]?.step, by: 'ann' });
    await freshToTheEnd(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(rows(played, 'tasks')).toMatchObject([{ status: 'completed', tokens: 140 }]);
    expect(notes(played, 'held')).toHaveLength(1);
  });

  it('asks once whether agents of unknown cost may work, for all works', async () => {
    const member: Member = async (work) => {
      if (!work.text.includes('Task #')) return undefined;
      if (work.input.budget?.onUnknownCost !== 'allow') return { paused: { kind: 'budget', short: { kind: 'unknownCost', model: 'm' } } };
      await completes(work);
      return { usage: { inputTokens: 5, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null } };
    };
    const played = playBoard({ tasks: [task('one'), task('two')], member, step: { ...ALONE, taskBudget: { costMicroUsd: 1_000_000 } } });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    expect(played.world.status().gates).toMatchObject([{ step: 'team[1]/team_coder', kind: 'budget' }]);
    await played.world.update('extend_budget', { step: 'team[1]/team_coder', on_unknown_cost: 'allow' });
    await toTheEnd(played);
    // Nobody knows what it has cost, and it is no zero.
    expect(rows(played, 'tasks')).toMatchObject([
      { status: 'completed', tokens: 5, cost: null },
      { status: 'completed', tokens: 5, cost: null },
    ]);
  });
});

describe('the budget of the step', () => {
  it('holds the team, which goes on when it is extended: what was done stays done', async () => {
    const played = playBoard({
      tasks: [task('one'), task('two'), task('three')],
      member: using(20),
      step: { ...ALONE, budget: { tokens: 130 } },
    });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    expect(played.world.status()).toMatchObject({ state: 'held' });
    expect(played.world.status().gates).toMatchObject([{ step: 'team[3]/team_coder', kind: 'budget' }]);
    expect(notes(played, 'completed')).toMatchObject([{ task: 1 }, { task: 2 }]);
    await played.world.update('extend_budget', { step: 'team', tokens: 200 });
    await toTheEnd(played);
    expect(notes(played, 'completed')).toMatchObject([{ task: 1 }, { task: 2 }, { task: 3 }]);
    expect(notes(played, 'returned')).toEqual([]);
    expect(rows(played, 'tasks')).toMatchObject([{ tokens: 60 }, { tokens: 60 }, { tokens: 60 }]);
  });

  it('ends the run if a person wants no more: nobody has failed, and nothing is tried again', async () => {
    const played = playBoard({ tasks: [task('one'), task('two')], member: using(20), step: { ...ALONE, budget: { tokens: 70 } } });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    await played.world.update('abort', { by: 'ann' });
    await played.world.elapse();
    await expect(played.world.result).rejects.toMatchObject({ code: 'run.aborted' });
    expect(notes(played, 'failed')).toEqual([]);
    expect(notes(played, 'completed')).toMatchObject([{ task: 1 }]);
  });
});

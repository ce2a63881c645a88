import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { board, coder, completes, type Member, notes, plan, playBoard, rows } from './board-play';
import { freshly } from './program';

const task = (subject: string, more = {}) => ({ subject, ...more });
const TEAM = { members: [coder('alice'), coder('bob')] };

describe('the cases of the seed', () => {
  it('three tasks and two teammates: all are claimed without assignment', async () => {
    const played = playBoard({ tasks: ['one', 'two', 'three'].map((subject) => task(subject)), step: TEAM });
    await played.world.completes();
    expect(played.works).toEqual([
      'alice: <auto-claimed>Task #1: one</auto-claimed>',
      'bob: <auto-claimed>Task #2: two</auto-claimed>',
      'alice: <auto-claimed>Task #3: three</auto-claimed>',
    ]);
    expect(played.output()).toMatchObject({ team: 'research', end: 'done' });
    expect(rows(played, 'tasks')).toMatchObject([
      { number: 1, status: 'completed', owner: 'alice', claim_source: 'auto', attempts: 1, result: 'done 1' },
      { number: 2, owner: 'bob' },
      { number: 3, owner: 'alice' },
    ]);
    expect(rows(played, 'members')).toMatchObject([
      { name: 'alice', status: 'shutdown', works: 2 },
      { name: 'bob', status: 'shutdown', works: 1 },
    ]);
  });

  it('a coder that a lead spawns finds work by itself', async () => {
    const lead: Member = async (work) => {
      if (work.member !== 'lead') return completes(work);
      await work.ask({ kind: 'create_task', task: task('one') });
      await work.ask({ kind: 'spawn_teammate', name: 'carol', agent: 'coder' });
      return undefined;
    };
    const played = playBoard({ member: lead, step: { members: [{ name: 'lead', agent: 'coder', isLead: true }], spawns: ['coder'] } });
    await played.world.completes();
    expect(played.works.at(-1)).toBe('carol: <auto-claimed>Task #1: one</auto-claimed>');
    expect(rows(played, 'tasks')).toMatchObject([{ owner: 'carol', created_by: 'lead' }]);
  });

  it('the blocked order holds, by number: 10 comes after 2', async () => {
    const tasks = Array.from({ length: 11 }, (_, i) => task(`${i + 1}`, { name: `t${i + 1}`, ...(i === 1 ? { blockedBy: ['t11'] } : {}) }));
    const played = playBoard({ tasks, step: { members: [coder('alice')] } });
    await played.world.completes();
    expect(played.works.map((work) => Number(/#(\d+)/.exec(work)?.[1]))).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 2]);
  });
});

describe('a member that is idle', () => {
  const spawns = (ms: number): Member => {
    return async (work) => {
      if (work.member !== 'lead') return completes(work);
      await work.takes(ms);
      await work.ask({ kind: 'create_task', task: task('late') });
      return undefined;
    };
  };
  const led = { members: [{ name: 'lead', agent: 'coder', isLead: true as const }, coder('alice')] };

  it.each([
    [59_999, ['claimed', 'shutdown']],
    // It is started again for what nobody else could do.
    [60_001, ['shutdown', 'claimed', 'shutdown']],
  ])('shuts down after a minute in which nothing came: a task comes after %d ms', async (ms, expected) => {
    const played = playBoard({ member: spawns(ms), step: led });
    await played.world.completes();
    const told = played.world.journal().flatMap((entry) => {
      if (entry.kind !== 'board') return [];
      if (entry.event === 'claimed') return [entry.event];
      return entry.event === 'shutdown' && entry.member === 'alice' ? [entry.event] : [];
    });
    expect(told).toEqual(expected);
  });

  it('costs nothing: one wait, and no activity', async () => {
    const played = playBoard({ tasks: [task('one')], step: { members: [coder('alice')], idleMs: 86_400_000 } });
    await played.world.completes();
    expect(played.world.calls.filter(({ name }) => name === 'agent')).toHaveLength(2);
  });
});

describe('a task that is not done', () => {
  it('is reminded of once, and then goes back', async () => {
    const played = playBoard({ tasks: [task('one')], member: () => undefined, step: { members: [coder('alice')], attempts: 1 } });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    expect(played.works[1]).toContain('You still own #1: one.');
    expect(notes(played, 'returned')).toMatchObject([{ task: 1, reason: expect.stringContaining('not_completed: ') }]);
    expect(played.world.status().gates).toHaveLength(1);
  });

  it.each([
    ['approve', 'completed'],
    ['reject', 'failed'],
  ])('is held after its attempts, and a person decides once: %s', async (choice, end) => {
    let isLate = false;
    const member: Member = (work) => (isLate ? completes(work) : undefined);
    const played = playBoard({ tasks: [task('one')], member, step: { members: [coder('alice')], attempts: 1 } });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    isLate = true;
    const [gate] = played.world.status().gates;
    await played.world.update(choice, { step: gate?.step, by: 'ann' });
    await played.world.elapse();
    const ended = await played.world.result.then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Error ? 'failed' : ''),
    );
    expect(ended).toBe(end);
  });

  it('goes back when its member fails for good, and another member does it', async () => {
    const member: Member = (work) => {
      if (work.member === 'alice') throw new ThermidorFailure('model.unauthorized', 'the key is refused');
      return completes(work);
    };
    const played = playBoard({ tasks: [task('one')], member, step: TEAM });
    await played.world.completes();
    expect(rows(played, 'tasks')).toMatchObject([{ owner: 'bob', attempts: 2, returned: { by: 'alice' } }]);
    expect(rows(played, 'members')).toMatchObject([{ name: 'alice', status: 'failed' }, { name: 'bob' }]);
  });
});

describe('requests of members', () => {
  it('a second claim is refused, with who has the task', async () => {
    const answers: Json[] = [];
    const member: Member = async (work) => {
      if (work.member === 'bob') answers.push(await work.ask({ kind: 'claim_task', task: 1 }));
      return completes(work);
    };
    const played = playBoard({ tasks: [task('one'), task('two')], member, step: TEAM });
    await played.world.elapse();
    await played.world.result;
    expect(answers[0]).toMatchObject({ refused: 'already_claimed', by: 'alice' });
  });

  it('a plan waits for a person if no agent leads, and the call gets the answer', async () => {
    const answers: Json[] = [];
    const member: Member = async (work) => {
      answers.push(await work.ask(plan('first this', work)));
      return completes(work);
    };
    const played = playBoard({ tasks: [task('one')], member, step: { members: [coder('alice')] } });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    const [gate] = played.world.status().gates;
    await played.world.update('approve', { step: gate?.step, by: 'ann', comment: 'go on' });
    await played.world.completes();
    expect(answers[0]).toMatchObject({ approved: true });
  });
});

it('a list with a circle fails the step, with the chain', async () => {
  const tasks = [task('a', { name: 'a', blockedBy: ['b'] }), task('b', { name: 'b', blockedBy: ['a'] })];
  const played = playBoard({ tasks, step: TEAM });
  await played.world.elapse();
  await expect(played.world.result).rejects.toMatchObject({ message: expect.stringContaining('cycle (chain: a → b → a)') });
});

it('tasks that nobody could do fail the step', async () => {
  const played = playBoard({
    tasks: [task('a', { requiredRole: 'tester' })],
    step: { members: [coder('alice', 'tester')], idleMs: 1000 },
    member: async (work) => {
      const [, number] = /#(\d+)/.exec(work.text) ?? [];
      if (number) await work.ask({ kind: 'fail_task', task: Number(number), reason: 'it cannot be done' });
      return undefined;
    },
  });
  await played.world.elapse(() => played.world.status().gates.length > 0);
  const [gate] = played.world.status().gates;
  await played.world.update('reject', { step: gate?.step, by: 'ann' });
  await played.world.elapse();
  await expect(played.world.result).rejects.toMatchObject({ message: expect.stringContaining('#1 a (dropped)') });
});

it('continues in a fresh execution at every wait: nothing is done twice', async () => {
  const fresh = freshly();
  const played = playBoard({
    tasks: ['one', 'two', 'three', 'four'].map((subject) => task(subject)),
    step: TEAM,
    historyIsFull: fresh.historyIsFull,
  });
  await fresh.toTheEnd(played.world);
  await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  expect(played.world.executions).toBeGreaterThan(3);
  expect(played.works).toHaveLength(4);
  expect(rows(played, 'tasks')).toMatchObject([{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }, { attempts: 1 }]);
});

it('shows the board and the team while it runs', async () => {
  const played = playBoard({ tasks: [task('one'), task('two', { blockedBy: [1] })], step: TEAM });
  await played.world.settle();
  expect(played.world.step('team')).toMatchObject({
    board: {
      team: 'research',
      completed: 0,
      total: 2,
      tasks: [
        { number: 1, status: 'in_progress', owner: 'alice' },
        { number: 2, status: 'pending', blockedBy: [1] },
      ],
      members: [
        { name: 'alice', status: 'working' },
        { name: 'bob', status: 'idle' },
      ],
    },
  });
  await played.world.elapse();
  expect(board().kind).toBe('board');
});

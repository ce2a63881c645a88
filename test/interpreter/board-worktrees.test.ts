import type { NewTask } from '../../plan/board/task';
import type { SubmitCandidateInput } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ClaimWorktreeInput, CloseWorktreeInput } from '../../plan/run/worktree-activities';
import { field } from '../../plan/text/json';
import { type BoardOptions, coder, completes, type Member, notes, type PlayedBoard, playBoard, rows, toTheEnd } from './board-play';
import { carry, rerun } from './carrying';
import { freshly } from './program';

/** Tasks with worktrees in a run: where members work, and how what they leave lands. */

const task = (subject: string, more: Partial<NewTask> = {}): NewTask => ({ name: subject, subject, ...more });
const TEAM = { members: [coder('alice'), coder('bob')], worktree: {}, lands: { into: 'main', test: 'npm test' } };
const red: TicketOutcome = { kind: 'red', onto: 'tip', result: 'r', of: 'queue', reason: 'exit code 1', tail: 'FAIL parser' };

interface Played extends PlayedBoard {
  submitted: SubmitCandidateInput[];
  claims: ClaimWorktreeInput[];
  closed: CloseWorktreeInput[];
  /** Where each call worked: `alice team[1]`. */
  where: string[];
}

/** Leaves a commit, and completes the task that it was given. */
const changes: Member = async (work) => {
  if (work.input.worktree)
    work.leaves(`${work.member}-${/Task #(\d+)/.exec(work.text)?.[1]}-${work.seen.call.options.address?.match(/\d+/)?.[0]}`);
  return completes(work);
};

interface Options extends BoardOptions {
  /** `time` counts the offers of a task. */
  landed?: (input: SubmitCandidateInput, time: number) => TicketOutcome | 'later';
}

function play({ landed = () => ({ kind: 'merged', result: 'm' }), step, member = changes, ...more }: Options = {}): Played {
  const [submitted, claims, closed, where]: [SubmitCandidateInput[], ClaimWorktreeInput[], CloseWorktreeInput[], string[]] = [
    [],
    [],
    [],
    [],
  ];
  const played = playBoard({
    step: { ...TEAM, worktrees: true, ...step },
    member: (work) => {
      where.push(`${work.member} ${work.input.worktree?.slot ?? 'nowhere'}`);
      return member(work);
    },
    claim: ({ input }) => {
      claims.push(input);
      const { slot, carried, held } = input;
      const { base, commit } = carried ?? held ?? { base: 'base', commit: 'base' };
      const lease = { slot, epoch: (held?.epoch ?? 0) + 1, host: `host-${(held?.epoch ?? 0) + 1}`, repository: '/r', base, commit };
      return { ...lease, refsIn: 'repository', branch: slot, silentMs: 1000 };
    },
    submit: ({ input }) => {
      submitted.push(input);
      const outcome = landed(input, submitted.filter(({ title }) => title === input.title).length);
      return { queue: 'queue:/r#main', ticket: submitted.length, ...(outcome === 'later' ? {} : { outcome }) };
    },
    close: async ({ input }) => void closed.push(input),
    ...more,
  });
  return { ...played, submitted, claims, closed, where };
}

const once = (list: readonly string[]) => [...new Set(list)];
/** How many worktrees the run knew of whenever an execution ended. */
const known = ({ world }: Played) => world.states.map((state) => Object.keys(field(state, 'worktrees') ?? {}).length);
const worktrees = (played: Played) =>
  played.world.journal().flatMap((entry) => (entry.kind === 'worktree' ? [`${entry.step} ${entry.event}`] : []));

it('each task is done in a worktree of its own, and completed once it has landed: only then what waits for it begins', async () => {
  const played = play({ tasks: [task('one'), task('two', { blockedBy: ['one'] }), task('look', { worktree: false })] });
  await toTheEnd(played);
  expect(once(played.where).sort()).toEqual(['alice team[1]', 'bob nowhere', 'bob team[2]']);
  expect(played.claims).toMatchObject([
    { slot: 'team[1]', label: 'one' },
    { slot: 'team[2]', label: 'two' },
  ]);
  expect(played.submitted).toMatchObject([
    {
      title: '#1: one',
      author: 'alice',
      into: 'main',
      baseline: 'npm test',
      from: { slot: 'team[1]', commit: 'alice-1-1', ref: expect.any(String) },
    },
    { title: '#2: two', from: { slot: 'team[2]' } },
  ]);
  expect(rows(played, 'tasks')).toMatchObject([
    { status: 'completed', worktree: 'one', commit: 'm', attempts: 1 },
    { status: 'completed', worktree: 'two', commit: 'm' },
    { status: 'completed' },
  ]);
  expect(notes(played, 'claimed')).toMatchObject([{ worktree: 'one' }, { task: 3 }, { worktree: 'two' }]);
  expect(worktrees(played).sort()).toEqual(['team[1] made', 'team[1] removed', 'team[2] made', 'team[2] removed']);
  expect(played.closed).toMatchObject([{ spares: true }, { spares: true }]);
});

it('members go on with other work while the queue is at it, and the board shows what lands', async () => {
  let shown: unknown;
  let idle: unknown;
  const played: Played = play({
    tasks: [task('one'), task('two')],
    step: { members: [coder('alice')] },
    landed: ({ title }) => {
      shown ??= played.world.step('team').board?.tasks;
      return title.startsWith('#1') ? 'later' : { kind: 'merged', result: 'm' };
    },
    outcome: ({ clock }) => {
      idle = played.world.step('team').board?.members[0];
      return clock.now() < 600_000 ? {} : { outcome: { kind: 'merged', result: 'late' } };
    },
  });
  await toTheEnd(played);
  expect(shown).toMatchObject([{ status: 'landing', owner: 'alice' }, { status: 'pending' }]);
  expect(rows(played, 'tasks')).toMatchObject([{ commit: 'late' }, { commit: 'm' }]);
  expect(once(played.where)).toEqual(['alice team[1]', 'alice team[2]']);
  expect(idle).toMatchObject({ status: 'idle' });
  expect(idle).not.toHaveProperty('until');
  // It waits for what the queue may give back, however long that takes.
  expect(notes(played, 'shutdown')).toHaveLength(1);
});

it('what comes back is its owner’s again, in the same worktree, brought up to date, with the reason', async () => {
  const ontos: unknown[] = [];
  const played = play({
    tasks: [task('one'), task('two')],
    landed: ({ title }, time) => (title.startsWith('#1') && time === 1 ? red : { kind: 'merged', result: 'm' }),
    member: async (work) => {
      if (work.text.includes('Task #1')) ontos.push(work.input.worktree?.onto);
      return changes(work);
    },
  });
  await toTheEnd(played);
  const again = played.works.find((text) => text.includes('came back'));
  expect(again).toMatch(/^alice: <auto-claimed>Task #1: one<\/auto-claimed>/);
  expect(again).toContain('It came back from the merge queue: its tests fail in the merged tree: exit code 1');
  expect(again).toContain('<inbox>');
  expect(played.world.composed['team#1~1/returned-1-1']).toMatchObject({ value: expect.stringContaining('FAIL parser') });
  expect(once(ontos.map(String))).toEqual(['undefined', 'tip']);
  expect(played.claims.map(({ slot }) => slot)).toEqual(['team[1]', 'team[2]']);
  expect(rows(played, 'tasks')).toMatchObject([{ owner: 'alice', attempts: 2 }, { attempts: 1 }]);
  expect(played.submitted.filter(({ title }) => title.startsWith('#1')).map(({ from }) => from.commit)).toEqual([
    'alice-1-1',
    expect.not.stringContaining('alice-1-1'),
  ]);
});

it('another owner, as another agent, goes on in the same worktree', async () => {
  const played = play({
    tasks: [task('one')],
    step: { members: [coder('alice'), { name: 'tess', agent: 'tester' }] },
    member: async (work) => {
      if (work.member === 'tess') return changes(work);
      work.leaves('half');
      throw new ThermidorFailure('model.refused', 'no');
    },
  });
  await toTheEnd(played);
  expect(once(played.where)).toEqual(['alice team[1]', 'tess team[1]']);
  expect(played.claims).toHaveLength(1);
  expect(rows(played, 'tasks')).toMatchObject([{ owner: 'tess', attempts: 2, commit: 'm', worktree: 'one' }]);
});

describe('a task that comes while the team works, and asks for a worktree', () => {
  const creating =
    (said: unknown[]): Member =>
    async (work) => {
      if (work.text.includes('Task #1')) said.push(await work.ask({ kind: 'create_task', task: task('more', { worktree: true }) }));
      return changes(work);
    };

  it('is done there: of a member, and of a person', async () => {
    const said: unknown[] = [];
    const played = play({ tasks: [task('one', { worktree: 'w' })], step: { worktrees: undefined as never }, member: creating(said) });
    await played.world.settle();
    await played.world.update('task', { subject: 'third', by: 'fran', worktree: 'by-hand' });
    await toTheEnd(played);
    expect(said[0]).toMatchObject({ created: { id: 2, worktree: 'more' } });
    expect(played.claims.map(({ slot, label }) => `${slot} ${label}`).sort()).toEqual(['team[1] w', 'team[2] more', 'team[3] by-hand']);
    expect(
      once(played.where)
        .map((one) => one.split(' ')[1])
        .sort(),
    ).toEqual(['team[1]', 'team[2]', 'team[3]']);
    expect(rows(played, 'tasks')).toMatchObject([{ commit: 'm' }, { commit: 'm' }, { commit: 'm' }]);
  });

  it('is refused where the step makes none, and nobody works on it in the checkout', async () => {
    const said: unknown[] = [];
    const played = play({
      tasks: [task('one')],
      step: { worktree: undefined as never, worktrees: undefined as never },
      member: creating(said),
    });
    await played.world.settle();
    const order = { subject: 'two', by: 'fran', worktree: true };
    await expect(played.world.update('task', order)).rejects.toMatchObject({
      message: expect.stringContaining('needs the key `worktree`'),
    });
    await toTheEnd(played);
    expect(said[0]).toMatchObject({ refused: 'unfit', task: 'more', worktree: true });
    expect(rows(played, 'tasks')).toHaveLength(1);
    expect(played.works).toHaveLength(1);
  });
});

it('what a member gives back is tried by another once its turn in the worktree is over', async () => {
  const played = play({
    tasks: [task('one')],
    member: async (work) => {
      if (work.member === 'bob') return changes(work);
      await work.ask({ kind: 'fail_task', task: 1, reason: 'no luck' });
      for (const n of [1, 2, 3]) {
        work.leaves(`alice-${n}`);
        await work.takes(1000);
        // Its call ends here, and another one could take the worktree.
        await work.ask({ kind: 'list_tasks' });
      }
      return undefined;
    },
  });
  await toTheEnd(played);
  expect(played.where.lastIndexOf('alice team[1]')).toBeGreaterThan(0);
  expect(played.where.lastIndexOf('alice team[1]')).toBeLessThan(played.where.indexOf('bob team[1]'));
  const [begun] = played.world.seen.filter(({ input }) => input.member?.name === 'bob');
  expect(begun?.input.worktree).toMatchObject({ commit: 'alice-3' });
  expect(rows(played, 'tasks')).toMatchObject([{ owner: 'bob', attempts: 2, commit: 'm' }]);
});

it('a claim by hand ends the turn, and the next one begins in the worktree; a reminder is there, too', async () => {
  const played = play({
    tasks: [task('one')],
    step: { members: [{ ...coder('alice'), isLead: true }] },
    async member(work) {
      if (!work.input.worktree) await work.ask({ kind: 'claim_task', task: 1 });
      if (!work.text.includes('You still own #1')) return undefined;
      work.leaves('c');
      await work.ask({ kind: 'complete_task' });
      return undefined;
    },
  });
  await toTheEnd(played);
  expect(once(played.where)).toEqual(['alice nowhere', 'alice team[1]']);
  expect(played.works).toEqual([
    expect.stringContaining('There is no task for you yet'),
    expect.stringMatching(/^alice: <auto-claimed>Task #1: one<\/auto-claimed>\n\nYou are in the worktree of this task\. .* lands in main/),
    expect.stringContaining('You still own #1'),
  ]);
  expect(rows(played, 'tasks')).toMatchObject([{ attempts: 1, claim_source: 'manual', commit: 'm' }]);
});

it('a member with two tasks, one of which came back while it did the other, is reminded of each in its own worktree', async () => {
  const played: Played = play({
    tasks: [task('one'), task('two')],
    step: { members: [coder('alice')] },
    landed: ({ title }, time) => (title.startsWith('#1') && time === 1 ? 'later' : { kind: 'merged', result: 'm' }),
    outcome: () => ({ outcome: red }),
    async member(work) {
      const isFirst = work.input.worktree?.slot === 'team[1]' && !work.text.includes('came back');
      if (isFirst || work.text.includes('You still own')) return changes(work);
      // Meanwhile the other one comes back.
      await work.takes(600_000);
      return undefined;
    },
  });
  await toTheEnd(played);
  const reminders = played.works.filter((text) => text.includes('You still own'));
  expect(reminders).toEqual([expect.stringContaining('You still own #1: one.'), expect.stringContaining('You still own #2: two.')]);
  expect(notes(played, 'returned')).toMatchObject([{ task: 1, by: 'the merge queue' }]);
  expect(rows(played, 'tasks')).toMatchObject([
    { attempts: 2, commit: 'm' },
    { attempts: 1, commit: 'm' },
  ]);
});

it.each(['worktree.unavailable', 'repository.unusable'] as const)(
  'without a worktree there is no work (%s): the task goes back, and never to the checkout',
  async (code) => {
    const played = play({
      tasks: [task('one'), task('look', { worktree: false })],
      step: { members: [coder('alice')], attempts: 2 },
      claim: () => {
        throw new ThermidorFailure(code, 'this host has no such repository');
      },
    });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    expect(notes(played, 'returned')).toMatchObject([
      { task: 1, by: 'alice', reason: expect.stringContaining(code) },
      { task: 1, reason: expect.stringContaining('no such repository') },
    ]);
    expect(notes(played, 'failed')).toEqual([]);
    await played.world.update('reject', { step: played.world.status().gates[0]?.step, by: 'ann' });
    await played.world.elapse();
    await expect(played.world.result).rejects.toMatchObject({ message: expect.stringContaining('#1 one (dropped)') });
    expect(once(played.where)).toEqual(['alice nowhere']);
    expect(played.works.filter((text) => text.includes('Task #1'))).toEqual([]);
  },
);

it.each<[string, TicketOutcome]>([
  ['a red branch', { ...red, isTargets: true }],
  ['a checkout of the branch with changes', { kind: 'refused', message: 'main is checked out in /repo, which has changes' }],
  ['a merge that breaks again and again', { kind: 'failed', code: 'repository.unusable', message: 'no space left' }],
  ['a candidate that somebody took out of the queue', { kind: 'dropped', by: 'fran' }],
])('%s is nobody’s fault: a person is asked, and the same commit lands after that', async (_what, outcome) => {
  const played = play({
    tasks: [task('one')],
    landed: (_, time) => (time === 1 ? outcome : { kind: 'merged', result: 'm' }),
  });
  await played.world.elapse(() => played.world.status().gates.length > 0);
  await played.world.update('approve', { step: played.world.status().gates[0]?.step, by: 'ann' });
  await toTheEnd(played);
  expect(played.submitted.map(({ from }) => from.commit)).toEqual(['alice-1-1', 'alice-1-1']);
  expect(rows(played, 'tasks')).toMatchObject([{ attempts: 1, commit: 'm' }]);
});

it('a queue with another strategy than the file says fails the step: nobody in the team could mend it', async () => {
  const played = play({
    tasks: [task('one'), task('two')],
    step: { lands: { into: 'main', strategy: 'squash' } },
    submit: ({ input }) => {
      expect(input.strategy).toBe('squash');
      throw new ThermidorFailure('merge.strategy', 'the merge queue of main merges by "merge"');
    },
  });
  await played.world.elapse();
  await expect(played.world.result).rejects.toMatchObject({ code: 'merge.strategy' });
  expect(notes(played, 'returned')).toEqual([]);
});

it('a queue that cannot be asked is nobody’s fault either: no member works for it again', async () => {
  const played = play({
    tasks: [task('one')],
    step: { attempts: 2, members: [coder('alice')] },
    submit: () => {
      throw new ThermidorFailure('merge.refused', 'no queue for this branch');
    },
  });
  await played.world.elapse(() => played.world.status().gates.length > 0);
  expect(notes(played, 'returned')).toMatchObject([{ by: 'the merge queue', reason: 'merge.refused: no queue for this branch' }]);
  expect(played.works.filter((text) => text.includes('Task #1'))).toHaveLength(1);
});

it('over executions that end at each wait, nothing is offered or worked on twice', async () => {
  const { historyIsFull, toTheEnd: end } = freshly();
  const played = play({
    historyIsFull,
    tasks: ['one', 'two', 'three'].map((subject) => task(subject)),
    landed: ({ title }, time) => (title.startsWith('#2') && time === 1 ? red : { kind: 'merged', result: 'm' }),
  });
  await end(played.world);
  await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  expect(played.world.executions).toBeGreaterThan(3);
  expect(once(played.submitted.map(({ name }) => name)).sort()).toEqual(
    ['land-1-1', 'land-2-1', 'land-2-2', 'land-3-1'].map((key) => `team#1~1/${key}`),
  );
  expect(rows(played, 'tasks').map((row) => (row as { attempts: number }).attempts)).toEqual([1, 2, 1]);
  expect(Math.max(...known(played))).toBeGreaterThan(0);
  expect(known(played).at(-1)).toBe(0);
});

it('a rerun begins with what was left in worktrees', async () => {
  let isAble = false;
  const member: Member = async (work) => {
    if (isAble || !work.text.includes('Task #2')) return changes(work);
    work.leaves('half');
    await work.ask({ kind: 'fail_task', task: 2, reason: 'no access' });
    return undefined;
  };
  const options = { tasks: [task('one'), task('two')], member, step: { members: [coder('alice')], attempts: 1 } };
  const first = play(options);
  await first.world.elapse(() => first.world.status().gates.length > 0);
  await first.world.update('reject', { step: first.world.status().gates[0]?.step, by: 'ann' });
  await first.world.elapse();
  await first.world.result.catch(() => undefined);
  isAble = true;
  const again = play({ ...options, begin: (plan, more) => rerun(plan, carry(first.world, 'team').carry, more) });
  await toTheEnd(again);
  expect(again.claims).toMatchObject([{ slot: 'team[2]', carried: { commit: 'half' } }]);
  expect(once(again.where)).toEqual(['alice team[2]']);
});

it('a rerun offers again what was in the queue, without more work on it', async () => {
  const options = { tasks: [task('one')], step: { members: [coder('alice')] } };
  const first = play({ ...options, landed: () => 'later', outcome: () => ({}) });
  await first.world.elapse(() => first.submitted.length > 0);
  const again = play({ ...options, begin: (plan, more) => rerun(plan, carry(first.world, 'team').carry, more) });
  await toTheEnd(again);
  expect(again.submitted).toMatchObject([{ title: '#1: one', from: { slot: 'team[1]', commit: 'alice-1-1', madeIn: expect.anything() } }]);
  expect(again.where).toEqual([]);
  expect(rows(again, 'tasks')).toMatchObject([{ status: 'completed', commit: 'm', attempts: 1 }]);
});

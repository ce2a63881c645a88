import type { TaskGraph } from '../../kinds/caid/rules/task-graph';
import type { SubmitCandidateInput } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { StepOutput } from '../../plan/steps/step-activity';
import { deferred } from '../../workflows/interpreter/scheduling/deferred';
import { NotStarted } from '../../workflows/run-context';
import { held } from '../support/steps';
import { carry, rerun, settle } from './carrying';
import { freshly } from './program';
import { carriedTo, type InTurn, type Played, partsWith, play, type TeamOptions, titles, unit } from './team-play';

/** A team whose engineers share one checkout: only their instructions separate them, and every candidate has the work of all. */
const SLOT = 'build/build_engineer';
const both = { units: [unit('a'), unit('b')] };
const engineer = (number: number): string => `build[${number}]/build_engineer`;

function shared(graph: TaskGraph = both, { step, ...more }: TeamOptions = {}): Played & { closed: string[] } {
  const closed: string[] = [];
  const parts = partsWith({ worktree: { shared: true } });
  const played = play(graph, {
    close: ({ input }) => void closed.push(input.lease.slot),
    ...more,
    step: { isolation: 'shared', parts, ...step },
  });
  return { ...played, closed };
}

const rest = async ({ world }: Played): Promise<void> => {
  for (let i = 0; i < 3; i++) await settle(world);
};

const red = (task: string): NonNullable<TeamOptions['landed']> => {
  const outcome: TicketOutcome = { kind: 'red', of: 1, onto: 'x', result: 'y', reason: 'exit code 1', tail: 'half of another' };
  return ({ title }: SubmitCandidateInput, time) =>
    title.startsWith(task) && time === 1 ? outcome : { kind: 'merged', result: `on-${title}` };
};

/** Engineers that end when the test calls `end`. */
function inHand(...numbers: number[]): { inTurn: Record<string, InTurn>; end: (number: number) => void } {
  const ends = new Map(numbers.map((number) => [number, deferred<void>()]));
  const inTurn = Object.fromEntries(
    [...ends].map(([number, end]): [string, InTurn] => [engineer(number), (_seen, otherwise) => end.promise.then(otherwise)]),
  );
  return { inTurn, end: (number) => ends.get(number)?.resolve() };
}

/** Two engineers whose host is gone when they begin: the next claim gets another host. */
function lostHost(): { options: TeamOptions; lost: () => number } {
  let lost = 0;
  const gone: InTurn = ({ input }, otherwise) => {
    if (input.worktree?.epoch !== 1) return otherwise();
    lost += 1;
    throw new NotStarted();
  };
  const claim: TeamOptions['claim'] = ({ input: { slot, held: before } }) => {
    const epoch = (before?.epoch ?? 0) + 1;
    const at = { host: `host-${epoch}`, repository: '/r', refsIn: 'repository' } as const;
    return { ...at, slot, epoch, base: 'base', commit: 'base', branch: `thermidor/${slot}`, silentMs: 1000 };
  };
  return { options: { inTurn: { [engineer(1)]: gone, [engineer(2)]: gone }, claim }, lost: () => lost };
}

describe('engineers who share a checkout', () => {
  it('are at work in it at the same time, and it is made once', async () => {
    const { inTurn, end } = inHand(1, 2);
    const team = shared(both, { inTurn });
    await rest(team);
    expect(team.world.order().filter((address) => address.includes('engineer'))).toEqual([`${engineer(1)}#1~1`, `${engineer(2)}#1~1`]);
    expect(team.claims.filter(({ slot }) => slot === SLOT)).toHaveLength(1);
    end(2);
    await rest(team);
    expect(titles(team)).toEqual(['prepare build', 'b']);
    end(1);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(team.submitted.slice(1).map(({ from }) => from.slot)).toEqual([SLOT, SLOT]);
  });

  it('keep it until all of them are done; then it is closed, before the last tests', async () => {
    const { inTurn, end } = inHand(2);
    const team = shared(both, { inTurn, step: { testEnd: 'npm test' } });
    await rest(team);
    expect(titles(team)).toEqual(['prepare build', 'a']);
    expect(team.closed).toEqual(['build[1]/build_manager']);
    end(2);
    await team.world.result;
    expect(team.closed.filter((slot) => slot === SLOT)).toHaveLength(1);
    const names = team.world.calls.map(({ name, options }) => `${name} ${options.address}`);
    expect(names.indexOf(`closeWorktree ${SLOT}#1~1/close-worktree`)).toBeLessThan(names.indexOf('command build[3]/build_tests#1~1'));
  });

  it('read whose the files are, and the merge queue holds none of them to it', async () => {
    const index = unit('b', ['a'], { files: ['src/index.js'] });
    const team = shared({ units: [unit('a'), index], restricted: ['lib/**'] });
    await team.world.result;
    const [first] = team.assignments();
    expect(first).toMatchObject({ target_files: ['src/a.js'], owned_by_others: [{ task_id: 'b', target_files: ['src/index.js'] }] });
    const { restricted_files: patterns } = first as { restricted_files: string[] };
    expect(patterns).toEqual(expect.arrayContaining(['**/index.js', '!/src/index.js', 'lib/**', 'package.json']));
    expect(patterns).not.toContain('/src/index.js');
  });

  it('have their candidates merged by keeping history, and each tested, also one that has landed with another', async () => {
    const team = shared();
    await team.world.result;
    expect(team.submitted.map(({ strategy, allowEmpty }) => [strategy, allowEmpty])).toEqual([
      ['merge', undefined],
      ['merge', true],
      ['merge', true],
    ]);
    const apart = play(both);
    await apart.world.result;
    expect(apart.submitted.flatMap(({ strategy, allowEmpty }) => [strategy, allowEmpty])).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
  });

  it('go on in it with what came back, brought up to date, and carry nothing', async () => {
    const team = shared({ units: [unit('b'), unit('a', ['b'])] }, { landed: red('a') });
    await team.world.result;
    expect(titles(team)).toEqual(['prepare build', 'b', 'a', 'a']);
    expect(team.given.map(({ worktree }) => [worktree?.slot, worktree?.onto])).toEqual([
      [SLOT, 'on-prepare build'],
      [SLOT, 'on-b: make b'],
      [SLOT, 'on-b: make b'],
    ]);
    expect(team.claims.filter(({ slot }) => slot === SLOT)).toHaveLength(1);
    expect(carriedTo(team, SLOT)).toBeUndefined();
    expect(team.output()).toMatchObject({ returned: { red: 1 } });
  });

  it('offer what another has offered, and nothing if nobody has changed anything', async () => {
    const left = (commit: string) => (): Partial<StepOutput> => ({ worktree: { slot: SLOT, epoch: 1, commit } });
    const same = shared(both, { engineer: left('s1') });
    await same.world.result;
    expect(same.submitted.slice(1).map(({ from }) => from.commit)).toEqual(['s1', 's1']);
    const none = shared({ units: [unit('a')] }, { engineer: left('base'), step: { limits: { rounds: 1, returns: 2 } } });
    await expect(none.world.result).rejects.toMatchObject({ code: 'caid.unfinished' });
    expect(none.output()).toBeUndefined();
    expect(titles(none)).toEqual(['prepare build']);
    expect(none.world.step('build').team?.tasks).toMatchObject([{ returned: 'empty' }]);
  });

  it('are not believed about their own tests: others write after these', async () => {
    const tested = { values: { status: 'done', summary: 'ok', 'tests.passed': 3, 'tests.failed': 0 } };
    const team = shared(both, { engineer: () => tested, step: { verify: 'efficient' } });
    await team.world.result;
    expect(team.submitted.map(({ selfTested }) => selfTested)).toEqual([undefined, undefined, undefined]);
    const apart = play(both, { engineer: () => tested, step: { verify: 'efficient' } });
    await apart.world.result;
    expect(apart.submitted.map(({ selfTested }) => selfTested)).toEqual([undefined, true, true]);
  });

  it('move to another host together, once, when theirs is lost', async () => {
    const theirs = lostHost();
    const team = shared(both, {
      ...theirs.options,
    });
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(theirs.lost()).toBe(2);
    const claims = team.world.calls.filter(({ name, input }) => name === 'claimWorktree' && (input as { slot: string }).slot === SLOT);
    expect(claims).toHaveLength(2);
    expect(team.given.map(({ worktree }) => worktree?.epoch)).toEqual([2, 2]);
  });

  it('wait together for the next execution if their host is lost as this one fills up', async () => {
    const theirs = lostHost();
    const team = shared(both, {
      ...theirs.options,
      historyIsFull: ({ runId, firstRunId }) => runId === firstRunId && theirs.lost() > 0,
    });
    await rest(team);
    expect(team.world.executions).toBe(2);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(team.given.map(({ worktree }) => worktree?.epoch)).toEqual([2, 2]);
  });

  it.each([3, 4])('come to the same if a fresh execution goes on after every %d activities', async (activitiesPerExecution) => {
    const plain = shared(both, { landed: red('b') });
    await plain.world.result;
    const team = shared(both, { landed: red('b'), activitiesPerExecution });
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(team.world.executions).toBeGreaterThan(3);
    expect(titles(team).sort()).toEqual(titles(plain).sort());
    expect(team.closed.filter((slot) => slot === SLOT)).toHaveLength(1);
  });

  it('who are cancelled leave no checkout open', async () => {
    const { inTurn } = inHand(1, 2);
    const team = shared(both, { inTurn });
    await rest(team);
    team.world.cancel();
    await rest(team);
    await expect(team.world.result).rejects.toThrow();
    expect([...team.closed].sort()).toEqual([SLOT, 'build[1]/build_manager']);
  });

  it('find it again when the step is tried again, after it was closed', async () => {
    const fresh = freshly();
    let reviews = 0;
    const reviewed: InTurn = async (_seen, otherwise) => ({ ...(await otherwise()), values: { accepted: ++reviews > 1, summary: 'half' } });
    const inTurn = { 'build[3]/build_review': reviewed, 'build[4]/build_review': reviewed };
    const team = shared(both, { step: held, historyIsFull: fresh.historyIsFull, inTurn });
    await rest(team);
    expect(team.world.status().held).toMatchObject([{ step: 'build' }]);
    await fresh.again(team.world);
    team.world.signal('retry', { step: 'build' });
    await rest(team);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(team.closed.filter((slot) => slot === SLOT)).toHaveLength(1);
  });

  it('begin a rerun with what the checkout had', async () => {
    const open = shared(both, { landed: red('a'), inTurn: { [engineer(3)]: () => new Promise<never>(() => undefined) } });
    await rest(open);
    open.world.cancel();
    await rest(open);
    await expect(open.world.result).rejects.toThrow();
    const from = engineer(3);
    const team = shared(both, { begin: (plan, options) => rerun(plan, carry(open.world, from).carry, options) });
    await rest(team);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(team)).toEqual(['prepare build', 'a']);
    expect(carriedTo(team, SLOT)).toMatchObject({ ref: expect.stringContaining('run-1') });
  });
});

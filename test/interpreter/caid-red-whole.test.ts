import type { SubmitCandidateInput } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import { carry, rerun, settle } from './carrying';
import { freshly } from './program';
import { type InTurn, type Played, partsWith, play, type TeamOptions, titles, unit } from './team-play';

/** Everything is merged, the tests of the whole are red, and their output names no task's files. */
const both = { units: [unit('a'), unit('b')] };
const end = { testEnd: 'npm test' };
const silent: InTurn = () => {
  throw new ThermidorFailure('command.failed', 'it ended with 1', { stdout: 'lib/z.js: wrong' });
};
const redIn = (...turns: number[]): Record<string, InTurn> =>
  Object.fromEntries(turns.map((turn) => [`build[${turn}]/build_tests`, silent]));
const always = redIn(...Array.from({ length: 40 }, (_, i) => i));

/** Candidates land in the order of their offers. `green` begins the titles of those with which the queue found the target green. */
function landing(...green: string[]): NonNullable<TeamOptions['landed']> {
  let order = 0;
  return ({ title }: SubmitCandidateInput): TicketOutcome => ({
    ...{ kind: 'merged', result: `on-${title}-${++order}`, order },
    ...(green.some((one) => title.startsWith(one)) ? { green: true } : {}),
  });
}

/** An engineer that leaves its worktree unchanged. */
const nothing: InTurn = async (_seen, otherwise) => {
  const said = await otherwise();
  return { ...said, ...(said.worktree ? { worktree: { ...said.worktree, commit: 'base' } } : {}) };
};
const nothingIn = (...turns: number[]): Record<string, InTurn> =>
  Object.fromEntries(turns.map((turn) => [`build[${turn}]/build_engineer`, nothing]));

const warnings = ({ world }: Played) =>
  world.journal().flatMap((entry) => (entry.kind === 'team' && entry.event === 'warned' ? [entry.reason ?? ''] : []));

async function fails(played: Played): Promise<void> {
  await expect(played.world.result).rejects.toMatchObject({ code: 'command.failed', message: expect.stringContaining('it ended with 1') });
}

describe('if the tests of the whole are red and name nobody', () => {
  it('all go back that have landed, and what they offer is tested by these tests', async () => {
    const played = play(both, { inTurn: redIn(3), landed: landing(), step: { ...end, testEach: 'npm test' } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'a', 'b']);
    expect(played.assignments()[2]).toMatchObject({
      ...{ task_id: 'a', attempt: 2, base_commit: 'on-b: make b-3' },
      returned: { reason: 'red', message: expect.stringMatching(/it ended with 1.*change nothing/), tail: 'lib/z.js: wrong' },
    });
    // The test of each merge is known to be red on the branch, so a candidate that repairs a part of it is accepted.
    expect(played.submitted.map(({ baseline, test, staysGreen, allowEmpty }) => [baseline, test, staysGreen, allowEmpty])).toEqual([
      [undefined, 'npm test', true, undefined],
      ['npm test', 'test a', true, undefined],
      ['npm test', 'test b', true, undefined],
      [undefined, 'test a', true, true],
      [undefined, 'test b', true, true],
    ]);
    expect(played.output()).toMatchObject({ status: 'success', returned: { red: 2 }, tasks: [{ attempts: 2 }, { attempts: 2 }] });
  });

  it('only those go back that have landed since the branch was green by them, whatever order is read', async () => {
    const three = { units: [unit('a'), unit('b', ['a']), unit('c', ['b'])] };
    const played = play(three, { inTurn: redIn(4), landed: landing('b'), step: end });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'c', 'c']);
    const otherTests = play(three, { inTurn: redIn(4), landed: landing(), step: { ...end, testEach: 'lint' } });
    await otherTests.world.result;
    expect(titles(otherTests)).toEqual(['prepare build', 'a', 'b', 'c', 'a', 'b', 'c']);
    expect(otherTests.submitted.map(({ baseline, staysGreen }) => [baseline, staysGreen]).slice(3)).toEqual([
      ['lint', undefined],
      ['lint', true],
      ['lint', true],
      ['lint', true],
    ]);
  });

  it('nobody is sent anything if the queue found the branch green with the last of them', async () => {
    const played = play(both, { inTurn: redIn(3), landed: landing('b'), step: end });
    await fails(played);
    expect(titles(played)).toEqual(['prepare build', 'a', 'b']);
    expect(warnings(played).at(-1)).toContain('the merge queue found the tests green with the last task');
  });

  it('an engineer may say that there is nothing to change: that is tested as it is, and if nobody changes anything the step fails', async () => {
    const played = play(both, { inTurn: { ...always, ...nothingIn(3, 4) }, landed: landing(), step: end });
    await fails(played);
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'a', 'b']);
    expect(played.submitted.slice(3).map(({ allowEmpty, test }) => [allowEmpty, test])).toEqual([
      [true, 'test a'],
      [true, 'test b'],
    ]);
    expect(warnings(played).at(-1)).toContain('nobody has changed anything');
    expect(played.world.step('build').team?.tasks).toMatchObject([{ stage: 'merged' }, { stage: 'merged' }]);
  });

  it('one that is not complete by itself comes back alone', async () => {
    const lands = landing();
    const outcome: TeamOptions['landed'] = (input, time) => {
      const isLacking = input.title.startsWith('a') && time === 2;
      return isLacking
        ? { kind: 'red', onto: 'x', result: 'y', of: 1, reason: 'test a ended with 1', tail: 'a is wrong' }
        : lands(input, time);
    };
    const played = play(both, { inTurn: { ...redIn(3), ...nothingIn(3, 4) }, landed: outcome, step: end });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'a', 'b', 'a']);
    expect(played.assignments().at(-1)).toMatchObject({
      task_id: 'a',
      attempt: 3,
      returned: { message: expect.stringContaining('test a ended') },
    });
  });

  it('it ends, whatever engineers change: as often as a candidate comes back, and by the rounds', async () => {
    const played = play(both, { inTurn: always, landed: landing(), step: { ...end, limits: { rounds: 22, returns: 2 } } });
    await fails(played);
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'a', 'b', 'a', 'b']);
    expect(warnings(played).at(-1)).toContain('the work went back 2 times (limits.returns: 2)');
    expect(played.world.status().gates).toEqual([]);
    const few = play(both, { inTurn: always, landed: landing(), step: { ...end, limits: { rounds: 2, returns: 9 } } });
    await expect(few.world.result).rejects.toMatchObject({ code: 'caid.unfinished' });
  });

  it('a failure that is not one of tests sends nobody anything', async () => {
    const played = play(both, {
      ...{ landed: landing(), step: end },
      inTurn: {
        'build[3]/build_tests': () => {
          throw new ThermidorFailure('worktree.setup-failed', 'no such program');
        },
      },
    });
    await expect(played.world.result).rejects.toMatchObject({ code: 'worktree.setup-failed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b']);
  });

  it('engineers in one checkout get it back, too', async () => {
    const parts = partsWith({ worktree: { shared: true } });
    const closed: string[] = [];
    const played = play(both, {
      ...{ inTurn: redIn(3), landed: landing(), step: { ...end, parts, isolation: 'shared' } },
      close: ({ input }) => void closed.push(input.lease.slot),
    });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'a', 'b']);
    expect(closed.filter((slot) => slot === 'build/build_engineer')).toHaveLength(2);
    expect(played.claims.filter(({ slot }) => slot === 'build/build_engineer')).toHaveLength(1);
  });

  it('the same happens over executions that end at each wait', async () => {
    const { historyIsFull, toTheEnd } = freshly();
    const played = play(both, { historyIsFull, inTurn: { ...redIn(3), ...nothingIn(3) }, landed: landing('a'), step: end });
    await toTheEnd(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'b']);
  });
});

describe('an engineer whose tests have passed, by its own report', () => {
  const passed = { values: { status: 'done', summary: 'ok', 'tests.passed': 3, 'tests.failed': 0 } };
  const efficient = { ...end, testEach: 'npm test', verify: 'efficient' } as const;

  it('is not believed once the whole was red: what it offers is tested', async () => {
    const played = play({ units: [unit('a')] }, { inTurn: redIn(2), landed: landing(), engineer: () => passed, step: efficient });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.submitted.map(({ selfTested, staysGreen }) => [selfTested, staysGreen])).toEqual([
      [undefined, true],
      [true, true],
      [undefined, true],
    ]);
  });

  it('is not believed once the next finds the branch red: no person is asked, and the whole says who is to blame', async () => {
    const units = [unit('a'), unit('b', ['a'])];
    const lands = landing();
    const landed: TeamOptions['landed'] = (input, time) =>
      input.title.startsWith('b') && time === 1
        ? { kind: 'red', isTargets: true, onto: 'x', result: 'y', of: 1, reason: 'it ended with 1', tail: '' }
        : lands(input, time);
    const options = { landed, engineer: () => passed, inTurn: redIn(3), step: efficient };
    const played = play({ units }, options);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b', 'b', 'a', 'b']);
    expect(played.submitted.slice(2, 4).map(({ baseline, test }) => [baseline, test])).toEqual([
      ['npm test', 'test b'],
      [undefined, 'test b'],
    ]);
    expect(played.submitted.slice(4).map(({ selfTested }) => selfTested)).toEqual([undefined, undefined]);
    expect(warnings(played)).toEqual([expect.stringMatching(/^the branch is red without it, and a landed on/)]);
    // A person is asked if it is still red, and if a test is red that is not the test of the whole.
    const again: TeamOptions['landed'] = (input, time) => landed(input, input.title.startsWith('b') ? 1 : time);
    for (const [step, offers] of [
      [efficient, 2],
      [{ ...efficient, testEach: 'lint' }, 1],
    ] as const) {
      const asking = play({ units }, { ...options, step, landed: again });
      for (let i = 0; i < 20; i++) await asking.world.settle();
      expect(asking.world.status().gates).toMatchObject([{ step: 'build[1]/build_target' }]);
      expect(titles(asking).filter((title) => title === 'b')).toHaveLength(offers);
    }
  });

  it('is not believed by several who find the branch red at once: each is offered again', async () => {
    const lands = landing();
    const landed: TeamOptions['landed'] = (input, time) =>
      !input.title.startsWith('a') && time === 1 && !input.title.startsWith('prepare')
        ? { kind: 'red', isTargets: true, onto: 'x', result: 'y', of: 1, reason: 'it ended with 1', tail: '' }
        : lands(input, time);
    const played = play(
      { units: [unit('a'), unit('b', ['a']), unit('c', ['a'])] },
      { landed, engineer: () => passed, inTurn: {}, step: efficient },
    );
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played).sort()).toEqual(['a', 'b', 'b', 'c', 'c', 'prepare build']);
    expect(warnings(played)).toHaveLength(1);
  });

  it('is believed in a rerun as little, whether its files are named or not', async () => {
    for (const stdout of ['lib/z.js: wrong', 'src/a.js: wrong']) {
      const red: InTurn = () => {
        throw new ThermidorFailure('command.failed', 'it ended with 1', { stdout });
      };
      const options: TeamOptions = { landed: landing(), engineer: () => passed, step: { ...efficient, limits: { rounds: 2, returns: 3 } } };
      const before = play(
        { units: [unit('a')] },
        { ...options, inTurn: { 'build[2]/build_tests': red, 'build[3]/build_tests': red, ...nothingIn(2) } },
      );
      for (let i = 0; i < 12; i++) await settle(before.world);
      await expect(before.world.result).rejects.toMatchObject({ code: expect.stringMatching(/command.failed|caid.unfinished/) });
      const again = play(
        { units: [unit('a')] },
        {
          ...options,
          inTurn: { 'build[4]/build_tests': red },
          begin: (plan, more) => rerun(plan, carry(before.world, 'build').carry, more),
        },
      );
      for (let i = 0; i < 12; i++) await settle(again.world);
      await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
      expect(again.submitted.filter(({ title }) => title.startsWith('a')).map(({ selfTested }) => selfTested)).toEqual([undefined]);
    }
  });
});

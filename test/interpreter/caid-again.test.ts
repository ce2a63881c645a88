import type { TicketOutcome } from '../../plan/queue/ticket';
import { held } from '../support/steps';
import type { World } from '../support/world';
import { carry, rerun, settle } from './carrying';
import { freshly } from './program';
import { carriedTo, type InTurn, type Played, play, type TeamOptions, titles, unit } from './team-play';

/**
 * A team whose step begins again, by a retry, by an operator or in a rerun, keeps what is merged and the manager's division of the work.
 */
const graph = { units: [unit('a'), unit('b', ['a']), unit('c', ['b'])] };
const refused: TicketOutcome = { kind: 'refused', message: 'the checkout is dirty' };

/** Every candidate lands except the first one of `c`. */
const onceRefused = (): NonNullable<TeamOptions['landed']> => {
  let times = 0;
  return ({ title }) => (title.startsWith('c') && times++ === 0 ? refused : { kind: 'merged', result: `on-${title}` });
};

const rest = async ({ world }: Played): Promise<void> => {
  for (let i = 0; i < 3; i++) await settle(world);
};

const partsOf = ({ world }: Played): string[] => world.order().map((address) => address.replace(/^build/, '').replace(/build_/, ''));

function goesOn(before: World, from: string, more: TeamOptions = {}): Played {
  return play(graph, { begin: (plan, options) => rerun(plan, carry(before, from).carry, options), ...more });
}

describe('a team whose step is taken up by an operator', () => {
  it.each(['at once', 'in a fresh execution'])('goes on with what is not merged: %s', async (when) => {
    const fresh = freshly();
    const team = play(graph, { landed: onceRefused(), step: held, historyIsFull: fresh.historyIsFull });
    await rest(team);
    expect(team.world.status().held).toMatchObject([{ step: 'build' }]);
    if (when !== 'at once') await fresh.again(team.world);
    team.world.signal('retry', { step: 'build' });
    await rest(team);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(team)).toEqual(['prepare build', 'a', 'b', 'c', 'prepare build', 'c']);
    expect(partsOf(team).filter((part) => part.includes('manager'))).toHaveLength(1);
  });

  it('has its result tested and reviewed again', async () => {
    let reviews = 0;
    let tests = 0;
    const reviewed: InTurn = async (_seen, otherwise) => {
      reviews += 1;
      return { ...(await otherwise()), values: { accepted: reviews > 1, summary: 'half' } };
    };
    const tested: InTurn = (_seen, otherwise) => {
      tests += 1;
      return otherwise();
    };
    const turns = [4, 5].flatMap((turn): [string, InTurn][] => [
      [`build[${turn}]/build_review`, reviewed],
      [`build[${turn}]/build_tests`, tested],
    ]);
    const team = play(graph, { step: { ...held, testEnd: 'npm test' }, inTurn: Object.fromEntries(turns) });
    await rest(team);
    expect(team.world.step('build')).toMatchObject({ state: 'held', error: { code: 'caid.not-accepted' } });
    team.world.signal('retry', { step: 'build' });
    await rest(team);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect([reviews, tests]).toEqual([2, 2]);
    expect(titles(team)).toEqual(['prepare build', 'a', 'b', 'c', 'prepare build']);
  });
});

describe('a rerun of a team', () => {
  const refusedAtTheEnd = async (): Promise<Played> => {
    const team = play(graph, { landed: onceRefused() });
    await expect(team.world.result).rejects.toMatchObject({ code: 'merge.refused' });
    return team;
  };

  it('from the step goes on with what is not merged', async () => {
    const team = goesOn((await refusedAtTheEnd()).world, 'build');
    await rest(team);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(partsOf(team).filter((part) => part.includes('manager'))).toEqual([]);
    expect(titles(team)).toEqual(['prepare build', 'c']);
    expect(team.output()).toMatchObject({
      status: 'success',
      tasks: [{ id: 'a', attempts: 1 }, { id: 'b' }, { id: 'c', stage: 'merged' }],
    });
  });

  it.each([1, 2, 3])('from engineer %d goes on with what is not merged', async (number) => {
    const team = goesOn((await refusedAtTheEnd()).world, `build[${number}]/build_engineer`);
    await rest(team);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(team)).toEqual(['prepare build', 'c']);
  });

  it('from an engineer of a team that was at work goes on with the work that it had left', async () => {
    const conflict: TicketOutcome = { kind: 'conflict', onto: 'x', paths: ['src/b.js'] };
    const open = play(graph, {
      landed: ({ title }) => (title.startsWith('b') ? conflict : { kind: 'merged', result: `on-${title}` }),
      inTurn: { 'build[3]/build_engineer': () => new Promise<never>(() => undefined) },
    });
    await rest(open);
    open.world.cancel();
    await rest(open);
    await expect(open.world.result).rejects.toThrow();
    const team = goesOn(open.world, 'build[3]/build_engineer');
    await rest(team);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(team)).toEqual(['prepare build', 'b', 'c']);
    expect(carriedTo(team, 'build[4]/build_engineer')).toMatchObject({ commit: 'commit-3', ref: expect.stringContaining('run-1') });
  });

  it('carries a team that is done as a whole', async () => {
    const done = play(graph);
    await done.world.result;
    const team = goesOn(done.world, 'after');
    await rest(team);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(team.world.order()).toEqual(['after#1~1']);
    expect(team.world.step('build').team).toMatchObject({ over: 'success' });
  });

  it('from its manager divides the work again', async () => {
    const team = goesOn((await refusedAtTheEnd()).world, 'build[1]/build_manager');
    await rest(team);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(team)).toEqual(['prepare build', 'a', 'b', 'c']);
  });
});

import type { TaskGraph } from '../../kinds/caid/rules/task-graph';
import { ThermidorFailure } from '../../plan/run/failure';
import { carriedTo, type InTurn, play, titles, unit } from './team-play';

/** A manager's graph that is not usable goes back once, with the reasons; a second one is repaired or refused. */
const right: TaskGraph = { units: [unit('a'), unit('b')] };
const many = (count: number): TaskGraph => ({ units: Array.from({ length: count }, (_, i) => unit(`u${i}`)) });

const HOPELESS: [string, TaskGraph, RegExp][] = [
  ['no units', { units: [] }, /no units/],
  ['200 units', many(200), /200 units, and may have 100/],
  ['two of the same name', { units: [unit('a'), unit('a')] }, /several units are called "a"/],
  ['one that waits for nobody', { units: [unit('a', ['nobody'])] }, /"nobody"/],
  ['a path out of the repository', { units: [unit('a', [], { files: ['../x'] })] }, /not the path of a file/],
];
const MENDED: [string, TaskGraph, RegExp, string[]][] = [
  ['a cycle', { units: [unit('a', ['b']), unit('b', ['a'])] }, /in a circle/, ['a']],
  ['one that waits for itself', { units: [unit('a', ['a'])] }, /depends on itself/, ['a']],
  ['a file that two own', { units: [unit('a'), unit('b', [], { files: ['src/a.js'] })] }, /both own src\/a.js/, ['a', 'b']],
];

/** The failure of an agent's activity whose answer is too large to be read. */
const tooLarge: InTurn = ({ input }) => {
  const { slot = '', epoch = 1 } = input.worktree ?? {};
  throw new ThermidorFailure('values.too-large', '70 KiB', null, undefined, { worktree: { slot, epoch, commit: 'prepared' } });
};

describe('a graph that goes back to its manager', () => {
  it.each([...HOPELESS, ...MENDED].map(([what, wrong, why]) => [what, wrong, why] as const))(
    'because of %s, with why, is the next one',
    async (_what, wrong, why) => {
      const played = play(right, { graphs: [wrong, right] });
      await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
      expect(played.composed('problems')).toMatchObject({ your_graph_is_refused_because: [expect.stringMatching(why)] });
      expect(carriedTo(played, 'build[2]/build_manager')).toMatchObject({ commit: 'commit-1' });
      expect(titles(played)).toEqual(['prepare build', 'a', 'b']);
    },
  );

  it.each(HOPELESS)('because of %s, twice, fails before anybody begins', async (_what, wrong, why) => {
    const played = play(wrong);
    await expect(played.world.result).rejects.toMatchObject({ code: 'caid.graph', message: expect.stringMatching(why) });
    expect(titles(played)).toEqual([]);
    expect(played.given).toEqual([]);
  });

  it.each(MENDED)('because of %s, twice, is mended by rule, and the journal says so', async (_what, wrong, _why, done) => {
    const played = play(wrong);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(played)).toEqual(['prepare build', ...done]);
    expect(played.world.journal().filter((entry) => entry.kind === 'team' && entry.event === 'mended')).toHaveLength(1);
  });

  it('because it is too large to be read is the next one, on what was prepared', async () => {
    const played = play(right, { inTurn: { 'build[1]/build_manager': tooLarge } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.composed('problems')).toEqual({ your_graph_is_refused_because: [expect.stringContaining('larger than 64 KiB')] });
    expect(carriedTo(played, 'build[2]/build_manager')).toMatchObject({ commit: 'prepared' });
    expect(titles(played)).toEqual(['prepare build', 'a', 'b']);
  });

  it('because it is too large, twice, fails with what to do about it', async () => {
    const played = play(right, { inTurn: { 'build[1]/build_manager': tooLarge, 'build[2]/build_manager': tooLarge } });
    await expect(played.world.result).rejects.toMatchObject({
      code: 'caid.graph',
      message: expect.stringMatching(/larger than 64 KiB: put what belongs together into one unit/),
    });
  });
});

it('of as many units as there may be is done by as many engineers as there are, one of one unit by one', async () => {
  const played = play(many(100), { step: { engineers: 8 } });
  await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  expect(played.submitted).toHaveLength(101);
  expect(played.world.step('build').team?.engineers).toHaveLength(8);
  const single = play({ units: [unit('a')] }, { step: { engineers: 8 } });
  await single.world.result;
  expect(single.world.step('build').team?.engineers).toHaveLength(1);
  expect(single.output()).toMatchObject({ warnings: [expect.stringContaining('one unit')] });
});

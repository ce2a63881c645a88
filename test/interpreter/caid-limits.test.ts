import type { SubmitCandidateInput } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { carry, rerun } from './carrying';
import { play, type TeamOptions, unit } from './team-play';

const CONTINUE = [{ kind: 'continue' as const }];
const red = ({ title, from }: SubmitCandidateInput, time: number): TicketOutcome =>
  title.startsWith('a') && time < 3
    ? { kind: 'red', of: 'queue', onto: 'x', result: from.commit, reason: 'exit code 1', tail: 'not ok' }
    : { kind: 'merged', result: `on-${title}` };

const TWO = { units: [unit('a'), unit('b')] };
const THREE = { units: [unit('a'), unit('b', ['a']), unit('c', ['b'])] };
const one = (limits: Partial<NonNullable<TeamOptions['step']>['limits']>): NonNullable<TeamOptions['step']> => ({
  engineers: 1,
  onError: CONTINUE,
  limits: { rounds: 22, returns: 3, ...limits },
});

describe('an engineer who has used up its rounds', () => {
  const limits = { rounds: 2, returns: 3 };

  it('rests, and another continues with what came back', async () => {
    const played = play(TWO, { landed: red, step: { limits } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.assignments().map((assignment) => [(assignment as { engineer_id: string }).engineer_id])).toEqual([
      ['e1'],
      ['e2'],
      ['e1'],
      ['e2'],
    ]);
  });
});

describe('a team that cannot finish', () => {
  it.each([
    ['limits.rounds', { rounds: 2 }, 'its engineer has had 2 assignments (limits.rounds: 2)'],
    ['limits.rounds_per_engineer', { roundsPerEngineer: 1 }, 'its engineer has had 1 assignment (limits.rounds_per_engineer: 1)'],
  ])('is warned of when the work is divided, and fails with %s', async (key, limits, words) => {
    const played = play(THREE, { step: one(limits) });
    await played.world.result;
    expect(played.world.step('build').error).toMatchObject({ code: 'caid.unfinished', message: expect.stringContaining(words) });
    const warned = played.world.journal().flatMap((entry) => (entry.kind === 'team' && entry.event === 'warned' ? [entry.reason] : []));
    expect(warned).toEqual([expect.stringContaining(`it cannot finish; raise ${key}`)]);
  });

  it('is not warned of if its rounds are enough', async () => {
    const played = play(THREE, { step: one({ rounds: 3 }) });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ status: 'success', warnings: [] });
  });

  it('says nothing about limits if a person has left out all there is', async () => {
    const step = { ...one({ returns: 1 }), engineers: 2 };
    const played = play({ units: [unit('a')] }, { step, engineer: () => ({ values: { status: 'blocked', summary: 'no' } }) });
    for (let i = 0; i < 12; i++) await played.world.settle();
    played.world.signal('reject', { step: 'build[2]/build_person', by: 'ann' });
    await played.world.result;
    expect(played.world.step('build').error).toMatchObject({
      message: expect.stringContaining('because some of it is given up: a (dropped)'),
    });
  });

  it('finishes in a rerun with a higher limit', async () => {
    const before = play(THREE, { step: one({ rounds: 2 }) });
    await before.world.result;
    const step = one({ rounds: 3 });
    const again = play(THREE, { step, begin: (plan, options) => rerun(plan, carry(before.world, 'build').carry, options) });
    await again.world.result;
    expect(again.output()).toMatchObject({ status: 'success' });
  });
});

import { ThermidorFailure } from '../../plan/run/failure';
import { artifact } from '../support/world';
import { coder, completes, notes, playBoard, rows, toTheEnd } from './board-play';
import { freshly } from './program';

/** A member whose model fails knows afterwards what it has said and done. */

const failing = (context?: string) =>
  new ThermidorFailure('model.unauthorized', 'no key', undefined, undefined, context === undefined ? {} : { context: artifact(context) });

function play(context: string | undefined, more: Parameters<typeof playBoard>[0] = {}) {
  let failures = 1;
  const contexts: unknown[] = [];
  const played = playBoard({
    tasks: [{ subject: 'one' }],
    step: { members: [coder('alice')], attempts: 1 },
    member: (work) => {
      contexts.push(work.input.member?.context.map(({ name }) => name));
      if (failures-- > 0) throw failing(context);
      return completes(work);
    },
    ...more,
  });
  return { played, contexts };
}

it.each([
  ['goes on with what it has said', 'half', ['half']],
  ['begins anew if it has said nothing', undefined, []],
])('and is started again for its task: it %s', async (_, context, expected) => {
  const { played, contexts } = play(context);
  await played.world.elapse(() => played.world.status().gates.length > 0);
  expect(notes(played, 'failed')).toMatchObject([{ member: 'alice', reason: 'model.unauthorized: no key' }]);
  await played.world.update('approve', { step: played.world.status().gates[0]?.step, by: 'ann' });
  await toTheEnd(played);
  expect([contexts[0], contexts[1]]).toEqual([[], expected]);
  expect(rows(played, 'tasks')).toMatchObject([{ status: 'completed', owner: 'alice' }]);
});

it('keeps it over executions', async () => {
  const { historyIsFull, again, toTheEnd: freshToTheEnd } = freshly();
  const { played, contexts } = play('half', { historyIsFull });
  await played.world.elapse(() => played.world.status().gates.length > 0);
  await again(played.world);
  await played.world.update('approve', { step: played.world.status().gates[0]?.step, by: 'ann' });
  await freshToTheEnd(played.world);
  await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  expect(contexts[1]).toEqual(['half']);
});

it('is named next to the step in which it works, and in the journal', async () => {
  const { played } = play(undefined, { member: async (work) => work.takes(5000).then(() => completes(work)) });
  await played.world.elapse(() => played.world.status().steps.some(({ id }) => id === 'team_coder'));
  expect(played.world.status().steps).toContainEqual(expect.objectContaining({ address: 'team[1]/team_coder', item: 'alice' }));
  await toTheEnd(played);
  expect(played.world.journal()).toContainEqual(
    expect.objectContaining({ kind: 'step', step: 'team[1]/team_coder', state: 'done', item: 'alice' }),
  );
});

it.each(['one', 'many'])(
  'in a team that goes on, one whose model service was away comes back by itself: over %s executions',
  async (executions) => {
    const { historyIsFull, again } = freshly();
    let failures = 4;
    const { played } = play(undefined, {
      step: { members: [coder('alice')], attempts: 1, until: 'stopped' },
      member: (work) => {
        if (failures-- > 0) throw new ThermidorFailure('model.api-error', 'it cannot be reached');
        return completes(work);
      },
      ...(executions === 'many' ? { historyIsFull } : {}),
    });
    const alice = () => played.world.step('team').board?.members[0];
    await played.world.elapse(() => alice()?.status === 'failed');
    // Each WORK has the automatic retry of every step.
    expect(failures).toBe(2);
    expect(alice()).toMatchObject({ reason: 'model.api-error: it cannot be reached', until: expect.any(String) });
    if (executions === 'many') await again(played.world);
    await played.world.elapse(() => played.world.step('team').board?.completed === 1);
    expect(notes(played, 'spawned').filter((note) => JSON.stringify(note).includes('its model may answer again'))).toHaveLength(2);
    expect(notes(played, 'failed')).toHaveLength(2);
    await played.world.update('drain', { by: 'fran' });
    await toTheEnd(played);
    expect(rows(played, 'tasks')).toMatchObject([{ status: 'completed', owner: 'alice', attempts: 1 }]);
  },
);

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

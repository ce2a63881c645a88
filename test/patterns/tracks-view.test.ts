import { awaitedOfTracks, describePoint, describeSync, type SyncView } from '../../kinds/tracks/view';
import { settled } from './played';
import { MINUTE, passes, play } from './tracks-play';

/** The state of two tracks as people see it. */
describe('the view of two tracks', () => {
  it('CP-9 · time-out · shows until when the first waits, and that it has gone ahead', async () => {
    const { world, ...played } = play({ scaffold: { after: 20 * MINUTE }, detail: { after: 2 * MINUTE } });
    await settled({ world });
    const start = world.clock.now();
    expect(world.step('dual').tracks?.sync[0]).toMatchObject({ arrived: ['a'], until: new Date(start + 5 * MINUTE).toISOString() });
    await passes({ world }, 10 * MINUTE);
    expect(played.started()).toContain('1 detail');
    const { tracks } = world.step('dual');
    expect(tracks?.a.phases[1]).toEqual({ id: 'detail', state: 'provisional' });
    expect(tracks?.sync[0]).not.toHaveProperty('until');
    expect(tracks?.sync[0]).toMatchObject({ state: 'open', arrived: ['a'] });
  });

  it('CP-9 · workflow · names whose check is awaited, and which check it is', async () => {
    const played = play({ contract: { after: MINUTE, says: 'b' }, scaffold: [{}, { after: MINUTE }] });
    await settled(played);
    expect(played.world.step('dual')).toMatchObject({
      waitingFor: 'the alignment check by lead at contract',
      tracks: { sync: [{ state: 'checking', attempts: 0 }, { state: 'open' }] },
    });
    await passes(played, MINUTE);
    expect(played.world.step('dual')).toMatchObject({
      waitingFor: 'coder, to bring scaffold to contract, where designer has arrived',
      tracks: { b: { phases: [{ state: 'adjusting' }, { state: 'pending' }] }, sync: [{ state: 'misaligned', attempts: 1 }, {}] },
    });
  });

  it('CP-9 · fallbacks · if a track is blocked, the other is awaited; once the step is held, nobody', async () => {
    const played = play(
      { scaffold: { after: 10 * MINUTE, fails: true }, detail: { after: 60 * MINUTE } },
      { step: { onBlocked: [{ kind: 'hold' }] } },
    );
    await passes(played, 11 * MINUTE);
    expect(played.world.step('dual')).toMatchObject({
      waitingFor: 'designer, to end detail: track b is blocked',
      tracks: { sync: [{ arrived: [] }, { arrived: [] }] },
    });
    await played.world.elapse();
    const { state, waitingFor, tracks } = played.world.step('dual');
    expect({ state, awaited: tracks && awaitedOfTracks(tracks) }).toEqual({ state: 'held', awaited: undefined });
    expect(waitingFor).not.toContain('detail');
    expect(tracks).toMatchObject({ a: { phases: [{ state: 'done' }, { state: 'pending' }] }, b: { phases: [{ state: 'blocked' }, {}] } });
  });

  it('CP-9 · time-out · what was called off is shown as not begun, and its check as open', async () => {
    const played = play({ contract: { silent: true } }, { step: { timeoutMs: 60 * MINUTE, onError: [{ kind: 'hold' }] } });
    await played.world.elapse();
    expect(played.world.step('dual')).toMatchObject({ state: 'held', tracks: { sync: [{ state: 'open', arrived: [] }, {}] } });
  });
});

const point = (more: Partial<SyncView>): SyncView => ({
  ...{ id: 'contract', after: { a: 'api', b: 'scaffold' }, state: 'open', attempts: 0, rounds: 2, by: 'lead', arrived: [] },
  ...more,
});

it.each([
  [{ state: 'open' }, 'open'],
  [{ state: 'checking' }, 'lead checks'],
  [{ state: 'misaligned', attempts: 1 }, 'not aligned, check 1 of 2'],
  [{ state: 'aligned', attempts: 1 }, 'aligned'],
  [{ state: 'aligned', attempts: 2 }, 'aligned, after 2 checks'],
  [{ state: 'skipped' }, 'skipped'],
] as [Partial<SyncView>, string][])('a point is described by how it stands: %j', (more, words) => {
  expect(describePoint(point(more))).toBe(words);
});

it('tracks are described by how many of their points are aligned', () => {
  const track = { agent: 'x', phases: [] };
  const sync = [point({ state: 'aligned' }), point({})];
  expect(describeSync({ a: track, b: track, sync })).toBe('1 of 2 points aligned');
  expect(describeSync({ a: track, b: track, sync: [point({ state: 'skipped' })], linear: true })).toBe('0 of 1 point aligned, b follows a');
});

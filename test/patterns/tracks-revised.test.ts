import { freshly } from '../interpreter/program';
import { review, reviewed } from '../support/steps';
import { settled } from './played';
import { MINUTE, type Played, passes, play, type Script } from './tracks-play';

/** Tracks that are sent back: unfinished parts continue where they were, and everything else begins again. */
const WHOLE = ['1 api', '1 scaffold', '1 contract', '1 detail', '1 core', '1 whole', '1 integration', 'after'];

describe('tracks that are sent back', () => {
  const human = [{ kind: 'escalate' as const, to: { kind: 'human' as const } }];
  const asks = { onBlocked: human, onMisaligned: human, onError: human };
  const words = ({ world }: Played, step: string) =>
    world.seen.filter(({ step: id }) => id === step).map(({ input }) => input.findings?.instructions);

  it.each([
    ['a track is blocked', { core: [{ fails: true }, {}] }, [...WHOLE.slice(0, 5), '1 core#2~1', ...WHOLE.slice(5)], 'dual_core'],
    ['its first phase is', { api: [{ fails: true }, {}] }, ['1 api', '1 scaffold', '1 api#2~1', ...WHOLE.slice(2)], 'dual_api'],
    [
      'both are',
      { api: [{ fails: true }, {}], scaffold: [{ fails: true }, {}] },
      ['1 api', '1 scaffold', '1 api#2~1', '1 scaffold#2~1', ...WHOLE.slice(2)],
      'dual_scaffold',
    ],
    [
      'they are not aligned',
      { contract: [{ says: 'a' }, { says: 'a' }, { says: 'aligned' }] } as Script,
      [
        '1 api',
        '1 scaffold',
        '1 contract',
        '2 api',
        '2 contract',
        '3 api',
        '3 contract',
        '3 detail',
        '3 core',
        '1 whole',
        '1 integration',
        'after',
      ],
      'dual_api',
    ],
    [
      'a check fails',
      { contract: [{ fails: true }, {}] } as Script,
      [...WHOLE.slice(0, 3), '1 contract#2~1', ...WHOLE.slice(3)],
      undefined,
    ],
  ])(
    'CP-9 · fallbacks · where %s, a person’s revision goes on where the tracks were, with their words',
    async (_, script, started, again) => {
      const played = play(script as Script, { step: asks });
      await settled(played);
      expect(played.world.status().gates).toMatchObject([{ step: 'dual', kind: 'escalation' }]);
      played.world.signal('respond', { by: 'cfo', response: 'revise', comment: 'use the new tables' });
      await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
      expect(played.started()).toEqual(started);
      if (again) expect(words(played, again)).toEqual([...words(played, again).slice(0, -1), 'use the new tables']);
      expect(words(played, 'dual_integration')).toEqual([undefined]);
    },
  );

  it('CP-9 · continue-as-new · in the question and after the revision, what was delivered is not made again', async () => {
    const fresh = freshly();
    const played = play({ core: [{ fails: true }, { after: MINUTE }] }, { step: asks, historyIsFull: fresh.historyIsFull });
    await settled(played);
    await fresh.again(played.world);
    played.world.signal('respond', { by: 'cfo', response: 'revise', comment: 'use the new tables' });
    await settled(played);
    await fresh.toTheEnd(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.executions).toBeGreaterThan(2);
    expect(played.started()).toEqual([...WHOLE.slice(0, 5), '1 core#2~1', ...WHOLE.slice(5)]);
    expect(words(played, 'dual_core')).toEqual([undefined, 'use the new tables']);
  });

  it('CP-9 · fallbacks · if the time of the step runs out, a revision goes on where the tracks were', async () => {
    const script: Script = { core: [{ silent: true }, {}] };
    const played = play(script, { step: { ...asks, timeoutMs: 30 * MINUTE } });
    await passes(played, 31 * MINUTE);
    played.world.signal('respond', { by: 'cfo', response: 'revise', comment: 'once more' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual([...WHOLE.slice(0, 5), '1 core#2~1', ...WHOLE.slice(5)]);
  });

  it('CP-9 · fallbacks · tracks that a step after them sends back begin again, with what it says', async () => {
    let asked = 0;
    const judges = () => reviewed(asked++ === 0 ? 'revise' : 'pass');
    const judge = review('judge', 'dual', { onRevise: [{ kind: 'retry', step: 'dual', max: 1 }] });
    const played = play({}, { after: [judge], instead: { judge: judges } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.seen.filter(({ step: id }) => id === 'dual_api')).toHaveLength(2);
    expect(played.world.seen.findLast(({ step: id }) => id === 'dual_api')?.input.findings).toMatchObject({ review: 'judge' });
  });
});

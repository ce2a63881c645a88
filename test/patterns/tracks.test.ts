import { artifact } from '../support/world';
import { settled } from './played';
import { MINUTE, passes, play, tracks } from './tracks-play';

const WHOLE = ['1 api', '1 scaffold', '1 contract', '1 detail', '1 core', '1 whole', '1 integration', 'after'];

describe('two tracks', () => {
  it('CP-9 · workflow · phases side by side, a check once both have arrived, and one test at the end', async () => {
    const played = play();
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(WHOLE);
    expect(played.output()).toEqual({
      status: 'aligned',
      a: { api: 'api, 1', detail: 'detail, 1' },
      b: { scaffold: 'scaffold, 1', core: 'core, 1' },
      sync: [
        { id: 'contract', status: 'ALIGNED', attempts: 1 },
        { id: 'whole', status: 'ALIGNED', attempts: 1 },
      ],
    });
  });

  it('CP-9 · roles · each phase is given what its track has delivered, and what the other had where they were aligned', async () => {
    const played = play();
    await played.world.result;
    const given = Object.fromEntries(played.world.seen.map(({ step, input }) => [step, Object.keys(input.inputs ?? {})]));
    expect(given).toMatchObject({
      dual_api: [],
      dual_contract: ['delivered.api', 'delivered.scaffold'],
      dual_detail: ['delivered.api', 'delivered.scaffold'],
      dual_core: ['delivered.scaffold', 'delivered.api'],
    });
  });

  it('CP-9 · workflow · a checkpoint is journalled with what it has found', async () => {
    const conflicts = ['the names differ'];
    const misaligned = { status: 'MISALIGNED', adjust: 'b', trackA_state: 'drawn', conflicts };
    const played = play({ contract: [{ says: misaligned }, { says: 'aligned' }] });
    await played.world.result;
    expect(played.checkpoints()).toEqual([
      {
        ...{ sync_id: 'contract', status: 'MISALIGNED', trackA_state: 'drawn', conflicts },
        trackB_state: { $ref: 'd-dual[1]/dual_scaffold#1~1', sha256: artifact('d-dual[1]/dual_scaffold#1~1').sha256 },
      },
      expect.objectContaining({ sync_id: 'contract', status: 'ALIGNED', conflicts: [] }),
      expect.objectContaining({ sync_id: 'whole', status: 'ALIGNED' }),
    ]);
  });

  it.each([
    ['a', ['2 api']],
    ['b', ['2 scaffold']],
    ['both', ['2 api', '2 scaffold']],
  ] as const)(
    'CP-9 · workflow · where they are not aligned, those adjust who are asked to, with what was found, and they are checked again: %s',
    async (who, again) => {
      const played = play({ contract: [{ says: who }, { says: 'aligned' }] });
      await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
      expect(played.started()).toEqual([...WHOLE.slice(0, 3), ...again, '2 contract', '2 detail', '2 core', ...WHOLE.slice(5)]);
      const adjusted = played.world.seen.find(({ call }) => call.options.address?.startsWith('dual[2]'));
      expect(Object.keys(adjusted?.input.inputs ?? {})).toContain('alignment.last');
      const [, check] = played.world.seen.filter(({ step }) => step === 'dual_contract');
      expect(Object.keys(check?.input.inputs ?? {})).toEqual(['delivered.api', 'delivered.scaffold', 'alignment.last']);
      expect(played.output()).toMatchObject({ status: 'aligned', sync: [{ id: 'contract', attempts: 2 }, {}] });
    },
  );

  it('CP-9 · time-out · the first to arrive waits for so long, then begins its next phase, and the slow track gets a message', async () => {
    const played = play({ scaffold: { after: 20 * MINUTE } });
    await settled(played);
    expect(played.world.step('dual')).toMatchObject({
      waitingFor: 'coder, to bring scaffold to contract, where designer has arrived',
      tracks: { sync: [{ id: 'contract', state: 'open', arrived: ['a'] }, { arrived: [] }] },
    });
    await passes(played, 6 * MINUTE);
    expect(played.started()).toEqual(['1 api', '1 scaffold', '1 detail']);
    expect(played.world.step('dual').tracks?.a.phases).toEqual([
      { id: 'api', state: 'done' },
      { id: 'detail', state: 'provisional' },
    ]);
    const told = played.world
      .journal()
      .flatMap((entry) => (entry.kind === 'envelope' && entry.envelope.intent === 'notify' ? [entry.envelope] : []));
    expect(told).toMatchObject([{ to: 'coder', payload: { sync_id: 'contract' } }]);
    await played.world.completes();
    expect(played.started()).toEqual(['1 api', '1 scaffold', '1 detail', '1 contract', '1 core', '1 whole', '1 integration', 'after']);
  });

  it('CP-9 · time-out · what went ahead is called off and made again if they are not aligned', async () => {
    const played = play({
      scaffold: { after: 20 * MINUTE },
      detail: [{ after: 60 * MINUTE }, {}],
      contract: [{ says: 'b' }, {}],
    });
    await played.world.completes();
    expect(played.started()).toEqual([
      ...['1 api', '1 scaffold', '1 detail', '1 contract', '2 scaffold', '2 contract', '2 detail', '2 core'],
      ...['1 whole', '1 integration', 'after'],
    ]);
    expect(played.output()).toMatchObject({ a: { detail: 'detail, 2' } });
  });

  it('CP-9 · time-out · what had ended ahead is made again as well, and its first version is nobody’s', async () => {
    const played = play({ scaffold: { after: 20 * MINUTE }, contract: [{ says: 'b' }, {}] });
    await played.world.elapse();
    await played.world.result;
    expect(played.started().filter((part) => part.endsWith('detail'))).toEqual(['1 detail', '2 detail']);
    expect(played.output()).toMatchObject({ a: { detail: 'detail, 2' } });
    const whole = played.world.seen.find(({ step }) => step === 'dual_whole');
    expect(whole?.input.inputs?.['delivered.detail']?.name).toBe('d-dual[2]/dual_detail#1~1');
  });

  it('CP-9 · time-out · with `ahead: none` it waits on, and the slow track gets a message all the same', async () => {
    const played = play({ scaffold: { after: 20 * MINUTE } }, { step: { ahead: 'none' } });
    await passes(played, 6 * MINUTE);
    expect(played.started()).toEqual(['1 api', '1 scaffold']);
    expect(played.world.journal().some((entry) => entry.kind === 'envelope' && entry.envelope.intent === 'notify')).toBe(true);
    await played.world.completes();
    expect(played.started()).toEqual(WHOLE);
  });

  it('CP-9 · time-out · the agent of the slow track gets with its next try that the other waits', async () => {
    const step = tracks();
    const parts = 'parts' in step ? step.parts.map((part) => ({ ...part, retry: { max: 2, delayMs: MINUTE } })) : [];
    const played = play({ scaffold: [{ after: 10 * MINUTE, fails: true }, {}] }, { step: { parts } });
    await played.world.completes();
    const [first, second] = played.world.seen.filter(({ step: id }) => id === 'dual_scaffold').map(({ input }) => input.messages);
    expect(first).toBeUndefined();
    expect(second).toMatchObject([{ from: 'dual', content: expect.stringMatching(/^designer has delivered api and waits for scaffold/) }]);
  });

  it('CP-9 · fallbacks · after the last check track a ends, then b follows it', async () => {
    const played = play({ contract: { says: 'both' } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual([
      ...['1 api', '1 scaffold', '1 contract', '2 api', '2 scaffold', '2 contract'],
      ...['3 detail', '3 scaffold', '3 core', '1 integration', 'after'],
    ]);
    const core = played.world.seen.findLast(({ step }) => step === 'dual_core');
    expect(Object.keys(core?.input.inputs ?? {})).toEqual(['delivered.scaffold', 'delivered.api', 'delivered.detail']);
    expect(played.output()).toMatchObject({
      status: 'linear',
      b: { scaffold: 'scaffold, 3' },
      sync: [
        { status: 'MISALIGNED', attempts: 2 },
        { status: 'SKIPPED', attempts: 0 },
      ],
    });
  });

  it('CP-9 · fallbacks · `on_misaligned` decides instead, and a further try has as many checks again', async () => {
    const played = play({ contract: [{ says: 'a' }, { says: 'a' }, { says: 'aligned' }] }, { step: { onMisaligned: [{ kind: 'hold' }] } });
    await settled(played);
    expect(played.world.status()).toMatchObject({ state: 'held', held: [{ step: 'dual' }] });
    played.world.signal('retry', { step: 'dual', by: 'op' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual([
      ...['1 api', '1 scaffold', '1 contract', '2 api', '2 contract', '3 api', '3 contract'],
      ...['3 detail', '3 core', '1 whole', '1 integration', 'after'],
    ]);
  });

  it('CP-9 · fallbacks · if a track is blocked, the other ends its phase and pauses, and a further try goes on from there', async () => {
    const played = play({ api: [{ fails: true }, {}], scaffold: { after: 10 * MINUTE } }, { step: { onBlocked: [{ kind: 'hold' }] } });
    await passes(played, MINUTE);
    expect(played.world.status().state).toBe('running');
    expect(played.world.step('dual').tracks?.a.phases[0]).toEqual({ id: 'api', state: 'blocked' });
    await passes(played, 10 * MINUTE);
    expect(played.world.status()).toMatchObject({ held: [{ step: 'dual', reason: expect.stringContaining('tracks.blocked') }] });
    expect(played.started()).toEqual(['1 api', '1 scaffold']);
    played.world.signal('retry', { step: 'dual', by: 'op' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 api', '1 scaffold', '1 api#2~1', ...WHOLE.slice(2)]);
  });

  it('CP-9 · fallbacks · `retry` of the step tries again from where the tracks were, before `on_blocked`', async () => {
    const step = { retry: { max: 2, delayMs: MINUTE }, onBlocked: [{ kind: 'stop' as const }] };
    const played = play({ core: [{ fails: true }, {}] }, { step });
    await played.world.completes();
    expect(played.started()).toEqual([...WHOLE.slice(0, 5), '1 core#2~1', ...WHOLE.slice(5)]);
  });

  it('CP-9 · success · a failed integration fails the step', async () => {
    const played = play({ integration: { fails: true } });
    await expect(played.world.result).rejects.toMatchObject({ code: 'agent.turns-used-up' });
    expect(played.started()).toEqual(WHOLE.slice(0, 7));
  });

  it('CP-9 · silence/abstention · a check that fails fails the step, and no track goes on without it', async () => {
    const played = play({ contract: { fails: true } });
    await expect(played.world.result).rejects.toMatchObject({ code: 'agent.turns-used-up' });
    expect(played.started()).toEqual(WHOLE.slice(0, 3));
  });

  it('CP-9 · time-out · `timeout` of the step calls all of it off', async () => {
    const played = play({ scaffold: { silent: true } }, { step: { timeoutMs: 60 * MINUTE, onError: [{ kind: 'continue' }] } });
    await played.world.completes();
    expect(played.world.step('dual')).toMatchObject({ state: 'failed', error: { code: 'step.timeout' } });
    expect(played.world.status().steps.filter(({ state }) => state === 'running')).toEqual([]);
  });

  it('CP-9 · late answer · a track that arrives after the wait is checked as any other', async () => {
    const played = play({ scaffold: { after: 7 * MINUTE } }, { step: { ahead: 'none' } });
    await played.world.completes();
    expect(played.output()).toMatchObject({ status: 'aligned', sync: [{ attempts: 1 }, { attempts: 1 }] });
  });

  it('CP-9 · duplicate · both tracks arrive at one moment, and are checked once', async () => {
    const played = play({ api: { after: MINUTE }, scaffold: { after: MINUTE } });
    await played.world.elapse();
    await played.world.result;
    expect(played.started().filter((part) => part.endsWith('contract'))).toEqual(['1 contract']);
    expect(played.world.journal().some((entry) => entry.kind === 'envelope' && entry.envelope.intent === 'notify')).toBe(false);
  });

  it('CP-9 · silence/abstention · a message that calls itself a checkpoint is a message', async () => {
    const played = play({ scaffold: { after: 10 * MINUTE } });
    await settled(played);
    const checkpoint = { sync_id: 'contract', status: 'ALIGNED' };
    played.world.signal('message', { to: 'designer', from: 'coder', content: JSON.stringify(checkpoint), type: 'sync_checkpoint' });
    await settled(played);
    expect(played.checkpoints()).toEqual([]);
    await played.world.elapse();
    await played.world.result;
    expect(played.checkpoints()).toHaveLength(2);
  });
});

import { carry, rerun } from '../interpreter/carrying';
import { freshly } from '../interpreter/program';
import { need } from '../interpreter/spending';
import { fails, takes } from '../support/behaviours';
import { artifact, type StepBehaviour } from '../support/world';
import { settled, unique } from './played';
import { MINUTE, passes, play, type Script, type TracksOptions } from './tracks-play';

/** Whatever happens to two tracks, no phase is made twice, none is lost, and their result is the same. */
const WHOLE = ['1 api', '1 scaffold', '1 contract', '1 detail', '1 core', '1 whole', '1 integration', 'after'];

/** Every part takes some time, one phase begins ahead and is cancelled, and one point is checked twice. */
const LIVELY: Script = {
  api: [{ after: 2 * MINUTE }, { after: MINUTE }],
  scaffold: [{ after: 20 * MINUTE }, { after: 3 * MINUTE }],
  contract: [{ after: MINUTE, says: 'both' }, { after: MINUTE }],
  detail: [{ after: 90 * MINUTE }, { after: 4 * MINUTE }],
  core: { after: 2 * MINUTE },
  whole: { after: MINUTE },
};

describe('a run continues as new', () => {
  it.each([
    ['they go well', { api: { after: MINUTE }, scaffold: { after: 2 * MINUTE } }, {}],
    ['one goes ahead, is called off, and both adjust', LIVELY, {}],
    ['they cannot be aligned', { ...LIVELY, contract: { after: MINUTE, says: 'a' } }, {}],
    ['their time is limited', LIVELY, { step: { timeoutMs: 500 * MINUTE } }],
  ] as [string, Script, TracksOptions][])(
    'CP-9 · continue-as-new · at each wait, and it comes to the same: %s',
    async (_, script, more) => {
      const plain = play(script, more);
      await plain.world.elapse();
      await plain.world.result;
      const fresh = freshly();
      const played = play(script, { ...more, historyIsFull: fresh.historyIsFull });
      await fresh.toTheEnd(played.world);
      await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
      expect(played.world.executions).toBeGreaterThan(script === LIVELY ? 5 : 1);
      unique(played);
      expect([...played.started()].sort()).toEqual([...plain.started()].sort());
      expect(played.output()).toEqual(plain.output());
      expect(played.checkpoints()).toEqual(plain.checkpoints());
    },
  );
});

describe('a worker is lost', () => {
  it('CP-9 · worker killed · what went ahead and was called off counts no more, though it was paid for', async () => {
    const played = play(LIVELY, { recorded: () => ({ artifact: artifact('paid') }) });
    await played.world.completes();
    expect(played.world.lookedUp).toContain('dual[1]/dual_detail#1~1');
    expect(played.output()).toMatchObject({ a: { detail: 'detail, 2' } });
  });

  it('CP-9 · worker killed · what a phase had been paid for when the time of the step ran out counts in a further try', async () => {
    const played = play(
      { scaffold: { silent: true } },
      {
        step: { timeoutMs: 60 * MINUTE, onError: [{ kind: 'hold' }] },
        recorded: (call) => (call.includes('dual_scaffold') ? { artifact: artifact('paid') } : undefined),
        documents: (sha256) => (sha256 === artifact('paid').sha256 ? 'paid for' : played.stored.get(sha256)),
      },
    );
    await played.world.elapse();
    expect(played.world.status()).toMatchObject({ held: [{ step: 'dual', reason: expect.stringContaining('step.timeout') }] });
    played.world.signal('retry', { step: 'dual', by: 'op' });
    await played.world.completes();
    expect(played.started().filter((part) => part.includes('scaffold'))).toEqual(['1 scaffold']);
    expect(played.output()).toMatchObject({ b: { scaffold: 'paid for' } });
  });
});

describe('what comes too late, or twice', () => {
  it('CP-9 · late answer · what a phase answers that was called off is nobody’s', async () => {
    const played = play({ ...LIVELY, core: { after: 200 * MINUTE } });
    await played.world.completes();
    expect(played.stored.get(artifact('d-dual[1]/dual_detail#1~1').sha256)).toBe('detail, 1');
    expect(played.output()).toMatchObject({ a: { detail: 'detail, 2' } });
  });

  it('CP-9 · late answer · a check that answers after the time of the step changes nothing', async () => {
    const played = play(
      { contract: { after: 90 * MINUTE }, api: { after: MINUTE } },
      { step: { timeoutMs: 60 * MINUTE, onError: [{ kind: 'continue' }] }, instead: { after: takes(60) } },
    );
    await played.world.completes();
    expect(played.world.step('dual')).toMatchObject({ state: 'failed', error: { code: 'step.timeout' } });
    expect(played.checkpoints()).toEqual([]);
  });

  it('CP-9 · duplicate · a retry that is asked for twice is one', async () => {
    const played = play({ core: [{ fails: true }, {}] }, { step: { onBlocked: [{ kind: 'hold' }] } });
    await settled(played);
    for (const by of ['op', 'ops']) played.world.signal('retry', { step: 'dual', by });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started().filter((part) => part.includes('core'))).toEqual(['1 core', '1 core#2~1']);
    expect(played.world.journal().filter((entry) => entry.kind === 'signal')).toMatchObject([
      { outcome: 'applied' },
      { outcome: 'misdirected' },
    ]);
  });
});

describe('a run that is stopped', () => {
  it('CP-9 · cancel · calls off both tracks', async () => {
    const played = play({ api: { silent: true }, scaffold: { silent: true } });
    await settled(played);
    played.world.cancel();
    await expect(played.world.result).rejects.toThrow();
    expect(played.world.status().state).toBe('cancelled');
    expect([...played.world.lookedUp].sort()).toEqual(['dual[1]/dual_api#1~1', 'dual[1]/dual_scaffold#1~1']);
  });

  it('CP-9 · pause · no phase and no check begins meanwhile, and time runs', async () => {
    const played = play({ api: { after: MINUTE }, scaffold: { after: 2 * MINUTE } });
    await settled(played);
    played.world.signal('pause', { by: 'ops' });
    await passes(played, 10 * MINUTE);
    expect(played.started()).toEqual(['1 api', '1 scaffold']);
    played.world.signal('unpause', { by: 'ops' });
    await played.world.completes();
    expect(played.started()).toEqual(WHOLE);
  });

  it('CP-9 · budget · a track that lacks budget waits at its gate, and the other goes on to its point', async () => {
    let done = false;
    const lacking: StepBehaviour = ({ input }) => {
      done = input.budget?.tokens === 600;
      return { ...need(500, input), ...(done ? { artifact: artifact('api') } : {}) };
    };
    const played = play({}, { more: { budget: { tokens: 100 } }, instead: { dual_api: lacking } });
    await settled(played);
    expect(played.world.status().gates).toMatchObject([{ kind: 'budget' }]);
    expect(played.world.step('dual').tracks?.sync[0]).toMatchObject({ arrived: ['b'] });
    await played.world.update('extend_budget', { tokens: 600 });
    await settled(played);
    expect(done).toBe(true);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('a rerun', () => {
  const FAILED: Script = { integration: { fails: true } };

  it.each([
    ['1', 'core', ['1 core', '1 whole']],
    ['1', 'contract', ['1 contract', '1 detail', '1 core', '1 whole']],
    ['1', 'integration', []],
  ])(
    'CP-9 · rerun from inside · what came before the part it begins from stays, and what comes after is made again: %s %s',
    async (turn, part, again) => {
      const before = play({ ...FAILED, core: { after: MINUTE } });
      await before.world.elapse();
      await expect(before.world.result).rejects.toThrow();
      const from = `dual[${turn}]/dual_${part}`;
      const played = play({}, { begin: (plan, options) => rerun(plan, carry(before.world, from).carry, options), storeOf: before });
      await played.world.completes();
      expect(played.started()).toEqual([...again, '1 integration', 'after']);
      expect(played.output()).toMatchObject({ status: 'aligned', a: { api: 'api, 1' } });
    },
  );

  it('CP-9 · rerun from inside · tracks that have ended are carried whole, with how their points went', async () => {
    const before = play({ contract: [{ says: 'a' }, {}] }, { instead: { after: fails } });
    await expect(before.world.result).rejects.toThrow();
    const played = play({}, { begin: (plan, options) => rerun(plan, carry(before.world, 'after').carry, options) });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['after']);
    expect(played.world.step('dual').tracks?.sync).toMatchObject([{ state: 'aligned', attempts: 2 }, { state: 'aligned' }]);
  });
});

describe('whatever the order', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'CP-9 · workflow · a further try goes on from what is there, whichever track was faster: seed %i',
    async (seed) => {
      const dice = (i: number): number => (seed * 7919 + i * 104729) % 13;
      const says = (['aligned', 'a', 'b', 'both'] as const)[dice(1) % 4] ?? 'aligned';
      const script = (slow: number): Script => ({
        ...Object.fromEntries(['api', 'scaffold', 'core'].map((id, i) => [id, { after: (dice(i + slow) + 1) * MINUTE }])),
        contract: [{ says }, {}],
        detail: { after: dice(7 + slow) * MINUTE },
        whole: [{ fails: true }, {}],
      });
      const played = play(script(seed), { step: { onError: [{ kind: 'hold' }] } });
      await played.world.elapse();
      expect(played.world.status().state).toBe('held');
      played.world.signal('retry', { step: 'dual', by: 'op' });
      await played.world.completes();
      unique(played);
      const made = played.started();
      expect(made.slice(made.indexOf('1 whole') + 1)).toEqual(['1 whole#2~1', '1 integration', 'after']);
    },
  );
});

import { carry, rerun } from '../interpreter/carrying';
import { freshly } from '../interpreter/program';
import { need } from '../interpreter/spending';
import { approval, command } from '../support/steps';
import { artifact } from '../support/world';
import { settled, unique } from './played';
import { MINUTE, play, retro } from './post-mortem-play';

/** Whatever happens to a post-mortem, nobody is asked twice, no answer is lost, and the run ends as it would without a post-mortem. */
describe('whatever strikes a post-mortem', () => {
  it('CP-10 · worker killed · what a lost worker had been paid for counts at the time-out', async () => {
    const paid = artifact('paid');
    const played = play(
      { a: retro(), b: 'silence' },
      {
        recorded: (call) => (call.includes('post_mortem_b') ? { artifact: paid } : undefined),
        documents: (sha256) => (sha256 === paid.sha256 ? retro({ patterns: ['paid for'] }) : undefined),
      },
    );
    await played.world.elapse();
    await played.world.result;
    expect(played.report()).toMatchObject({
      reusable_patterns: ['paid for'],
      sources: [{ agent: 'a' }, { agent: 'b', from: 'retrospective' }],
    });
  });

  it.each([0, 1, 2])('CP-10 · continue-as-new · the report is the same wherever it happens: after %i minutes', async (minutes) => {
    const fresh = freshly();
    const played = play(
      { a: { after: MINUTE, says: retro({ patterns: ['x'] }) }, b: { after: 2 * MINUTE, says: retro({ patterns: ['X!'] }) }, c: 'silence' },
      { historyIsFull: fresh.historyIsFull, keep: () => [{ file: 'team.md', as: 'memory', added: 1, confirmed: 0 }] },
    );
    await settled(played);
    const { world } = played;
    const start = world.clock.now();
    await world.elapse(() => world.clock.now() - start >= minutes * MINUTE);
    await fresh.again(world);
    await world.completes();
    expect(world.executions).toBeGreaterThan(1);
    unique(played);
    expect(world.clock.now() - start).toBe(3 * MINUTE);
    expect(played.report()).toMatchObject({ reusable_patterns: ['x'], execution_summary: { total_tasks: 1 } });
    expect(played.findings().map(({ from }) => from)).toEqual(['a', 'b']);
    expect(world.journal().filter(({ kind }) => kind === 'memory')).toHaveLength(1);
  });

  it('CP-10 · continue-as-new · after a person’s no in `finally` it goes on alone', async () => {
    const fresh = freshly();
    const played = play(
      { a: { after: MINUTE, says: retro({ patterns: ['x'] }) } },
      { before: [approval('sure'), command('tidy')], historyIsFull: fresh.historyIsFull },
    );
    await settled(played);
    played.world.signal('reject', { step: 'sure', by: 'ann' });
    await settled(played);
    await fresh.again(played.world);
    await played.world.elapse();
    await played.world.result;
    expect(played.world.executions).toBeGreaterThan(1);
    unique(played);
    expect(played.world.step('tidy').state).toBe('skipped');
    expect(played.report()['reusable_patterns']).toEqual(['x']);
  });

  it('CP-10 · continue-as-new · the request of a person is kept', async () => {
    const fresh = freshly();
    const played = play(
      { a: retro() },
      {
        step: { occasion: 'asked' },
        historyIsFull: fresh.historyIsFull,
        steps: { draft: ({ call }) => new Promise((resolve) => void call.clock.after(MINUTE, () => resolve({}))) },
      },
    );
    await settled(played);
    played.world.signal('post_mortem', { by: 'ann' });
    await settled(played);
    await fresh.again(played.world);
    await played.world.elapse();
    await played.world.result;
    expect(played.asked()).toEqual(['a']);
  });

  it('CP-10 · pause · asks nobody while the run is paused', async () => {
    const played = play(
      { a: retro() },
      { steps: { draft: ({ call }) => new Promise((resolve) => void call.clock.after(MINUTE, () => resolve({}))) } },
    );
    await settled(played);
    played.world.signal('pause', { by: 'ops' });
    await played.world.elapse();
    await settled(played);
    expect(played.asked()).toEqual([]);
    played.world.signal('unpause', { by: 'ops' });
    await played.world.elapse();
    await played.world.result;
    expect(played.asked()).toEqual(['a']);
  });

  it('CP-10 · budget · an agent that lacks budget is not waited for longer than the others', async () => {
    const played = play(
      { a: retro({ patterns: ['x'] }), b: retro() },
      { more: { budget: { tokens: 100 } }, steps: { post_mortem_b: ({ input }) => need(500, input) } },
    );
    await settled(played);
    expect(played.world.status().gates).toMatchObject([{ kind: 'budget' }]);
    await played.world.completes();
    expect(played.world.status().gates).toEqual([]);
    expect(played.report()['sources']).toMatchObject([{ from: 'retrospective' }, { agent: 'b', from: 'journal' }]);
  });

  it('CP-10 · cancel · a run that is cancelled while it looks back ends as cancelled, with the report', async () => {
    const played = play({ a: { after: MINUTE, says: retro({ patterns: ['x'] }) } });
    await settled(played);
    played.world.cancel();
    await played.world.elapse();
    await expect(played.world.result).rejects.toThrow();
    expect(played.world.status().state).toBe('cancelled');
    expect(played.report()['reusable_patterns']).toEqual(['x']);
  });

  it('CP-10 · rerun from inside · a new run looks back on itself', async () => {
    const before = play({ a: retro() }, { work: [command('one'), command('two')] });
    await before.world.result;
    const again = play(
      { a: retro() },
      { work: [command('one'), command('two')], begin: (plan, options) => rerun(plan, carry(before.world, 'two').carry, options) },
    );
    await again.world.result;
    expect(again.world.order()).toEqual(['two#1~1', 'post_mortem[1]/post_mortem_a#1~1']);
  });

  it('CP-10 · rerun from inside · it always runs again, and nothing begins within it', async () => {
    const before = play({ a: retro() });
    await before.world.result;
    expect(() => carry(before.world, 'post_mortem[1]/post_mortem_a')).toThrow(/always runs again/);
  });

  it.each([1, 2, 3, 4])('CP-10 · workflow · in any order, each answer in time is in the report: seed %i', async (seed) => {
    const delays = ['a', 'b', 'c', 'd'].map((name, i) => [name, (((seed * 7919 + i * 104729) % 6) + 1) * MINUTE - 1] as const);
    const played = play(Object.fromEntries(delays.map(([name, after]) => [name, { after, says: retro({ patterns: [name] }) }])));
    await played.world.elapse();
    await played.world.result;
    unique(played);
    const inTime = delays.flatMap(([name, after]) => (after < 3 * MINUTE ? [name] : []));
    expect(played.report()['reusable_patterns']).toEqual(inTime);
    expect(played.findings().map(({ from }) => from)).toEqual(inTime);
  });
});

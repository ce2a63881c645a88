import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { carry, rerun } from '../interpreter/carrying';
import { freshly } from '../interpreter/program';
import { need } from '../interpreter/spending';
import { silent } from '../interpreter/unreported-work';
import { command, group, parallel, wait } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour } from '../support/world';
import { consensus, MINUTE, type Played, play, settled } from './consensus-play';

/** Whatever happens to a vote, nobody is asked twice, no vote is lost, and only votes that were given count. */
const A = 'APPROVE';
const R = 'REJECT';
const CFO = 'decide[1]/decide_cfo';
const READS = ['conditions', 'confidence', 'blocking', 'option'];

/** The ledger's record of a voter whose worker was lost before it could report. */
function paid(said: string, proposalId = 'decide-1'): StepOutput {
  const vote = { proposalId, vote: said, rationale: 'paid for' };
  return { artifact: artifact(`paid-${said}`), values: { ...vote, ...Object.fromEntries(READS.map((key) => [key, null])) } };
}

const unique = ({ world }: Played): void => {
  const starts = world.order();
  expect(new Set(starts).size).toBe(starts.length);
};

/** The voters a and b, which are silent, and children that a voter spawns. */
const SILENT: [string, StepBehaviour][] = [
  ['its voters', silent],
  [
    'children of its voters',
    ({ input, call }) =>
      input.spawn
        ? new Promise(() => undefined)
        : { paused: { kind: 'spawned', children: [{ id: `${call.options.address}/spawn-1`, agent: 'helper', task: 'look' }] } },
  ],
];

describe('a vote whose time is up', () => {
  it.each(SILENT)('CP-4 · time-out · leaves its slots to other steps at once: %s', async (_, voter) => {
    const decide = consensus(['a', 'b'], [], { step: { timeoutMs: MINUTE } });
    const beside = parallel('both', [decide, group('other', [wait('pause', { forMs: 1000 }), command('next')])]);
    const { world } = play(
      {},
      {
        begin: (_plan, options) => runPlan(planOf([beside], { concurrent: 2 }), options),
        steps: { decide_a: voter, decide_b: voter, decide_revise: silent },
      },
    );
    const hasBegun = (step: string) => world.order().some((address) => address.includes(step));
    await world.elapse(() => hasBegun('revise'));
    expect(hasBegun('next')).toBe(true);
    expect(world.step('decide_a')).toMatchObject({ state: 'skipped' });
  });
});

describe('a worker is lost', () => {
  it('CP-4 · worker killed · what it had been paid for counts when the time runs out', async () => {
    const played = play(
      { a: A, b: 'silence', c: 'silence' },
      {
        recorded: (call) => (call.includes('decide_b') ? paid(A) : undefined),
        documents: (sha256) =>
          sha256 === artifact(`paid-${A}`).sha256 ? { proposalId: 'decide-1', vote: A, rationale: 'paid for' } : undefined,
      },
    );
    await played.world.completes();
    expect(played.world.lookedUp).toEqual(['decide[1]/decide_b#1~1', 'decide[1]/decide_c#1~1']);
    expect(played.output()).toMatchObject({
      passed: true,
      approvals: 2,
      missing: ['c'],
      votes: [{ from: 'a' }, { rationale: 'paid for' }],
    });
    expect(played.feedback('vote').map(({ from }) => from)).toEqual(['a', 'b']);
  });

  it('CP-4 · worker killed · a rejection that it had been paid for counts as well', async () => {
    const played = play(
      { a: A, b: 'silence' },
      {
        step: { rounds: 1, onFail: [{ kind: 'continue' }] },
        recorded: (call) => (call.includes('decide_b') ? paid(R) : undefined),
        documents: (sha256) =>
          sha256 === artifact(`paid-${R}`).sha256 ? { proposalId: 'decide-1', vote: R, rationale: 'paid for' } : undefined,
      },
    );
    await played.world.elapse();
    await played.world.result;
    expect(played.output()).toMatchObject({ passed: false, rejections: 1 });
  });
});

describe('a run continues as new', () => {
  // A voter that is cancelled because the vote is certain to fail has not voted.
  it.each([
    [0, ['cfo', 'a']],
    [1, ['a', 'cfo']],
    [2, ['a', 'b', 'cfo']],
  ])('CP-4 · continue-as-new · wherever a run continues, the vote comes to the same: after %i minutes', async (minutes, voted) => {
    const fresh = freshly();
    const played = play(
      { a: { by: (time) => ({ after: MINUTE, says: time === 1 ? R : A }) }, b: { by: () => ({ after: 2 * MINUTE, says: A }) } },
      { people: ['cfo'], historyIsFull: fresh.historyIsFull },
    );
    await settled(played);
    const { world } = played;
    const start = world.clock.now();
    await world.elapse(() => world.clock.now() - start >= minutes * MINUTE || world.clock.pending === 0);
    await fresh.again(world);
    if (world.status().gates.length > 0) world.signal('reject', { step: CFO, by: 'cfo', comment: 'not yet' });
    await settled(played);
    await fresh.again(world);
    await world.elapse(() => world.status().gates.some(({ step }) => step === 'decide[2]/decide_cfo'));
    await fresh.again(world);
    world.signal('approve', { step: 'decide[2]/decide_cfo', by: 'cfo', comment: 'now' });
    await world.completes();
    expect(world.executions).toBeGreaterThan(1);
    unique(played);
    expect(played.output()).toMatchObject({ passed: true, approvals: 3, earlier: [{ outcome: 'failed' }] });
    const votes = played.feedback('vote');
    expect(votes.map(({ from }) => from)).toEqual([...voted, 'cfo', 'a', 'b']);
    expect(votes.flatMap((vote) => vote.refused ?? [])).toEqual([]);
    expect(played.feedback('proposal')).toHaveLength(2);
  });

  it('CP-4 · continue-as-new · the view is what the log has', async () => {
    const fresh = freshly();
    const played = play({ a: A, b: R }, { people: ['cfo'], historyIsFull: fresh.historyIsFull });
    await settled(played);
    await fresh.again(played.world);
    expect(played.world.executions).toBe(2);
    expect(played.world.step('decide')).toMatchObject({
      waitingFor: 'the vote of cfo',
      vote: { round: 1, voters: [{ name: 'a', vote: A }, { name: 'b', vote: R }, { name: 'cfo' }] },
    });
  });

  it('CP-4 · continue-as-new · an extension is decided once', async () => {
    const fresh = freshly();
    const played = play(
      { a: A, b: 'silence', c: 'silence' },
      { historyIsFull: fresh.historyIsFull, step: { rounds: 1, onFail: [{ kind: 'continue' }] } },
    );
    const start = played.world.clock.now();
    await settled(played);
    await played.world.elapse(() => played.world.clock.now() - start >= 5 * MINUTE);
    await settled(played);
    expect(played.feedback('tally')).toHaveLength(1);
    await played.world.elapse();
    await played.world.result;
    expect(played.world.clock.now() - start).toBe(10 * MINUTE);
    expect(played.feedback('tally').map(({ data }) => 'outcome' in data && data.outcome)).toEqual(['extended', 'too-few']);
  });
});

describe('a run that is stopped', () => {
  it('CP-4 · cancel · calls off who is at work, closes its gates, and says what was paid for', async () => {
    const played = play({ a: A, b: 'silence' }, { people: ['cfo'] });
    await settled(played);
    played.world.cancel();
    await expect(played.world.result).rejects.toThrow();
    expect(played.world.status()).toMatchObject({ state: 'cancelled', gates: [] });
    expect(played.world.lookedUp).toEqual(['decide[1]/decide_b#1~1']);
    expect(played.feedback('tally')).toEqual([]);
  });

  it('CP-4 · pause · asks nobody new meanwhile; a vote that is open takes answers, and its time runs', async () => {
    const played = play({ a: A, b: R }, { people: ['cfo'] });
    await settled(played);
    const { world } = played;
    world.signal('pause', { by: 'ops' });
    await settled(played);
    world.signal('reject', { step: CFO, by: 'cfo', comment: 'no' });
    await settled(played);
    expect(played.started()).toEqual(['1 a#1~1', '1 b#1~1']);
    world.signal('unpause', { by: 'ops' });
    await settled(played);
    expect(played.started()).toContain('1 revise#1~1');
  });

  it('CP-4 · budget · a voter that lacks budget waits at its gate, and the others vote', async () => {
    const lacking: StepBehaviour = ({ input }) => ({ ...need(500, input), ...(input.budget?.tokens === 600 ? paid(A) : {}) });
    const stored = { [artifact(`paid-${A}`).sha256]: { proposalId: 'decide-1', vote: A, rationale: 'paid for' } };
    const played = play(
      { a: A, b: A },
      { more: { budget: { tokens: 100 } }, steps: { decide_b: lacking }, documents: (sha256) => stored[sha256] },
    );
    await settled(played);
    expect(played.world.status().gates).toMatchObject([{ kind: 'budget' }]);
    expect(played.feedback('vote').map(({ from }) => from)).toEqual(['a']);
    await played.world.update('extend_budget', { tokens: 600 });
    await settled(played);
    expect(played.feedback('vote').map(({ from }) => from)).toEqual(['a', 'b']);
  });
});

describe('a rerun', () => {
  const failing = { a: A, b: R, c: R } as const;
  const stops = { step: { rounds: 1, onFail: [{ kind: 'stop' as const }] } };

  it('CP-4 · rerun from inside · asks the voter again that it begins from, and keeps the votes before it', async () => {
    const before = play({ a: A, b: { by: () => ({ after: MINUTE, says: R }) }, c: { by: () => ({ after: 2 * MINUTE, says: R }) } }, stops);
    await before.world.elapse();
    await expect(before.world.result).rejects.toMatchObject({ code: 'consensus.failed' });
    const again = play(
      { a: A, b: A, c: A },
      { ...stops, begin: (plan, options) => rerun(plan, carry(before.world, 'decide[1]/decide_b').carry, options) },
    );
    await again.world.completes();
    expect(again.started()).toEqual(['1 b#1~1', '1 c#1~1', 'after#1~1']);
    expect(again.world.step('decide').vote).toMatchObject({
      outcome: 'passed',
      voters: [{ name: 'a', vote: A }, { name: 'b', vote: A }, {}],
    });
  });

  it('CP-4 · rerun from inside · begins a settled vote again from its step', async () => {
    const before = play({ ...failing }, stops);
    await expect(before.world.result).rejects.toThrow();
    const again = play(
      { a: A, b: A, c: A },
      { ...stops, begin: (plan, options) => rerun(plan, carry(before.world, 'decide').carry, options) },
    );
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.started()).toEqual(['1 a#1~1', '1 b#1~1', '1 c#1~1', 'after#1~1']);
  });

  it('CP-4 · rerun from inside · one that has passed is carried whole, with how they voted', async () => {
    const fails = {
      after: () => {
        throw new ThermidorFailure('command.failed', 'exit 1');
      },
    };
    const before = play({ a: A, b: A, c: R }, { steps: fails });
    await expect(before.world.result).rejects.toMatchObject({ code: 'command.failed' });
    const again = play({ a: A, b: A, c: A }, { begin: (plan, options) => rerun(plan, carry(before.world, 'after').carry, options) });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.started()).toEqual(['after#1~1']);
    expect(again.world.step('decide').vote).toMatchObject({ outcome: 'passed' });
  });
});

describe('within a container that tries again', () => {
  const within = (more: object) => {
    const { plan } = play({ a: A, b: A, c: A }, { people: [], step: { rounds: 1, onFail: [{ kind: 'stop' }] } });
    const [decide, after] = plan.block.steps as [Step, Step];
    const around = { ...group('g', [decide]), retry: { max: 2, delayMs: 0 }, ...more } as Step;
    return { more: { block: { order: 'sequence' as const, steps: [around, after] } } };
  };

  it('CP-4 · workflow · a vote that has failed is followed by another, and nobody’s earlier vote is counted in it', async () => {
    const played = play({ a: A, b: { by: (time) => (time === 1 ? R : A) }, c: R }, within({}));
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.order().slice(0, 6)).toEqual(
      [1, 2].flatMap((turn) => ['a', 'b', 'c'].map((name) => `g/decide[${turn}]/decide_${name}#1~1`)),
    );
    expect(played.feedback('vote').filter(({ refused }) => refused !== undefined)).toEqual([]);
    expect(played.feedback('tally')).toMatchObject([{ data: { outcome: 'failed' } }, { data: { outcome: 'passed', approvals: 2 } }]);
  });

  it('CP-4 · time-out · votes that were in when its time ran out count when it tries again', async () => {
    const silentAtFirst: StepBehaviour = ({ address }) =>
      address?.round === 1 ? new Promise(() => undefined) : { values: paid(A).values ?? {} };
    const played = play({ a: A, b: A, c: R }, { ...within({ timeoutMs: 2 * MINUTE }), steps: { decide_b: silentAtFirst } });
    await played.world.completes();
    expect(played.feedback('proposal')).toMatchObject([{ data: { id: 'decide-1' } }, { data: { id: 'decide-1' } }]);
    expect(played.world.order().filter((address) => /decide_[ac]#/.test(address))).toHaveLength(2);
    expect(played.feedback('tally')).toMatchObject([{ data: { outcome: 'passed', approvals: 2, rejections: 1 } }]);
  });
});

describe('whatever the order', () => {
  it.each([1, 2, 3, 4, 5, 6])('CP-4 · workflow · the votes that are in by the end are counted, and no other: seed %i', async (seed) => {
    const delays = [0, 1, 2, 3].map((i) => (((seed * 7919 + i * 104729) % 12) + 1) * MINUTE);
    const words = [A, A, R, 'ABSTAIN'] as const;
    const says = Object.fromEntries(delays.map((after, i) => [`v${i}`, { by: () => ({ after, says: words[(i + seed) % 4] ?? A }) }]));
    const played = play(says, { step: { rounds: 1, onFail: [{ kind: 'continue' }] } });
    await played.world.elapse();
    await played.world.result;
    unique(played);
    const { votes, missing } = played.output() as { votes: { from: string }[]; missing: string[] };
    expect([...votes.map(({ from }) => from), ...missing].sort()).toEqual(['v0', 'v1', 'v2', 'v3']);
    expect(
      played
        .feedback('vote')
        .flatMap(({ from, refused }) => (refused === undefined ? [from] : []))
        .sort(),
    ).toEqual(votes.map(({ from }) => from).sort());
  });
});

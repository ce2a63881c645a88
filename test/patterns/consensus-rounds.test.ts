import { ThermidorFailure } from '../../plan/run/failure';
import { deferred } from '../../workflows/interpreter/scheduling/deferred';
import { artifact } from '../support/world';
import { broken, MINUTE, play, settled } from './consensus-play';

const A = 'APPROVE';
const R = 'REJECT';

describe('a rule that cannot read or write its documents', () => {
  it('is what the step waits for, since it began, with those who have not voted', async () => {
    const saving = deferred<void>();
    let isUp = true;
    const played = play({ a: A, b: A, c: 'silence' }, { whileDeciding: async () => (isUp ? undefined : await saving.promise) });
    await settled(played);
    const { world } = played;
    expect(world.step('decide')).toMatchObject({ waitingFor: 'the vote of c' });
    isUp = false;
    world.clock.tick();
    const since = new Date(world.clock.now()).toISOString();
    await settled(played);
    expect(world.step('decide')).toMatchObject({ state: 'running', waitingFor: 'its rule to decide', storeSince: since });
    saving.resolve();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('decide')).not.toHaveProperty('storeSince');
  });
});

test('a rule of a paused run waits for the pause to end, and not for its documents', async () => {
  const { world } = play({ a: A, b: A, c: 'silence' });
  await world.settle();
  world.signal('pause', { by: 'ops' });
  await world.elapse();
  expect(world.step('decide')).toMatchObject({ state: 'running', waitingFor: 'the pause to end, after its running work' });
  expect(world.step('decide')).not.toHaveProperty('storeSince');
});

describe('what ends a vote', () => {
  it('CP-4 · workflow · it goes on as long as one who is out may block', async () => {
    const played = play({ a: A, b: A, c: { by: () => ({ after: MINUTE, says: 'BLOCK' }) } }, { step: { rounds: 1 } });
    await played.world.elapse(() => played.world.status().gates.length > 0);
    expect(played.feedback('tally')).toMatchObject([{ data: { outcome: 'failed', approvals: 2, rejections: 1, blocking: ['c'] } }]);
    expect(played.world.status().gates).toMatchObject([
      { kind: 'escalation', question: expect.stringContaining('(2 needed), 1 against, and c blocks it') },
    ]);
  });

  it('CP-4 · workflow · it ends at once if nothing can change that it fails, and the others are called off', async () => {
    const played = play({ a: 'BLOCK', b: 'silence', c: 'silence' }, { step: { rounds: 1, onFail: [{ kind: 'continue' }] } });
    const start = played.world.clock.now();
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.clock.now()).toBe(start);
    expect(played.output()).toMatchObject({ passed: false, outcome: 'failed', blocking: ['a'], missing: ['b', 'c'] });
    expect(played.world.calls.filter(({ signal }) => signal.aborted)).toHaveLength(2);
  });

  it('CP-4 · success · an option is chosen, and expressions read it', async () => {
    const matter = { title: 'Which?', options: [{ id: 'X', description: 'keep' }, { id: 'Y' }] };
    const played = play({ a: { option: 'Y' }, b: { option: 'Y' }, c: { option: 'X' } }, { matter });
    await played.world.result;
    expect(played.output()).toMatchObject({
      passed: true,
      option: 'Y',
      proposal: { options: [{ id: 'X', description: 'keep' }, { id: 'Y' }] },
    });
  });
});

describe('voters that give no vote', () => {
  it('CP-4 · fallbacks · an agent that fails has no vote, and the journal says why', async () => {
    const played = play({ a: A, b: A, c: broken });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ passed: true, missing: ['c'] });
    expect(played.feedback('vote')).toContainEqual(expect.objectContaining({ from: 'c', refused: expect.stringContaining('no vote') }));
    expect(played.world.step('decide').vote?.voters).toContainEqual({ name: 'c', refused: expect.any(String) });
  });

  it('CP-4 · fallbacks · if all agents fail it is a failed round, and nobody waits for the time-out', async () => {
    const played = play({ a: broken, b: broken }, { step: { rounds: 1, onFail: [{ kind: 'continue' }] } });
    const start = played.world.clock.now();
    await played.world.elapse();
    await played.world.result;
    expect(played.output()).toMatchObject({ passed: false, outcome: 'too-few', missing: ['a', 'b'] });
    expect(played.world.clock.now() - start).toBeLessThan(MINUTE);
  });

  it.each([
    ['entry · an agent’s vote for another proposal', { proposalId: 'decide-0' }, /"decide-0"/],
    ['entry · an agent’s vote without a rationale', { rationale: ' ' }, /rationale/],
    ['entry · an agent’s vote with a confidence of 7', { confidence: 7 }, /confidence/],
  ])('CP-4 · %s does not count', async (_, vote, reason) => {
    const played = play({ a: A, b: A, c: vote });
    await played.world.result;
    expect(played.output()).toMatchObject({
      approvals: 2,
      missing: ['c'],
      refused: [{ from: 'c', reason: expect.stringMatching(reason) }],
    });
    expect(played.feedback('vote')).toContainEqual(expect.objectContaining({ from: 'c', refused: expect.stringMatching(reason) }));
  });

  it('CP-4 · time-out · still fewer than half after the extension is a failed round, and the proposal is revised', async () => {
    const played = play({ a: A, b: { by: (time) => (time === 1 ? 'silence' : A) }, c: { by: (time) => (time === 1 ? 'silence' : A) } });
    const start = played.world.clock.now();
    await played.world.completes();
    expect(played.feedback('tally').map(({ data }) => 'outcome' in data && data.outcome)).toEqual(['extended', 'too-few', 'passed']);
    expect(played.world.clock.now() - start).toBe(10 * MINUTE);
  });

  it('CP-4 · silence/abstention · if all abstain, the coordinator decides, and the record says so', async () => {
    const played = play(
      { a: 'ABSTAIN', b: 'ABSTAIN', c: 'silence' },
      { default: { rationale: 'somebody has to', conditions: ['watch it'] } },
    );
    await played.world.completes();
    expect(played.output()).toMatchObject({
      ...{ passed: true, outcome: 'decided', decided_by: 'worker', abstentions: 2, conditions: ['watch it'] },
      decision: { vote: A, rationale: 'somebody has to' },
    });
    expect(played.feedback('tally')).toMatchObject([
      { data: { outcome: 'all-abstained' } },
      { data: { outcome: 'decided', decided_by: 'worker' } },
    ]);
  });

  it('CP-4 · silence/abstention · a coordinator’s no is an objection: the proposal is revised', async () => {
    const played = play(
      { a: { by: (time) => (time === 1 ? 'ABSTAIN' : A) }, b: { by: (time) => (time === 1 ? 'ABSTAIN' : A) } },
      { default: R },
    );
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({
      passed: true,
      outcome: 'passed',
      earlier: [{ outcome: 'decided', passed: false, decision: { vote: R } }],
    });
  });

  it('CP-4 · silence/abstention · a coordinator that abstains has decided nothing', async () => {
    const played = play({ a: 'ABSTAIN', b: 'ABSTAIN' }, { default: 'ABSTAIN', step: { rounds: 1, onFail: [{ kind: 'continue' }] } });
    await played.world.result;
    expect(played.output()).toMatchObject({ passed: false });
  });
});

describe('after the last round', () => {
  const failing = { a: A, b: R, c: R } as const;

  it('CP-4 · fallbacks · on_fail: stop fails the step with a code of its own', async () => {
    const played = play({ ...failing }, { step: { onFail: [{ kind: 'stop' }] } });
    await expect(played.world.result).rejects.toMatchObject({ code: 'consensus.failed' });
  });

  it('CP-4 · fallbacks · on_fail: hold waits for an operator, whose retry begins a new vote', async () => {
    const played = play({ a: A, b: { by: (time) => (time < 3 ? R : A) }, c: R }, { step: { onFail: [{ kind: 'hold' }] } });
    await settled(played);
    expect(played.world.status()).toMatchObject({ state: 'held' });
    played.world.signal('retry', { step: 'decide' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ passed: true, proposal: { id: 'decide-3' }, earlier: [] });
    expect(played.started().filter((address) => address.includes(' a#'))).toEqual(['1 a#1~1', '2 a#1~1', '3 a#1~1']);
  });

  it('CP-4 · fallbacks · a person who says no ends the run as rejected', async () => {
    const played = play({ ...failing });
    await settled(played);
    played.world.signal('reject', { by: 'cfo', comment: 'no' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'rejected' });
  });

  it('CP-4 · fallbacks · a person who asks for a revision has the vote begin again, with their words in the proposal', async () => {
    const played = play({ a: A, b: { by: (time) => (time < 3 ? R : A) }, c: { by: (time) => (time < 3 ? R : A) } });
    await settled(played);
    played.world.signal('respond', { by: 'cfo', response: 'revise', comment: 'say what it costs' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started().filter((address) => address.includes(' a#'))).toEqual(['1 a#1~1', '2 a#1~1', '1 a#2~1']);
    const proposals = Object.entries(played.world.ruled).filter(([address]) => address.includes('/proposal-'));
    expect(proposals.at(-1)?.[1]).toMatchObject({ id: 'decide-2.1', asked_for: 'say what it costs' });
  });

  it('CP-4 · fallbacks · if the revision fails, the step has failed of that', async () => {
    const failure = new ThermidorFailure('model.refused', 'no');
    const played = play(
      { ...failing },
      {
        steps: {
          decide_revise: () => {
            throw failure;
          },
        },
      },
    );
    await expect(played.world.result).rejects.toMatchObject({ code: 'model.refused' });
  });

  it('CP-4 · fallbacks · an operator’s retry continues in the round that broke off: votes that are there stay', async () => {
    let times = 0;
    const revise = () => {
      if (times++ === 0) throw new ThermidorFailure('model.refused', 'no');
      return { artifact: artifact('revised') };
    };
    const played = play(
      { a: A, b: { by: (time) => (time < 3 ? R : A) }, c: R },
      { step: { onError: [{ kind: 'hold' }], rounds: 3 }, steps: { decide_revise: revise } },
    );
    await settled(played);
    expect(played.world.status()).toMatchObject({ state: 'held' });
    played.world.signal('retry', { step: 'decide' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started().filter((address) => address.startsWith('1 '))).toEqual([
      ...['1 a#1~1', '1 b#1~1', '1 c#1~1', '1 revise#1~1', '1 revise#2~1'],
    ]);
    expect(played.output()).toMatchObject({ passed: true, proposal: { id: 'decide-3' } });
  });
});

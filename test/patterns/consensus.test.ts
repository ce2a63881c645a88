import { MINUTE, play, settled } from './consensus-play';

const A = 'APPROVE';
const R = 'REJECT';

describe('a vote', () => {
  it('CP-4 · workflow · proposal, votes side by side, tally, and what comes after it', async () => {
    const played = play({ a: A, b: A, c: R });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 a#1~1', '1 b#1~1', '1 c#1~1', 'after#1~1']);
    expect(played.output()).toMatchObject({
      ...{ passed: true, outcome: 'passed', approvals: 2, rejections: 1, needed: 2, missing: [], earlier: [] },
      proposal: { id: 'decide-1', title: 'Shall we?', context: 'Shall we?' },
      votes: [{ from: 'a', vote: A, rationale: 'approve, because' }, { from: 'b' }, { from: 'c', vote: R }],
    });
    expect(played.feedback('proposal')).toMatchObject([{ step: 'decide', data: { id: 'decide-1', title: 'Shall we?' } }]);
    expect(played.feedback('vote')).toMatchObject([{ from: 'a', data: { vote: A } }, { from: 'b' }, { from: 'c' }]);
    expect(played.feedback('tally')).toMatchObject([{ data: { outcome: 'passed', approvals: 2, needed: 2, round: 1 } }]);
    expect(played.world.step('decide').vote).toMatchObject({ outcome: 'passed', voters: [{ name: 'a', vote: A }, {}, { vote: R }] });
  });

  it('CP-4 · success · conditions come with the output', async () => {
    const played = play({ a: { conditions: ['keep it'] }, b: A, c: A });
    await played.world.result;
    expect(played.output()).toMatchObject({ passed: true, conditions: ['keep it'] });
  });

  it('CP-4 · time-out · what came by then counts, if it is half', async () => {
    const played = play({ a: A, b: A, c: 'silence', d: 'silence' });
    await played.world.completes();
    expect(played.output()).toMatchObject({ outcome: 'passed', missing: ['c', 'd'] });
    expect(played.feedback('tally')).toHaveLength(1);
  });

  it('CP-4 · time-out · fewer than half are waited for once more', async () => {
    const played = play({ a: A, b: { by: () => ({ after: 7 * MINUTE, says: A }) }, c: 'silence' });
    const start = played.world.clock.now();
    await played.world.completes();
    expect(played.feedback('tally')).toMatchObject([
      { data: { outcome: 'extended', missing: ['b', 'c'] } },
      { data: { outcome: 'passed', missing: ['c'] } },
    ]);
    expect(played.world.clock.now() - start).toBe(10 * MINUTE);
  });

  it('CP-4 · workflow · the proposal is revised with the objections, and voted on again', async () => {
    const played = play({ a: A, b: { by: (time) => (time === 1 ? R : A) }, c: R });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 a#1~1', '1 b#1~1', '1 c#1~1', '1 revise#1~1', '2 a#1~1', '2 b#1~1', '2 c#1~1', 'after#1~1']);
    const [, , , revise, again] = played.world.seen;
    expect(Object.keys(revise?.input.inputs ?? {})).toEqual(['proposal', 'report']);
    expect(Object.keys(again?.input.inputs ?? {})).toEqual(['proposal', 'earlier']);
    expect(played.output()).toMatchObject({
      outcome: 'passed',
      proposal: { id: 'decide-2' },
      earlier: [{ outcome: 'failed', proposal: { id: 'decide-1' } }],
    });
  });

  it('CP-4 · fallbacks · after the last round a person decides, who sees what was said in all of them', async () => {
    const played = play({ a: A, b: R, c: R });
    await settled(played);
    expect(played.world.status().gates).toMatchObject([{ step: 'decide', kind: 'escalation' }]);
    expect(played.world.gateInputs[0]).toMatchObject({ inputs: { decide: { name: expect.stringContaining('tally-2') } } });
    played.world.signal('approve', { by: 'cfo', comment: 'I carry it' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.ruled['decide#1~1/overruled']).toMatchObject({
      passed: true,
      outcome: 'overruled',
      earlier: [{ outcome: 'failed' }],
    });
  });
});

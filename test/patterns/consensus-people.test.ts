import type { ApprovalNeed } from '../../plan/people/category';
import { approval, command } from '../support/steps';
import { artifact, type StepBehaviour, type World } from '../support/world';
import { MINUTE, type Played, play, settled } from './consensus-play';

const A = 'APPROVE';
const outcomes = (world: World) => world.journal().flatMap((entry) => (entry.kind === 'signal' ? [`${entry.name} ${entry.outcome}`] : []));
const CFO = 'decide[1]/decide_cfo';

/** This is more than a run needs from the end of the vote's time to its close. */
const TURNS = 12;

/** The vote's time is up, and an answer comes `turns` microtasks later. */
async function closing(played: Played, turns: number, answer: object): Promise<void> {
  await settled(played);
  played.world.clock.tick();
  for (let turn = 0; turn < turns; turn++) await undefined;
  played.world.signal('approve', answer);
  await settled(played);
}

describe('a person with a vote', () => {
  it('CP-4 · roles · a person is asked at a gate of their own, and votes by signal as by update', async () => {
    const played = play({ a: A }, { people: ['cfo', 'ceo'] });
    await settled(played);
    const { world } = played;
    expect(world.status().gates).toMatchObject([
      { step: CFO, approvers: ['cfo'], comment: 'always', choices: ['approve', 'reject', 'abstain'], ballot: { proposalId: 'decide-1' } },
      { step: 'decide[1]/decide_ceo', approvers: ['ceo'] },
    ]);
    world.signal('approve', { step: CFO, by: 'cfo', comment: 'cheaper', value: { conditions: ['test it'], confidence: 0.9 } });
    await world.update('respond', { step: 'decide[1]/decide_ceo', by: 'ceo', response: 'abstain', comment: 'not my field' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({
      ...{ passed: true, approvals: 2, abstentions: 1, conditions: ['test it'] },
      votes: [{ from: 'a' }, { from: 'cfo', rationale: 'cheaper', confidence: 0.9 }, { from: 'ceo', vote: 'ABSTAIN' }],
    });
    expect(played.feedback('vote').map(({ from }) => from)).toEqual(['a', 'cfo', 'ceo']);
  });

  it('CP-4 · roles · a no is a vote as any other: it rejects nothing by itself', async () => {
    const played = play({ a: A, b: A }, { people: ['cfo'] });
    await settled(played);
    played.world.signal('reject', { by: 'cfo', comment: 'too dear' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ passed: true, rejections: 1 });
  });

  it('CP-4 · roles · with options the answers are these, and a plain approve is none', async () => {
    const matter = { title: 'Which?', options: [{ id: 'X' }, { id: 'Y' }] };
    const played = play({ a: { option: 'X' } }, { people: ['cfo'], matter });
    await settled(played);
    const { world } = played;
    expect(world.status().gates).toMatchObject([{ choices: ['X', 'Y', 'reject', 'abstain'] }]);
    await expect(world.update('approve', { by: 'cfo', comment: 'x' })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('respond', { by: 'cfo', response: 'X', comment: 'what is advised' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ passed: true, option: 'X', votes: [{ option: 'X' }, { from: 'cfo', vote: A, option: 'X' }] });
  });

  it.each<[string, string, object]>([
    ['entry · a person’s vote without a rationale', 'approve', { by: 'cfo' }],
    ['entry · a person’s vote with a blank rationale', 'approve', { by: 'cfo', comment: ' ' }],
    ['entry · a person’s unknown word', 'respond', { by: 'cfo', comment: 'x', response: 'maybe' }],
    ['entry · a person’s confidence of 7', 'approve', { by: 'cfo', comment: 'x', value: { confidence: 7 } }],
    ['entry · a person’s conditions that are no list', 'approve', { by: 'cfo', comment: 'x', value: { conditions: 'x' } }],
    ['entry · a person’s key that no vote has', 'approve', { by: 'cfo', comment: 'x', value: { proposalId: 'decide-9' } }],
    ['entry · a person’s approval that blocks', 'approve', { by: 'cfo', comment: 'x', value: { blocking: true } }],
    ['roles · an answer by somebody without a vote', 'approve', { by: 'eve', comment: 'x' }],
    ['roles · an answer by nobody', 'approve', { comment: 'x' }],
  ])('CP-4 · %s is refused, and has not used up the vote', async (_, name, payload) => {
    const played = play({ a: A }, { people: ['cfo'] });
    await settled(played);
    const { world } = played;
    await expect(world.update(name, { step: CFO, ...payload })).rejects.toMatchObject({ outcome: 'refused' });
    world.signal(name, { step: CFO, ...payload });
    await settled(played);
    expect(outcomes(world)).toEqual([`${name} refused`]);
    world.signal('approve', { step: CFO, by: 'cfo', comment: 'because' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('CP-4 · duplicate · the first vote counts, whatever comes at once with it', async () => {
    const played = play({ a: A, b: { by: () => ({ after: MINUTE, says: A }) } }, { people: ['cfo'] });
    await settled(played);
    const { world } = played;
    world.signal('approve', { step: CFO, by: 'cfo', comment: 'yes' });
    world.signal('reject', { step: CFO, by: 'cfo', comment: 'no' });
    await settled(played);
    world.signal('reject', { step: CFO, by: 'cfo', comment: 'no' });
    await world.elapse();
    await world.result;
    expect(outcomes(world)).toEqual(['approve applied', 'reject duplicate', 'reject duplicate']);
    expect(played.output()).toMatchObject({ approvals: 3, rejections: 0 });
  });

  it('CP-4 · late answer · a person’s, after the close, is journalled as late', async () => {
    const played = play({ a: A, b: A }, { people: ['cfo'] });
    await played.world.elapse();
    await played.world.result;
    expect(played.output()).toMatchObject({ passed: true, missing: ['cfo'] });
    const open = play({ a: A, b: A }, { people: ['cfo'], steps: { after: () => new Promise(() => undefined) } });
    await open.world.elapse();
    open.world.signal('approve', { step: CFO, by: 'cfo', comment: 'yes' });
    await settled(open);
    expect(outcomes(open.world)).toEqual(['approve late']);
  });

  it('CP-4 · late answer · a person who is late hears who has decided', async () => {
    const open = play({ a: A, b: A }, { people: ['cfo'], steps: { after: () => new Promise(() => undefined) } });
    await open.world.elapse();
    await expect(open.world.update('approve', { step: CFO, by: 'cfo', comment: 'yes' })).rejects.toMatchObject({
      outcome: 'late',
      message: expect.stringContaining('the vote is over: a APPROVE, b APPROVE'),
    });
  });

  describe('CP-4 · late answer · a vote that names the step once its ballots are closed', () => {
    const late = { type: 'vote', by: 'cfo', response: 'approve', comment: 'yes' };
    const blocked = () => play({ a: A, b: 'BLOCK' }, { people: ['cfo'], step: { rounds: 1 } });

    it.each([{ step: 'decide' }, { step: CFO }, {}])('hears who has decided, and does not answer what is asked then: %p', async (named) => {
      const played = blocked();
      await settled(played);
      expect(played.world.status().gates).toMatchObject([{ step: 'decide' }]);
      await expect(played.world.update('respond', { ...late, ...named })).rejects.toMatchObject({
        outcome: 'late',
        message: expect.stringContaining('is over: a APPROVE, b REJECT (blocks it)'),
      });
      played.world.signal('respond', { ...late, ...named });
      await settled(played);
      expect(played.world.status().gates).toMatchObject([{ step: 'decide' }]);
      expect(outcomes(played.world)).toEqual(['respond late']);
    });

    it.each([{ step: 'decide' }, { step: CFO }])('hears of the person who has decided after the vote: %p', async (named) => {
      const played = play(
        { a: A, b: 'BLOCK' },
        { people: ['cfo'], step: { rounds: 1 }, steps: { after: () => new Promise(() => undefined) } },
      );
      await settled(played);
      await played.world.update('approve', { step: 'decide', by: 'ann', comment: 'do it' });
      await settled(played);
      await expect(played.world.update('respond', { ...late, ...named })).rejects.toMatchObject({
        outcome: 'late',
        message: expect.stringMatching(/ann decided: approve/),
      });
    });

    it.each([
      [{}, 'no vote is open'],
      [{ step: 'sign' }, 'sign is waiting; no vote is open there'],
    ])('is no answer to another gate: %p', async (named, said) => {
      const played = play({ a: 'silence' }, { more: { block: { order: 'sequence', steps: [approval('sign'), command('after')] } } });
      await settled(played);
      await expect(played.world.update('respond', { ...late, ...named })).rejects.toMatchObject({
        outcome: 'misdirected',
        message: expect.stringContaining(said),
      });
      expect(played.world.status().gates).toMatchObject([{ step: 'sign' }]);
    });

    it('hears which round is over, if another may follow', async () => {
      const played = play({ a: 'REJECT', b: 'REJECT' }, { people: ['cfo'], steps: { decide_revise: () => new Promise(() => undefined) } });
      await settled(played);
      await expect(played.world.update('respond', { ...late, step: 'decide' })).rejects.toMatchObject({
        outcome: 'late',
        message: expect.stringContaining('round 1 of the vote of decide is over: a REJECT, b REJECT'),
      });
    });
  });

  it('CP-4 · late answer · a person who is late for a round before hears that it is over', async () => {
    const open = play({ a: 'REJECT', b: { by: (round) => (round === 1 ? 'REJECT' : { after: MINUTE, says: A }) } }, { people: ['cfo'] });
    await settled(open);
    await settled(open);
    await expect(open.world.update('approve', { step: CFO, by: 'cfo', comment: 'yes' })).rejects.toMatchObject({
      outcome: 'late',
      message: expect.stringContaining('its round of the vote is over'),
    });
  });

  it('CP-4 · late answer · one that was taken in the moment of the close counts', async () => {
    const played = play({ a: A, b: 'silence' }, { people: ['cfo'], step: { threshold: { count: 2 } } });
    await settled(played);
    const { world } = played;
    // The answer comes when the vote's time is up, before the run has looked at the clock.
    world.clock.after(5 * MINUTE, () => world.signal('approve', { step: CFO, by: 'cfo', comment: 'yes' }));
    await world.completes();
    expect(outcomes(world)).toEqual(['approve applied']);
    expect(played.output()).toMatchObject({ approvals: 2, missing: ['b'] });
  });

  it('CP-4 · late answer · whatever comes first in the moment of the close, an answer that was applied counts', async () => {
    for (let turns = 0; turns < TURNS; turns++) {
      const played = play({ a: A, b: A, c: 'silence' }, { people: ['cfo'] });
      await closing(played, turns, { step: CFO, by: 'cfo', comment: 'yes' });
      await played.world.result;
      const applied = outcomes(played.world).includes('approve applied');
      expect([turns, played.output()]).toMatchObject([turns, { missing: applied ? ['c'] : ['c', 'cfo'] }]);
    }
  });

  it('CP-4 · time-out · an answer to an agent’s own question, in the moment of the close, gives the vote no more time', async () => {
    const need: ApprovalNeed = { category: 'move_money', summary: 'pay', contentSha256: 'a'.repeat(64), content: artifact('pay') };
    const asks: StepBehaviour = ({ input }) => (input.approvals ? new Promise(() => undefined) : { paused: { kind: 'approval', need } });
    for (let turns = 0; turns < TURNS; turns++) {
      const played = play({ a: A, b: 'silence', c: A }, { steps: { decide_b: asks } });
      await closing(played, turns, { step: 'decide[1]/decide_b', by: 'cfo' });
      expect([turns, played.world.status().state]).toEqual([turns, 'completed']);
      expect(played.output()).toMatchObject({ missing: ['b'] });
    }
  });

  it('CP-4 · roles · who has a vote may hand it over, and not to one who has one already', async () => {
    const played = play({ a: A }, { people: ['cfo'] });
    await settled(played);
    const { world } = played;
    world.signal('delegate', { step: CFO, by: 'cfo', to: 'coo' });
    await settled(played);
    await expect(world.update('approve', { step: CFO, by: 'cfo', comment: 'x' })).rejects.toMatchObject({ outcome: 'refused' });
    world.signal('approve', { step: CFO, by: 'coo', comment: 'for the cfo' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ votes: [{}, { from: 'cfo', rationale: 'for the cfo' }] });
  });

  it('CP-4 · roles · a message that calls itself a vote is a message', async () => {
    const played = play({ a: A }, { people: ['cfo'] });
    await settled(played);
    const { world } = played;
    world.signal('message', { to: 'cfo', type: 'vote', content: { proposalId: 'decide-1', vote: A, rationale: 'x' }, from: 'cfo' });
    await settled(played);
    expect(played.feedback('vote').map(({ from }) => from)).toEqual(['a']);
    expect(world.step('decide').waitingFor).toBe('the vote of cfo');
  });

  it('CP-4 · silence/abstention · if all abstain and nobody is named, a person decides in their place', async () => {
    const played = play({ a: 'ABSTAIN', b: 'ABSTAIN' }, { default: 'person' });
    await settled(played);
    const { world } = played;
    expect(world.status().gates).toMatchObject([{ step: 'decide[1]/decide_default', ballot: { proposalId: 'decide-1' } }]);
    world.signal('approve', { by: 'cfo', comment: 'I carry it' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ passed: true, outcome: 'decided', decided_by: 'cfo', decision: { rationale: 'I carry it' } });
    expect(world.step('decide').vote).toMatchObject({ outcome: 'decided', decidedBy: 'cfo' });
  });
});

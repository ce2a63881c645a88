import type { StepOutput } from '../../plan/steps/step-activity';
import { carry, rerun } from '../interpreter/carrying';
import { freshly } from '../interpreter/program';
import { need } from '../interpreter/spending';
import { artifact, type StepBehaviour } from '../support/world';
import { IN_ORDER, play } from './escalate-play';
import { red, settled, unique } from './played';

/** Whatever happens to an escalation, nobody is asked twice, and no answer is lost. */
const PERSON = 'rescue[5]/rescue_person';

describe('an escalation', () => {
  it('CP-5 · continue-as-new · comes to the same wherever the run continues', async () => {
    const fresh = freshly();
    const played = play({
      says: { s: { recommendation: 'move it' }, apply: 'up', workaround: { recommendation: 'off' } },
      historyIsFull: fresh.historyIsFull,
    });
    await fresh.toTheEnd(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.executions).toBeGreaterThan(2);
    expect(played.started()).toEqual(['1 e', '2 e', '3 s', '4 apply', '5 c', '7 workaround', 'after']);
    expect(played.feedback()).toHaveLength(3);
    expect(played.output()).toMatchObject({ outcome: 'workaround', solution: 'off' });
    unique(played);
  });

  it('CP-5 · late answer · a person’s, after the time is up, is journalled as late and changes nothing', async () => {
    const played = play({ says: { workaround: 'silence' } });
    await settled(played);
    await played.world.elapse(() => played.world.status().gates.length === 0);
    await settled(played);
    expect(played.started()).toContain('6 workaround');
    played.world.signal('respond', { step: PERSON, by: 'cfo', response: 'solved', comment: 'too late' });
    await settled(played);
    expect(played.world.step('rescue')).toMatchObject({ escalation: { doing: 'workaround' } });
    expect(played.world.journal()).toContainEqual(expect.objectContaining({ kind: 'signal', outcome: 'late' }));
  });

  it('CP-5 · duplicate · the first answer of a person counts', async () => {
    const played = play({ says: { apply: 'solved' } });
    await settled(played);
    played.world.signal('respond', { step: PERSON, by: 'cfo', response: 'solution', comment: 'one' });
    played.world.signal('respond', { step: PERSON, by: 'ann', response: 'abort', comment: 'two' });
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ outcome: 'solved', by: 'cfo', solution: 'one' });
  });

  it('CP-5 · roles · a message that calls itself an escalation is a message', async () => {
    const played = play({ says: { e: 'silence' } });
    await settled(played);
    played.world.signal('escalate', { by: 'mallory', step: 'rescue', to_level: 3 });
    await settled(played);
    expect(played.world.step('rescue').escalation).toMatchObject({ level: 0 });
    expect(played.feedback()).toEqual([]);
  });

  it('CP-5 · cancel · calls off who is at work, and says what was paid for', async () => {
    const played = play({ says: { e: 'silence' } });
    await settled(played);
    played.world.cancel();
    await expect(played.world.result).rejects.toThrow();
    expect(played.world.lookedUp).toEqual(['rescue[1]/rescue_e#1~1']);
  });

  it('CP-5 · pause · asks nobody new meanwhile', async () => {
    const played = play();
    await settled(played);
    const { world } = played;
    world.signal('pause', { by: 'ops' });
    await settled(played);
    world.signal('respond', { step: PERSON, by: 'cfo', response: 'solution', comment: 'x' });
    await settled(played);
    expect(played.started()).toEqual(['1 e', '2 e', '3 s', '4 c']);
    world.signal('unpause', { by: 'ops' });
    await settled(played);
    expect(played.started()).toContain('6 apply');
  });

  it('CP-5 · budget · an agent that lacks budget waits at its gate, and the issue waits with it', async () => {
    const said = { artifact: artifact('said-paid'), values: { solved: true } };
    const lacking: StepBehaviour = ({ input }): StepOutput => ({ ...need(500, input), ...(input.budget?.tokens === 600 ? said : {}) });
    const played = play({
      text: `budget: {tokens: 100}\n${IN_ORDER}`,
      steps: { rescue_e: lacking },
      documents: () => ({ solved: true, diagnosis: 'a full disk' }),
    });
    await settled(played);
    expect(played.world.status().gates).toMatchObject([{ kind: 'budget' }]);
    await played.world.update('extend_budget', { tokens: 600 });
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ outcome: 'solved', level: 0 });
  });

  it('CP-5 · rerun from inside · of one that was cancelled, asks the level again that it was at, with what was said before it', async () => {
    const before = play();
    await settled(before);
    before.world.cancel();
    await expect(before.world.result).rejects.toThrow();
    const { carry: carried } = carry(before.world, PERSON);
    const again = play({ documents: () => ({}), begin: (plan, options) => rerun(plan, carried, options) });
    await settled(again);
    expect(again.started()).toEqual([]);
    expect(again.world.status().gates).toMatchObject([{ step: PERSON }]);
    again.world.signal('respond', { step: PERSON, by: 'cfo', response: 'solved', comment: 'by hand' });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('CP-5 · rerun from inside · one that has failed begins again, and says so', async () => {
    const before = play({ text: IN_ORDER.replace('timeout: 24h', 'timeout: 24h, on_timeout: stop') });
    await before.world.elapse();
    await expect(before.world.result).rejects.toMatchObject({ code: 'escalate.unsolved' });
    const from = carry(before.world, PERSON);
    expect(from.notes).toEqual([expect.stringContaining('begins again as a whole')]);
    const again = play({ says: { e: 'solved' }, begin: (plan, options) => rerun(plan, from.carry, options) });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.started()).toEqual(['1 e', 'after']);
  });

  it('CP-5 · rerun from inside · one that is over is carried whole, with how it ended', async () => {
    const fails: StepBehaviour = () => {
      throw red;
    };
    const before = play({ says: { e: 'solved' }, steps: { after: fails } });
    await expect(before.world.result).rejects.toMatchObject({ code: 'command.failed' });
    const again = play({ begin: (plan, options) => rerun(plan, carry(before.world, 'after').carry, options) });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.started()).toEqual(['after']);
    expect(again.world.step('rescue').escalation).toMatchObject({ outcome: 'solved', by: 'e' });
  });

  it('CP-5 · fallbacks · an operator’s retry opens the issue again, in turns of its own', async () => {
    const text = IN_ORDER.replace('levels:', 'on_error: hold, levels:').replace('timeout: 24h', 'timeout: 24h, on_timeout: stop');
    const played = play({ text, says: { e: ['up', 'up', 'solved'] } });
    await played.world.elapse(() => played.world.step('rescue').state === 'held');
    played.world.signal('retry', { step: 'rescue', by: 'ops' });
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 e', '2 e', '3 s', '4 c', '6 e', 'after']);
  });
});

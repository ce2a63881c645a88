import type { StepOutput } from '../../plan/steps/step-activity';
import { carry, rerun } from '../interpreter/carrying';
import { freshly } from '../interpreter/program';
import { need } from '../interpreter/spending';
import { artifact, type StepBehaviour } from '../support/world';
import { broken, consults, play } from './consult-play';
import { settled, unique } from './played';

/** Whatever happens to a consultation, nobody is asked twice, and no advice is lost. */
describe('a consultation', () => {
  it('CP-8 · continue-as-new · comes to the same wherever the run continues', async () => {
    const fresh = freshly();
    const played = play({ says: { consultant: 0.5, second_opinion: 0.6 }, takesMs: 60_000, historyIsFull: fresh.historyIsFull });
    await fresh.toTheEnd(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.executions).toBeGreaterThan(2);
    expect(played.started()).toEqual(['1 consultant', '2 consultant', '3 second_opinion', 'after']);
    expect(played.feedback()).toHaveLength(6);
    expect(played.output()).toMatchObject({ outcome: 'unverified', by: 'arch', confidence: 0.6 });
    unique(played);
  });

  it('CP-8 · continue-as-new · does not give the time again', async () => {
    const fresh = freshly();
    const played = play({ says: { consultant: 'silence' }, historyIsFull: fresh.historyIsFull });
    await settled(played);
    const begun = played.world.clock.now();
    await fresh.again(played.world);
    await played.world.completes();
    expect(played.world.clock.now() - begun).toBe(5 * 60_000);
  });

  it('CP-8 · late answer · what a lost worker was paid for counts when the time is up', async () => {
    const paid = artifact('paid');
    const played = play({
      says: { consultant: 'silence' },
      documents: (sha256) => (sha256 === paid.sha256 ? { recommendation: 'x', rationale: 'y', confidence: 0.9 } : undefined),
      recorded: (call) => (call.startsWith('advise[1]/advise_consultant') ? { artifact: paid, values: { confidence: 0.9 } } : undefined),
    });
    await played.world.completes();
    expect(played.output()).toMatchObject({ outcome: 'advised', by: 'sec', recommendation: 'x' });
  });

  it.each([
    ['paid for by then counts', true],
    ['silent is not in time', false],
  ])(
    'CP-8 · continue-as-new · what came by the end of the time counts while it is looked up: an adviser that was %s',
    async (_, isPaid) => {
      const fresh = freshly();
      const paid = artifact('paid');
      const held: (() => void)[] = [];
      const played = play({
        text: consults('consultants: {security: sec}, fallback: cli'),
        says: { consultant: 'silence' },
        historyIsFull: fresh.historyIsFull,
        documents: (sha256) => (sha256 === paid.sha256 ? { recommendation: 'x', rationale: 'y', confidence: 0.9 } : undefined),
        recorded: async () => {
          if (held.length < 1) await new Promise<void>((resolve) => held.push(resolve));
          return isPaid ? { artifact: paid, values: { confidence: 0.9 } } : undefined;
        },
      });
      await settled(played);
      played.world.clock.tick();
      await settled(played);
      expect(held).toHaveLength(1);
      await fresh.again(played.world);
      for (const resolve of held) resolve();
      await played.world.completes();
      expect(played.world.executions).toBeGreaterThan(1);
      expect(played.started()).toEqual(['1 consultant', 'after']);
      const answers = isPaid ? [{ advice: {} }] : [{ failed: 'gave no answer in time' }];
      expect(played.output()).toMatchObject({ outcome: isPaid ? 'advised' : 'unverified', answers });
    },
  );

  it('CP-8 · cancel · calls off who is asked, and says what was paid for', async () => {
    const played = play({ says: { consultant: 'silence' } });
    await settled(played);
    played.world.cancel();
    await expect(played.world.result).rejects.toThrow();
    expect(played.world.lookedUp).toEqual(['advise[1]/advise_consultant#1~1']);
  });

  it('CP-8 · pause · asks nobody new meanwhile', async () => {
    let answer: (() => void) | undefined;
    const slow: StepBehaviour = () =>
      new Promise<StepOutput>((resolve) => {
        answer = () => resolve({ artifact: artifact('unsure'), values: { confidence: 0.1 } });
      });
    const played = play({ steps: { advise_consultant: slow } });
    await settled(played);
    played.world.signal('pause', { by: 'ops' });
    await settled(played);
    answer?.();
    await settled(played);
    expect(played.started()).toEqual(['1 consultant']);
    played.world.signal('unpause', { by: 'ops' });
    await settled(played);
    expect(played.started().length).toBeGreaterThan(1);
  });

  it('CP-8 · budget · an adviser who lacks budget waits at a gate, and the consultation with it', async () => {
    const said = { artifact: artifact('said-paid'), values: { confidence: 0.9 } };
    const lacking: StepBehaviour = ({ input }): StepOutput => ({ ...need(500, input), ...(input.budget?.tokens === 600 ? said : {}) });
    const played = play({
      text: `budget: {tokens: 100}\n${consults('consultants: {security: sec}, urgency: low')}`,
      steps: { advise_consultant: lacking },
      documents: () => ({ recommendation: 'x', rationale: 'y', confidence: 0.9 }),
    });
    await settled(played);
    expect(played.world.status().gates).toMatchObject([{ kind: 'budget' }]);
    await played.world.update('extend_budget', { tokens: 600 });
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ outcome: 'advised' });
  });

  it('CP-8 · rerun from inside · of one that was cancelled, asks on from where it was', async () => {
    const before = play({ says: { consultant: 0.5, second_opinion: 'silence' } });
    await settled(before);
    before.world.cancel();
    await expect(before.world.result).rejects.toThrow();
    const { carry: carried } = carry(before.world, 'advise[3]/advise_second_opinion');
    const again = play({ begin: (plan, options) => rerun(plan, carried, options) });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.started()).toEqual(['3 second_opinion', 'after']);
  });

  it('CP-8 · rerun from inside · one that is over is carried whole, with what came of it', async () => {
    const fails: StepBehaviour = () => {
      throw broken;
    };
    const before = play({ steps: { after: fails } });
    await expect(before.world.result).rejects.toMatchObject({ code: 'agent.turns-used-up' });
    const again = play({ begin: (plan, options) => rerun(plan, carry(before.world, 'after').carry, options) });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.started()).toEqual(['after']);
    expect(again.world.step('advise').advice).toMatchObject({ outcome: 'advised', by: 'sec' });
  });
});

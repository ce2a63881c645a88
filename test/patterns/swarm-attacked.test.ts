import type { StepOutput } from '../../plan/steps/step-activity';
import { carry, rerun } from '../interpreter/carrying';
import { freshly } from '../interpreter/program';
import { need } from '../interpreter/spending';
import { artifact, type StepBehaviour } from '../support/world';
import { red, settled, unique } from './played';
import { IN_ORDER, MINUTE, play } from './swarm-play';

/** Whatever happens to a swarm, nobody is asked twice, no diagnosis is lost, and only diagnoses that were given count. */
const DIAGNOSIS = { root_cause: 'a full disk', confidence: 0.9, fix_suggestion: 'clean it' };
/** The ledger's record of an agent whose worker was lost before it could report. */
const PAID: StepOutput = { artifact: artifact('paid'), values: DIAGNOSIS };
const documents = (sha256: string) => (sha256 === artifact('paid').sha256 ? DIAGNOSIS : undefined);

describe('a swarm', () => {
  it('CP-7 · worker killed · what an agent had been paid for counts when the time runs out', async () => {
    const played = play({ says: { e: 'silence' }, recorded: (call) => (call.includes('mob_e') ? PAID : undefined), documents });
    await played.world.completes();
    expect(played.world.lookedUp).toEqual(['mob[1]/mob_e#1~1']);
    expect(played.output()).toMatchObject({ by: 'e', root_cause: 'a full disk' });
    expect(played.feedback('swarm_diagnosis').map(({ from }) => from)).toEqual(['p', 't', 'e']);
  });

  it('CP-7 · continue-as-new · comes to the same wherever the run continues', async () => {
    const fresh = freshly();
    const played = play({
      says: {
        p: { after: MINUTE, says: 0.2 },
        e: { after: 2 * MINUTE, says: 0.6 },
        fix_e: { after: MINUTE, says: 'applied' },
        verify: ['passes', red, 'passes'],
      },
      historyIsFull: fresh.historyIsFull,
    });
    await fresh.toTheEnd(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.executions).toBeGreaterThan(2);
    expect(played.started()).toEqual(['1 verify', '1 p', '1 e', '1 t', '2 fix_e', '2 verify', '3 fix_t', '3 verify', 'after']);
    expect(played.feedback('swarm_diagnosis')).toHaveLength(3);
    expect(played.output()).toMatchObject({ by: 't', tried: [{ outcome: 'broke' }, { outcome: 'solved' }] });
    unique(played);
  });

  it('CP-7 · late answer · a diagnosis from after the time changes nothing', async () => {
    const played = play({
      text: IN_ORDER.replace('verify:', 'timeout: 1m, verify:'),
      says: { e: { after: 2 * MINUTE, says: 1 }, fix_t: { after: 3 * MINUTE, says: 'applied' } },
    });
    await played.world.completes();
    expect(played.output()).toMatchObject({ by: 't', rounds: [{ skipped: [{ agent: 'e' }] }] });
    expect(played.feedback('swarm_diagnosis').map(({ from }) => from)).toEqual(['p', 't']);
  });

  it('CP-7 · duplicate · an agent has one diagnosis in a round', async () => {
    const played = play({ says: { verify: [red, red, 'passes'] } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.feedback('swarm_diagnosis').map(({ from }) => from)).toEqual(['p', 'e', 't', 'p', 'e', 't']);
    unique(played);
  });

  it('CP-7 · cancel · calls off who is at work, and says what was paid for', async () => {
    const played = play({ says: { p: 'silence' } });
    await settled(played);
    played.world.cancel();
    await expect(played.world.result).rejects.toThrow();
    expect(played.world.lookedUp).toEqual(['mob[1]/mob_p#1~1']);
    expect(played.world.status()).toMatchObject({ state: 'cancelled' });
  });

  it('CP-7 · pause · asks nobody new meanwhile', async () => {
    const played = play({ says: { p: { after: MINUTE, says: 0.2 } } });
    await settled(played);
    const { world } = played;
    world.signal('pause', { by: 'ops' });
    await world.elapse(() => played.feedback('swarm_diagnosis').length === 3);
    await settled(played);
    expect(played.started()).not.toContain('2 fix_e');
    world.signal('unpause', { by: 'ops' });
    await settled(played);
    expect(played.started()).toContain('2 fix_e');
  });

  it('CP-7 · budget · an agent that lacks budget waits at its gate, and the others diagnose', async () => {
    const lacking: StepBehaviour = ({ input }) => ({ ...need(500, input), ...(input.budget?.tokens === 600 ? PAID : {}) });
    const played = play({ text: `budget: {tokens: 100}\n${IN_ORDER}`, steps: { mob_e: lacking }, documents });
    await settled(played);
    expect(played.world.status().gates).toMatchObject([{ kind: 'budget' }]);
    expect(played.world.step('mob')).toMatchObject({ waitingFor: 'the diagnosis of e' });
    expect(played.feedback('swarm_diagnosis').map(({ from }) => from)).toEqual(['p', 't']);
    await played.world.update('extend_budget', { tokens: 600 });
    await settled(played);
    expect(played.feedback('swarm_diagnosis').map(({ from }) => from)).toEqual(['p', 't', 'e']);
  });

  it('CP-7 · fallbacks · an operator’s retry takes the issue up again, in turns of its own', async () => {
    const text = IN_ORDER.replace('verify:', 'on_fail: hold, verify:');
    const played = play({ text, says: { verify: [red, red, red, red, 'passes'] } });
    await settled(played);
    expect(played.world.step('mob')).toMatchObject({ state: 'held' });
    played.world.signal('retry', { step: 'mob', by: 'ops' });
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started().slice(-6)).toEqual(['5 p', '5 e', '5 t', '6 fix_e', '6 verify', 'after']);
    unique(played);
  });

  it('CP-7 · fallbacks · a fix that cannot be taken back fails the step, and a retry takes that fix back', async () => {
    const text = IN_ORDER.replace('verify:', 'worktree: true, on_error: hold, verify:');
    const fixes: StepBehaviour = ({ input }) => ({
      ...{ artifact: artifact('fix'), values: { applied: true } },
      ...(input.worktree ? { worktree: { ...input.worktree, commit: 'fixed' } } : {}),
    });
    const says = { verify: [red, red, red, 'passes'], rollback: [red, 'passes'] } as const;
    const played = play({ text, says, steps: { mob_fix_e: fixes } });
    await settled(played);
    expect(played.world.step('mob')).toMatchObject({ state: 'held' });
    const restored = () =>
      Object.entries(played.world.composed).flatMap(([address, from]) => (address.includes('/commit-2') ? [from] : []));
    const [first] = restored();
    played.world.signal('retry', { step: 'mob', by: 'ops' });
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ outcome: 'solved', by: 'e' });
    expect(restored()).toEqual([first, first]);
    expect(first).not.toMatchObject({ value: 'fixed' });
  });
});

describe('a rerun', () => {
  const failing = { text: IN_ORDER.replace('verify:', 'rounds: 1, on_fail: stop, verify:'), says: { verify: red } };

  it('CP-7 · rerun from inside · of one that was cancelled, asks the agent again that it was at, and keeps what was said before', async () => {
    const before = play({ says: { t: { after: MINUTE, says: 'silence' } } });
    await settled(before);
    before.world.cancel();
    await expect(before.world.result).rejects.toThrow();
    const { carry: carried } = carry(before.world, 'mob[1]/mob_t');
    const again = play({ documents: () => DIAGNOSIS, begin: (plan, options) => rerun(plan, carried, options) });
    await settled(again);
    expect(again.started()).toContain('1 t');
    expect(again.started()).not.toContain('1 p');
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('CP-7 · rerun from inside · one that has failed begins again, and says so', async () => {
    const before = play(failing);
    await expect(before.world.result).rejects.toMatchObject({ code: 'swarm.unsolved' });
    const from = carry(before.world, 'mob[2]/mob_fix_e');
    expect(from.notes).toEqual([expect.stringContaining('begins again as a whole')]);
    const again = play({ begin: (plan, options) => rerun(plan, from.carry, options) });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('CP-7 · rerun from inside · one that is over is carried whole, with how it ended', async () => {
    const fails: StepBehaviour = () => {
      throw red;
    };
    const before = play({ steps: { after: fails } });
    await expect(before.world.result).rejects.toMatchObject({ code: 'command.failed' });
    const again = play({ begin: (plan, options) => rerun(plan, carry(before.world, 'after').carry, options) });
    await expect(again.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.started()).toEqual(['after']);
    expect(again.world.step('mob').swarm).toMatchObject({ outcome: 'solved', fixer: 'e' });
  });
});

import type { RenderedGate } from '../../plan/people/gate-activities';
import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import { agent, command, group } from '../support/steps';
import { artifact, planOf, runPlan, type Seen } from '../support/world';
import { freshly } from './program';

const digest = 'c'.repeat(64);
const gate = (): Partial<RenderedGate> => ({ contentSha256: digest });
const need = { category: 'move_money', summary: 'transfer {"amount":5}', contentSha256: digest, content: artifact('call') } as const;

describe('an action of a category (docs/protocol.md, 4.7)', () => {
  it('waits for a person’s yes to exactly what it is about to do', async () => {
    const world = runPlan(planOf([command('ship', { category: 'deploy' })]), { gate });
    await world.settle();
    expect(world.order()).toEqual([]);
    expect(world.status().gates).toMatchObject([{ step: 'ship', kind: 'approval', channel: '#approvals', category: 'deploy' }]);
    await world.update('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen[0]?.input.approvals).toEqual([
      { id: 'ship#1~1/approval-1', category: 'deploy', contentSha256: digest, approved: true, by: 'chairman' },
    ]);
    const approvals = world.journal().filter((entry) => entry.kind === 'approval');
    expect(approvals).toMatchObject([
      { event: 'granted', category: 'deploy', by: 'chairman' },
      { event: 'used', category: 'deploy', contentSha256: digest },
    ]);
  });

  it('is not done if the person says no: the run ends as rejected', async () => {
    const world = runPlan(planOf([command('ship', { category: 'deploy' })]), { gate });
    await world.settle();
    await world.update('reject', { by: 'chairman', comment: 'not today' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(world.order()).toEqual([]);
  });

  it('has the policy that the pipeline gives its category', async () => {
    const requiresApproval: Plan['requiresApproval'] = { deploy: { approvers: ['cto', 'cfo'], quorum: 2, channel: '#ops' } };
    const world = runPlan(planOf([command('ship', { category: 'deploy' })], { requiresApproval }), { gate });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ channel: '#ops', approvers: ['cto', 'cfo'], quorum: 2 }]);
    await world.update('approve', { by: 'cto' });
    expect(world.order()).toEqual([]);
    await world.update('approve', { by: 'cfo' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('is taken to the people above if nobody decides in time, under the same policy', async () => {
    const requiresApproval: Plan['requiresApproval'] = {
      deploy: { approvers: ['cto'], identity: 'proven', timeoutMs: 1000, onTimeout: 'escalate' },
    };
    const escalation: Plan['escalation'] = [{ kind: 'human', name: 'chairman', people: ['chairman'] }];
    const world = runPlan(planOf([command('ship', { category: 'deploy' })], { requiresApproval, escalation }), { gate });
    await world.elapse();
    expect(world.status()).toMatchObject({ state: 'waiting', gates: [{ step: 'ship', approvers: ['chairman'], identity: 'proven' }] });
    expect(world.order()).toEqual([]);
  });

  it('is asked of the people above once, even if the run is paused and goes on in a fresh execution before they are', async () => {
    const requiresApproval: Plan['requiresApproval'] = { deploy: { approvers: ['cto'], timeoutMs: 1000, onTimeout: 'escalate' } };
    const escalation: Plan['escalation'] = [{ kind: 'human', name: 'chairman', people: ['chairman'] }];
    const fresh = freshly();
    const plan = planOf([command('ship', { category: 'deploy' })], { requiresApproval, escalation });
    const world = runPlan(plan, { gate, historyIsFull: fresh.historyIsFull });
    await world.settle();
    world.signal('pause', { by: 'ops' });
    await world.elapse();
    await fresh.again(world);
    world.signal('unpause', { by: 'ops' });
    await world.elapse();
    expect(world.executions).toBe(2);
    expect(world.status().gates).toMatchObject([{ step: 'ship', approvers: ['chairman'] }]);
    expect(world.gateInputs).toHaveLength(2);
    await world.update('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen[0]?.input.approvals).toMatchObject([{ approved: true, by: 'chairman', contentSha256: digest }]);
  });

  it('ends the run with the true reason if its time runs out as a no', async () => {
    const requiresApproval: Plan['requiresApproval'] = { deploy: { timeoutMs: 1000, onTimeout: 'reject' } };
    const world = runPlan(planOf([command('ship', { category: 'deploy' })], { requiresApproval }), { gate });
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'rejected', reason: expect.stringContaining('in time') });
  });

  it('keeps a yes that a try has not used for the next ones, under the id that it has', async () => {
    const steps = {
      ship: ({ address }: Seen) => {
        if ((address?.try ?? 0) < 3) throw new ThermidorFailure('secret.missing', 'no KEY');
        return {};
      },
    };
    const given: RenderedGate['contentSha256'][] = [];
    const world = runPlan(planOf([command('ship', { category: 'deploy', onError: [{ kind: 'hold' }] })]), {
      gate: (input) => {
        given.push(input.given?.id);
        return { ...gate(), ...(input.given ? { holds: true } : {}) };
      },
      steps,
    });
    await world.settle();
    await world.update('approve', { by: 'chairman' });
    for (let turn = 0; turn < 2; turn++) {
      await world.settle();
      expect(world.status()).toMatchObject({ state: 'held', gates: [] });
      await world.update('retry', { step: 'ship' });
    }
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const id = 'ship#1~1/approval-1';
    expect(given).toEqual([undefined, id, id]);
    expect(world.seen.map(({ input }) => input.approvals)).toEqual(
      [1, 2, 3].map(() => [{ id, category: 'deploy', contentSha256: digest, approved: true, by: 'chairman' }]),
    );
    const approvals = world.journal().filter((entry) => entry.kind === 'approval');
    expect(approvals).toMatchObject([
      { event: 'granted', id },
      { event: 'kept', id },
      { event: 'kept', id },
      { event: 'used', id },
    ]);
    expect(world.journal().filter((entry) => entry.kind === 'gate')).toHaveLength(2);
  });

  it('needs a new yes for a new try', async () => {
    const world = runPlan(planOf([group('g', [command('ship', { category: 'deploy', retry: { max: 2 } })])]), {
      gate,
      steps: {
        ship: ({ address }) => {
          if (address?.try === 1) throw new ThermidorFailure('command.failed', 'no');
          return {};
        },
      },
    });
    await world.settle();
    await world.update('approve', { by: 'ann' });
    await world.elapse(() => world.status().gates.length > 0);
    expect(world.status().gates).toMatchObject([{ step: 'g/ship' }]);
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.map(({ input }) => input.approvals?.[0]?.id)).toEqual(['g/ship#1~1/approval-1', 'g/ship#1~2/approval-1']);
  });

  it('asks once if the run goes on in a fresh execution meanwhile', async () => {
    const world = runPlan(planOf([command('a'), command('b'), command('ship', { category: 'deploy' }), command('after')]), {
      gate,
      activitiesPerExecution: 3,
    });
    await world.elapse();
    expect(world.executions).toBeGreaterThan(1);
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.gateInputs).toHaveLength(1);
  });

  it('of an agent’s tool is asked about when the agent comes to it, and the answer goes back to the agent, yes or no', async () => {
    const acting = ({ input }: Seen): StepOutput =>
      (input.approvals?.length ?? 0) < 2 ? { paused: { kind: 'approval', need } } : { artifact: artifact('done') };
    const world = runPlan(planOf([agent('pay')]), { gate, steps: { pay: acting } });
    await world.settle();
    expect(world.gateInputs).toMatchObject([{ category: 'move_money', need }]);
    await world.update('approve', { by: 'cfo' });
    await world.settle();
    await world.update('reject', { by: 'cfo', comment: 'once is enough' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.at(-1)?.input.approvals).toMatchObject([
      { id: 'pay#1~1/approval-1', approved: true },
      { id: 'pay#1~1/approval-2', approved: false, comment: 'once is enough' },
    ]);
  });
});

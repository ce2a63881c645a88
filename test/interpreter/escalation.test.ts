import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Action, EscalationTarget } from '../../plan/steps/action';
import type { EscalationDecision } from '../../plan/steps/escalation';
import type { Step } from '../../plan/steps/step';
import { agent, approval, command, review, reviewed, verdictIs } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';

const HOUR = 3_600_000;
/** A chain whose agents decide. */
const chain: EscalationTarget[] = [
  { kind: 'agent', id: 'lead', decides: 'agent' },
  { kind: 'agent', id: 'boss', decides: 'agent' },
  { kind: 'human' },
];
const steps: Step[] = [agent('draft'), review('judge', 'draft'), command('next', { when: verdictIs('judge', 'pass') })];

/** A reviewer that blocks, and the answers of the chain's agents by id. */
function judge(
  answers: Record<string, EscalationDecision | 'fails'>,
  then: ReturnType<typeof reviewed> = reviewed('block'),
): StepBehaviour {
  return ({ input, address }) => {
    const { escalation } = input;
    if (!escalation) return address?.round === 1 ? reviewed('block') : then;
    const said = answers[escalation.agent];
    if (said === undefined || said === 'fails') throw new ThermidorFailure('model.refused', 'no');
    return { escalated: { decision: said, rationale: `${escalation.agent} says ${said}` } };
  };
}

const run = (behaviour: StepBehaviour, more: WorldOptions = {}): World =>
  runPlan(planOf(steps, { escalation: chain }), { ...more, steps: { judge: behaviour } });

const asked = (world: World): string[] => world.seen.flatMap(({ input }) => (input.escalation ? [input.escalation.agent] : []));

/** The chain as the compiler writes it: agents advise unless the pipeline says that they decide. */
const advising: Plan['escalation'] = [
  { kind: 'agent', id: 'lead', decides: 'human' },
  { kind: 'agent', id: 'boss', decides: 'human' },
  { kind: 'human', name: 'chairman', people: ['chairman'] },
];
const toLead = (decides: 'human' | 'agent'): Action[] => [{ kind: 'escalate', to: { kind: 'agent', id: 'lead', decides } }];
const judged = (onBlock: Action[]): Step[] => [agent('draft'), review('judge', 'draft', { onBlock })];

describe('agents on the way up advise, and a person decides', () => {
  const advised = (answers: Parameters<typeof judge>[0], more: Partial<Plan> = {}, own = steps): World =>
    runPlan(planOf(own, { escalation: advising, ...more }), { steps: { judge: judge(answers) } });

  it('opens a gate for a person though every agent would let it pass, and shows what they say', async () => {
    const world = advised({ lead: 'pass', boss: 'revise' });
    await world.elapse();
    expect(asked(world)).toEqual(['lead', 'boss']);
    expect(world.seen.every(({ input }) => !input.escalation || input.escalation.advises === true)).toBe(true);
    const said = [
      { agent: 'lead', said: 'advises to let it pass: lead says pass', advice: 'pass' },
      { agent: 'boss', said: 'advises another revision: boss says revise', advice: 'revise' },
    ];
    expect(world.status().gates).toMatchObject([{ step: 'judge', kind: 'escalation', approvers: ['chairman'], said }]);
    expect(world.gateInputs.at(-1)?.escalation?.before).toEqual(said);
    expect(world.step('next').state).toBe('pending');
    expect(world.journal()).not.toContainEqual(expect.objectContaining({ kind: 'decision' }));
    await world.update('reject', { by: 'chairman', comment: 'no' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  });

  it('writes advice into the journal as a report, and no decision', async () => {
    const world = advised({ lead: 'abort', boss: 'pass_on' });
    await world.elapse();
    const reports = world
      .journal()
      .flatMap((entry) => (entry.kind === 'envelope' && 'advice' in Object(entry.envelope.payload) ? [entry.envelope] : []));
    expect(reports).toMatchObject([
      { from: 'lead', payload: { advice: 'abort', rationale: 'lead says abort' } },
      { from: 'boss', payload: { advice: 'pass_on' } },
    ]);
    expect(world.status().gates[0]?.said?.map(({ advice }) => advice)).toEqual(['abort', undefined]);
  });

  it.each(['model.refused', 'agent.timeout', 'script.no-reply'] as const)(
    'opens the gate where advice fails with %s, and says so',
    async (code) => {
      const world = runPlan(planOf(steps, { escalation: advising }), {
        steps: {
          judge: ({ input }) => {
            if (!input.escalation) return reviewed('block');
            if (input.escalation.agent === 'boss') return { escalated: { decision: 'pass', rationale: 'fine' } };
            throw new ThermidorFailure(code, 'nothing came');
          },
        },
      });
      await world.elapse();
      expect(world.status().gates[0]?.said).toEqual([
        { agent: 'lead', said: `gave no advice: ${code}: nothing came` },
        { agent: 'boss', said: 'advises to let it pass: fine', advice: 'pass' },
      ]);
    },
  );

  it('goes on from the agent that an action names: up the chain, to its people', async () => {
    const world = advised({ lead: 'pass', boss: 'pass' }, {}, judged(toLead('human')));
    await world.elapse();
    expect(asked(world)).toEqual(['lead', 'boss']);
    expect(world.status().gates).toMatchObject([{ approvers: ['chairman'] }]);
  });

  it('takes an agent that is not in the chain to the people of the chain', async () => {
    const world = advised({ lead: 'pass' }, { escalation: advising.slice(1) }, judged(toLead('human')));
    await world.elapse();
    expect(asked(world)).toEqual(['lead']);
    expect(world.status().gates).toMatchObject([{ approvers: ['chairman'] }]);
  });

  it('lets an agent decide on the level that says so, with the advice of those below it', async () => {
    const [lead, , people] = advising;
    const deciding = [lead, { kind: 'agent', id: 'boss', decides: 'agent' }, people] as NonNullable<Plan['escalation']>;
    const world = advised({ lead: 'abort', boss: 'pass' }, { escalation: deciding });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const { escalation } = world.seen.findLast(({ input }) => input.escalation)?.input ?? {};
    expect(escalation).toMatchObject({ agent: 'boss', before: [{ agent: 'lead', advice: 'abort' }] });
    expect(escalation?.advises).toBeUndefined();
    expect(world.step('judge').verdict).toMatchObject({ decidedBy: 'boss' });
  });

  it('takes what a deciding agent fails of to the people of the chain', async () => {
    const world = advised({ lead: 'fails' }, { escalation: [advising[2] as EscalationTarget] }, judged(toLead('agent')));
    await world.elapse();
    expect(world.status().gates).toMatchObject([{ approvers: ['chairman'], said: [{ agent: 'lead', said: 'failed: model.refused: no' }] }]);
  });

  it('asks a person if nobody in the chain is one', async () => {
    const world = advised({ lead: 'pass', boss: 'pass' }, { escalation: advising.slice(0, 2) });
    await world.elapse();
    expect(asked(world)).toEqual(['lead', 'boss']);
    expect(world.status().gates).toMatchObject([{ kind: 'escalation', channel: '#approvals' }]);
  });

  it('asks for advice again when the person has sent the work back and it is blocked again', async () => {
    const world = runPlan(planOf(steps, { escalation: advising }), {
      steps: { judge: ({ input }) => (input.escalation ? { escalated: { decision: 'pass', rationale: 'fine' } } : reviewed('block')) },
    });
    await world.elapse();
    await world.update('respond', { by: 'chairman', response: 'revise', comment: 'halve it' });
    await world.elapse();
    expect(asked(world)).toEqual(['lead', 'boss', 'lead', 'boss']);
    expect(world.status().gates).toMatchObject([{ step: 'judge#2' }]);
  });

  it('keeps the advice over executions, and asks nobody twice', async () => {
    const world = runPlan(planOf([command('a'), command('b'), ...steps], { escalation: advising }), {
      activitiesPerExecution: 3,
      steps: { judge: judge({ lead: 'pass', boss: 'abort' }) },
    });
    await world.elapse();
    expect(asked(world)).toEqual(['lead', 'boss']);
    expect(world.status().gates[0]?.said?.map(({ advice }) => advice)).toEqual(['pass', 'abort']);
  });

  it('does not wait without end for a service that is overloaded', async () => {
    const world = advised({ lead: 'pass', boss: 'pass' });
    await world.elapse();
    const bounds = world.calls
      .filter(({ options }) => options.address?.includes('/escalation-'))
      .map(({ options }) => options.scheduleToCloseMs);
    expect(bounds).toEqual([HOUR, HOUR]);
  });
});

describe('escalation, with agents that decide', () => {
  it('lets an agent in the chain decide: pass anyway', async () => {
    const world = run(judge({ lead: 'pass' }));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('judge')).toMatchObject({ state: 'done', verdict: { verdict: 'pass', said: 'block', decidedBy: 'lead' } });
    expect(world.step('next').state).toBe('done');
    expect(world.journal()).toContainEqual(
      expect.objectContaining({
        kind: 'decision',
        step: 'judge',
        decision: expect.objectContaining({ choice: 'approve', by: 'lead', via: 'agent' }),
      }),
    );
  });

  it('sends the work back with the agent’s reasons as instructions', async () => {
    const world = run(judge({ lead: 'revise' }, reviewed('pass')));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const again = world.seen.find(({ step, address }) => step === 'draft' && address?.round === 2);
    expect(again?.input.findings).toMatchObject({ review: 'judge', instructions: 'lead says revise' });
  });

  it('ends the run as rejected if the agent aborts', async () => {
    const world = run(judge({ lead: 'abort' }));
    await expect(world.result).resolves.toMatchObject({ status: 'rejected', reason: expect.stringContaining('lead says abort') });
  });

  it.each(['pass_on', 'fails'] as const)('asks the next where the first %s', async (first) => {
    const world = run(judge({ lead: first, boss: 'pass' }));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(asked(world)).toEqual(['lead', 'boss']);
    expect(world.seen.at(-2)?.input.escalation?.before).toMatchObject([{ agent: 'lead' }]);
  });

  it('asks a person last', async () => {
    const world = run(judge({ lead: 'pass_on', boss: 'pass_on' }));
    await world.elapse();
    expect(world.status().gates).toMatchObject([{ step: 'judge', kind: 'escalation', choices: ['approve', 'revise', 'reject'] }]);
    await world.update('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('judge').verdict).toMatchObject({ decidedBy: 'chairman' });
  });

  it('gives the whole history: every round of the step and of what it judges', async () => {
    const world = runPlan(
      planOf([agent('draft'), review('judge', 'draft', { onRevise: [{ kind: 'retry', step: 'draft', max: 1 }] })], { escalation: chain }),
      {
        steps: {
          judge: ({ input }) => (input.escalation ? { escalated: { decision: 'pass', rationale: 'enough' } } : reviewed('revise')),
        },
      },
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const { escalation } = world.seen.at(-1)?.input ?? {};
    expect(escalation?.history.map(({ step, round, verdict }) => [step, round, verdict?.verdict])).toEqual([
      ['draft', 1, undefined],
      ['judge', 1, 'revise'],
      ['draft', 2, undefined],
      ['judge', 2, 'revise'],
    ]);
  });

  it('lets agents send one step’s work back three times at most', async () => {
    const world = run(judge({ lead: 'revise', boss: 'pass' }));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(asked(world)).toEqual(['lead', 'lead', 'lead', 'lead', 'boss']);
  });

  it('takes a failed step up the chain, and its failure is asked about, not tried again, after continue-as-new', async () => {
    const failing: Step = agent('draft', { onError: [{ kind: 'escalate', to: { kind: 'agent', id: 'boss', decides: 'agent' } }] });
    let tries = 0;
    const world = runPlan(planOf([command('a'), command('b'), failing, command('after')]), {
      activitiesPerExecution: 3,
      steps: {
        draft: ({ input }) => {
          if (input.escalation) return { escalated: { decision: 'pass_on', rationale: 'not mine' } };
          tries += 1;
          throw new ThermidorFailure('model.refused', 'no');
        },
      },
    });
    await world.elapse();
    expect(world.status().gates).toMatchObject([{ step: 'draft', kind: 'escalation' }]);
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(tries).toBe(1);
  });

  it('waits a day for a person who is not the last, then asks the next', async () => {
    const people: Plan['escalation'] = [
      { kind: 'human', name: 'cfo', people: ['cfo'] },
      { kind: 'human', name: 'chairman', people: ['chairman'] },
    ];
    const world = runPlan(planOf(steps, { escalation: people }), { steps: { judge: judge({}) } });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ approvers: ['cfo'] }]);
    await world.elapse(() => world.status().gates[0]?.approvers?.[0] === 'chairman');
    expect(world.clock.now() - Date.parse(world.status().startedAt)).toBe(24 * HOUR);
    await world.update('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('takes what is a person’s to decide to people alone', async () => {
    const world = runPlan(planOf([approval('ask', { timeoutMs: HOUR, onTimeout: 'escalate' })], { escalation: chain }));
    await world.elapse();
    expect(asked(world)).toEqual([]);
    expect(world.status().gates).toMatchObject([{ step: 'ask', kind: 'escalation' }]);
  });

  it('keeps the policy of the gate that nobody answered: who could not decide there cannot decide here', async () => {
    const policy = { approvers: ['chairman', 'cfo'], quorum: 2, identity: 'proven', comment: 'always', fourEyes: true } as const;
    const ask = approval('ask', { ...policy, approvers: [...policy.approvers], timeoutMs: HOUR, onTimeout: 'escalate' });
    const world = runPlan(planOf([ask], { escalation: [{ kind: 'human' }] }), { input: { startedBy: 'bob' } });
    await world.elapse();
    expect(world.status().gates).toMatchObject([
      { kind: 'escalation', approvers: ['chairman', 'cfo'], quorum: 2, identity: 'proven', comment: 'always' },
    ]);
    await expect(world.update('approve', { by: 'mallory', comment: 'me' })).rejects.toMatchObject({ outcome: 'refused' });
    await expect(world.update('approve', { by: 'chairman', comment: 'yes' })).rejects.toMatchObject({ outcome: 'refused' });
  });

  it('lets the people whom the chain names decide in the approvers’ place, as proven as before', async () => {
    const ask = approval('ask', { approvers: ['cfo', 'cto'], quorum: 2, identity: 'proven', timeoutMs: HOUR, onTimeout: 'escalate' });
    const world = runPlan(planOf([ask], { escalation: [{ kind: 'human', name: 'chairman', people: ['chairman'] }] }));
    await world.elapse();
    expect(world.status().gates).toMatchObject([{ approvers: ['chairman'], identity: 'proven' }]);
    expect(world.status().gates[0]?.quorum).toBeUndefined();
  });

  it('opens a person’s gate if reviewer and critic disagree, and asks no agent', async () => {
    const world = runPlan(planOf([agent('draft'), review('judge', 'draft', { critic: 'boss' })], { escalation: chain }), {
      steps: { judge: ({ input }) => reviewed(input.critic ? 'block' : 'pass') },
    });
    await world.elapse();
    expect(asked(world)).toEqual([]);
    expect(world.status().gates).toMatchObject([{ step: 'judge', kind: 'escalation' }]);
  });

  it('fails the step if the gate cannot be shown, with the run’s last words', async () => {
    const world = runPlan(planOf([agent('draft', { onError: [{ kind: 'escalate', to: { kind: 'human' } }] })]), {
      steps: {
        draft: () => {
          throw new ThermidorFailure('model.refused', 'no');
        },
      },
      gate: () => {
        throw new ThermidorFailure('artifact.missing', 'gone');
      },
    });
    await expect(world.result).rejects.toMatchObject({ code: 'artifact.missing' });
    expect(world.journal().at(-1)).toMatchObject({ kind: 'notification', channel: '#errors' });
    expect(world.step('draft')).toMatchObject({ state: 'failed', error: { code: 'artifact.missing' } });
  });

  it('charges what the chain’s agents use to the run’s budget', async () => {
    const usage = { inputTokens: 10, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 0 };
    const world = runPlan(planOf(steps, { escalation: chain, budget: { tokens: 100 } }), {
      steps: {
        judge: ({ input }) =>
          input.escalation
            ? { escalated: { decision: 'pass', rationale: 'fine' }, usage }
            : { ...reviewed('block'), artifact: artifact('r'), usage },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget?.tokens).toMatchObject({ spent: 20, reserved: 0 });
  });
});

import { ThermidorFailure } from '../../plan/failure';
import type { StepInput, StepOutput } from '../../plan/step-work';
import { agent } from '../support/steps';
import { artifact, planOf, runPlan, type Seen } from '../support/world';

const child = (n: number, who = 'worker') => ({ id: `lead#1~1/spawn-${n}`, agent: who, task: `task ${n}` });

/** An agent that spawns so many children and reports when it has been told of all of them. */
function spawning(count: number, ofChild: (input: StepInput) => StepOutput = ({ spawn }) => ({ artifact: artifact(`of-${spawn?.task}`) })) {
  return ({ input }: Seen): StepOutput => {
    if (input.spawn) return ofChild(input);
    if (input.spawned?.length === count) return { artifact: artifact('report') };
    return { paused: { kind: 'spawned', children: Array.from({ length: count }, (_, i) => child(i + 1)) } };
  };
}

describe('children that an agent spawns (protocol.md points 1 and 3)', () => {
  it('work each in an activity of its own, and their parent is told what came of them', async () => {
    const world = runPlan(planOf([agent('lead', { agent: 'lead' })]), { steps: { lead: spawning(2) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['lead#1~1', 'lead#1~1/spawn-1', 'lead#1~1/spawn-2', 'lead#1~1']);
    expect(world.seen[1]?.input).toEqual({ run: expect.any(String), spawn: { ...child(1), depth: 3 } });
    expect(world.seen.at(-1)?.input.spawned).toMatchObject([
      { id: 'lead#1~1/spawn-1', artifact: { name: 'of-task 1' } },
      { id: 'lead#1~1/spawn-2', artifact: { name: 'of-task 2' } },
    ]);
  });

  it('are asked and answer by envelopes between parent and child alone', async () => {
    const world = runPlan(planOf([agent('lead', { agent: 'lead' })]), { steps: { lead: spawning(1) } });
    await world.result;
    const envelopes = world.journal().flatMap((entry) => (entry.kind === 'envelope' ? [entry.envelope] : []));
    expect(envelopes.map(({ from, to, intent }) => `${from} ${to} ${intent}`)).toEqual([
      'lead lead assign_task',
      'lead worker assign_task',
      'worker lead deliver_report',
      'lead lead deliver_report',
      'lead boss deliver_report',
    ]);
  });

  it('are in flight as many at once as the run allows', async () => {
    let now = 0;
    let most = 0;
    const world = runPlan(planOf([agent('lead', { agent: 'lead' })], { concurrent: 3 }), {
      steps: {
        lead: async (seen) => {
          if (seen.input.spawn) {
            now += 1;
            most = Math.max(most, now);
            await new Promise<void>((done) => seen.call.clock.after(1000, done));
            now -= 1;
          }
          return spawning(5)(seen);
        },
      },
    });
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(most).toBe(3);
  });

  it('that fail are told of as failed, and fail nothing else', async () => {
    const failing = ({ spawn }: StepInput): StepOutput => {
      if (spawn?.task === 'task 1') throw new ThermidorFailure('model.refused', 'no');
      return { artifact: artifact('fine') };
    };
    const world = runPlan(planOf([agent('lead', { agent: 'lead' })]), { steps: { lead: spawning(2, failing) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.at(-1)?.input.spawned).toMatchObject([{ error: { code: 'model.refused' } }, { artifact: { name: 'fine' } }]);
  });

  it('that are done are not run again in the next execution', async () => {
    const world = runPlan(planOf([agent('first'), agent('lead', { agent: 'lead' })], { concurrent: 1 }), {
      activitiesPerExecution: 3,
      steps: { lead: spawning(4) },
    });
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().filter((address) => address.includes('/spawn-'))).toHaveLength(4);
  });

  it('draw on the budget of the step that spawned them', async () => {
    const usage = { inputTokens: 10, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 0 };
    const world = runPlan(planOf([agent('lead', { agent: 'lead' })], { budget: { tokens: 100 } }), {
      steps: { lead: (seen) => ({ ...spawning(2, () => ({ artifact: artifact('x') }))(seen), usage }) },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget?.tokens).toMatchObject({ spent: 30, reserved: 0 });
  });

  it('ask people one after the other, and each gets the answer to its own question', async () => {
    const need = (n: string) =>
      ({ category: 'move_money', summary: `pay ${n}`, contentSha256: n.repeat(64), content: artifact('c') }) as const;
    const acting = ({ spawn, approvals = [] }: StepInput): StepOutput => {
      const wanted = need(spawn?.task === 'task 1' ? 'a' : 'b');
      const answer = approvals.find(({ contentSha256 }) => contentSha256 === wanted.contentSha256);
      if (!answer) return { paused: { kind: 'approval', need: wanted } };
      return { artifact: artifact(`${spawn?.task} ${answer.approved ? 'paid' : 'refused'}`) };
    };
    const world = runPlan(planOf([agent('lead', { agent: 'lead' })]), { steps: { lead: spawning(2, acting) } });
    await world.settle();
    expect(world.status().gates).toHaveLength(1);
    expect(world.gateInputs).toMatchObject([{ need: need('a') }]);
    await world.update('approve', { by: 'ann' });
    await world.settle();
    expect(world.gateInputs).toMatchObject([{ need: need('a') }, { need: need('b') }]);
    await world.update('reject', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.at(-1)?.input.spawned?.map(({ artifact: made }) => made?.name)).toEqual(['task 1 paid', 'task 2 refused']);
  });

  it('wait for each other’s budget, and one of them asks for all', async () => {
    const usage = { inputTokens: 60, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 0 };
    const needing = ({ budget }: StepInput): StepOutput =>
      (budget?.tokens ?? 0) < 60
        ? { paused: { kind: 'budget', short: { kind: 'tokens', needed: 60 } } }
        : { artifact: artifact('x'), usage };
    const world = runPlan(planOf([agent('lead', { agent: 'lead' })], { budget: { tokens: 130 } }), {
      steps: { lead: spawning(3, needing) },
    });
    await world.elapse();
    expect(world.status().gates).toHaveLength(1);
    expect(world.status().budget?.tokens).toMatchObject({ spent: 120, reserved: 0 });
    await world.update('extend_budget', { tokens: 200 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget?.tokens).toMatchObject({ spent: 180, reserved: 0 });
  });
});

import { resultsOfChildren } from '../../activities/agent/children/child-records';
import type { SpawnRequest } from '../../plan/agents/spawned-agent';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { field } from '../../plan/text/json';
import { agent } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { freshly } from './program';
import { need, tokens } from './spending';

const PAYMENT = { category: 'move_money', summary: 'transfer 5', contentSha256: 'c'.repeat(64), content: artifact('call') } as const;

const child = (n: number, who = 'worker') => ({ id: `lead#1~1/spawn-${n}`, agent: who, task: `task ${n}` });

/** An agent that spawns `count` children and reports when all their results have arrived. */
function spawning(count: number, ofChild: (input: StepInput) => StepOutput = ({ spawn }) => ({ artifact: artifact(`of-${spawn?.task}`) })) {
  return ({ input }: Seen): StepOutput => {
    if (input.spawn) return ofChild(input);
    if (input.spawned?.length === count) return { artifact: artifact('report') };
    return { paused: { kind: 'spawned', children: Array.from({ length: count }, (_, i) => child(i + 1)) } };
  };
}

describe('children that an agent spawns (docs/protocol.md, 4.2)', () => {
  it('work each in an activity of its own, and their results are announced to their parent', async () => {
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
      'boss lead assign_task',
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
    await world.completes();
    expect(most).toBe(3);
  });

  it('that fail are announced as failed, and fail nothing else', async () => {
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
    await world.completes();
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

/** An agent that spawns while it is running: it writes its request, wakes its run, and continues to work until its time is up. */
function beside(world: () => World, { worksMs, childMs, fails }: { worksMs: number; childMs: number[]; fails?: ThermidorFailure }) {
  const later = (ms: number, { call }: Seen) => new Promise<void>((done) => call.clock.after(ms, done));
  let begun = false;
  return async (seen: Seen): Promise<StepOutput> => {
    const { input, call } = seen;
    if (input.spawn) {
      await later(childMs[Number(String(input.spawn.task).at(-1)) - 1] ?? 0, seen);
      return { artifact: artifact(`of-${input.spawn.task}`) };
    }
    const children = childMs.map((_, i) => child(i + 1));
    if (!begun) {
      begun = true;
      await spawnIn(world(), children);
      await call.wake();
      await later(worksMs, seen);
      if (fails) throw fails;
    }
    const unannounced = children.filter(({ id }) => !input.spawned?.some((result) => result.id === id));
    return unannounced.length > 0 ? { paused: { kind: 'spawned', children: unannounced } } : { artifact: artifact('report') };
  };
}

/** Writes the request as the transcript of `lead#1~1` records it. */
async function spawnIn({ ledger }: World, children: readonly SpawnRequest[]): Promise<void> {
  const key = { workflowId: 'test-run', run: 'run-1' };
  for (const spawned of children) {
    const turn = { role: 'tool', text: 'accepted', call: { id: spawned.id, tool: 'sessions_spawn', args: {} } };
    await ledger.append(key, 'lead#1~1/transcript', { ask: 1, turn, effect: { spawned } } as never);
  }
}

const LEAD = [agent('lead', { agent: 'lead' })];

describe('children next to their parent', () => {
  const play = (how: Parameters<typeof beside>[1], more: WorldOptions = {}, steps = LEAD): World => {
    const world: World = runPlan(planOf(steps, { concurrent: 3 }), { ...more, steps: { lead: beside(() => world, how) } });
    return world;
  };

  it('begin as soon as their run is woken, while the parent’s turn loop goes on', async () => {
    const world = play({ worksMs: 60_000, childMs: [1000, 2000] });
    await world.elapse(() => world.journal().some((entry) => entry.kind === 'envelope' && entry.envelope.from === 'worker'));
    expect(world.order()).toEqual(['lead#1~1', 'lead#1~1/spawn-1', 'lead#1~1/spawn-2']);
    await world.completes();
    expect(world.order()).toEqual(['lead#1~1', 'lead#1~1/spawn-1', 'lead#1~1/spawn-2', 'lead#1~1']);
  });

  it('are waited for one by one: a parent that has nothing else to do goes on with the next that ends', async () => {
    const world = play({ worksMs: 0, childMs: [60_000, 1000] });
    await world.completes();
    const told = world.seen.flatMap(({ input }) => (input.spawn ? [] : [input.spawned?.length ?? 0]));
    expect(told).toEqual([0, 1, 2]);
    expect(world.seen).toHaveLength(5);
  });

  it('are announced in the ledger before their parent is called with them', async () => {
    const world = play({ worksMs: 0, childMs: [1000] });
    await world.elapse();
    await world.result;
    const key = { workflowId: 'test-run', run: 'run-1' };
    expect(await resultsOfChildren(world.ledger, key, [child(1)])).toEqual(world.seen.at(-1)?.input.spawned);
  });

  it('end with their parent’s call, if that fails', async () => {
    const world = play({ worksMs: 1000, childMs: [600_000], fails: new ThermidorFailure('model.refused', 'no') });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'model.refused' });
    const [working] = world.seen.filter(({ input }) => input.spawn);
    expect(working?.call.signal.aborted).toBe(true);
  });

  it('end with it even if they have not begun, because the execution closes first', async () => {
    const world: World = play(
      { worksMs: 1000, childMs: [0], fails: new ThermidorFailure('model.refused', 'no') },
      {
        historyIsFull: ({ runId, firstRunId }) => runId === firstRunId && world.order().length > 0,
      },
    );
    await world.elapse();
    expect(world.order()).toEqual(['lead#1~1']);
    expect(world.status().state).toBe('failed');
    await expect(world.result).rejects.toMatchObject({ code: 'model.refused' });
  });

  it('end with it even if one waits for a child of its own', async () => {
    const grandchild = { id: `${child(1).id}/spawn-1`, agent: 'worker', task: 'within' };
    const lead = beside(() => world, { worksMs: 1000, childMs: [0], fails: new ThermidorFailure('model.refused', 'no') });
    const ofLead = async (seen: Seen): Promise<StepOutput> => {
      const { spawn } = seen.input;
      if (spawn?.id === grandchild.id) return new Promise<never>(() => undefined);
      return spawn ? { paused: { kind: 'spawned', children: [grandchild] } } : lead(seen);
    };
    const world: World = runPlan(planOf(LEAD, { concurrent: 3 }), { steps: { lead: ofLead } });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'model.refused' });
    expect(world.order()).toEqual(['lead#1~1', child(1).id, grandchild.id]);
  });

  it('go on with the next try of a parent whose service failed, and are not begun again once they have ended', async () => {
    const world = play({ worksMs: 5000, childMs: [1000, 60_000], fails: new ThermidorFailure('model.api-error', 'down') });
    await world.completes();
    const count = (address: string) => world.order().filter((one) => one === address).length;
    expect([count('lead#1~1/spawn-1'), count('lead#1~1/spawn-2')]).toEqual([1, 2]);
    expect(world.seen.at(-1)?.input.spawned).toMatchObject([{ id: child(1).id }, { id: child(2).id }]);
  });

  it('go on in the next execution, and so does their parent’s wait', async () => {
    const world = play({ worksMs: 0, childMs: [60_000, 1000] }, { activitiesPerExecution: 3 }, [agent('first'), ...LEAD]);
    await world.completes();
    expect(world.executions).toBeGreaterThan(1);
    const ended = world.journal().flatMap((entry) => (entry.kind === 'envelope' ? [field(entry.envelope.payload, 'id')] : []));
    expect(ended.filter((id) => id === child(1).id || id === child(2).id).sort()).toEqual([
      child(1).id,
      child(1).id,
      child(2).id,
      child(2).id,
    ]);
  });

  it('end with a run that is cancelled, and nothing of it goes on', async () => {
    const world = play({ worksMs: 0, childMs: [600_000] });
    await world.elapse(() => world.order().length === 2 && world.clock.pending === 1);
    world.cancel();
    await world.elapse();
    await expect(world.result).rejects.toThrow();
    expect(world.seen.filter(({ input }) => input.spawn).every(({ call }) => call.signal.aborted)).toBe(true);
  });

  it('share what is left of a budget with their parent, which goes on at once', async () => {
    const usage = { inputTokens: 10, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 0 };
    const shares: (number | undefined)[] = [];
    const world: World = runPlan(planOf(LEAD, { budget: { tokens: 100 } }), {
      steps: {
        lead: async ({ input, call }) => {
          shares.push(input.budget?.tokens);
          if (input.spawn) {
            await new Promise<void>((done) => call.clock.after(1000, done));
            return { artifact: artifact('x'), usage };
          }
          if (shares.length === 1) return { paused: { kind: 'spawned', children: [child(1)], goesOn: true }, usage };
          return input.spawned ? { artifact: artifact('report'), usage } : { paused: { kind: 'spawned', children: [child(1)] }, usage };
        },
      },
    });
    await world.completes();
    // The child gets half of the remaining 90; the parent keeps what it has used and the other half.
    expect(shares.slice(0, 3)).toEqual([100, 45, 55]);
    expect(world.status().budget?.tokens).toMatchObject({ spent: 20, reserved: 0 });
  });
});

describe('a call that finds no slot of the fleet', () => {
  it('holds nothing, says what it waits for, and goes on when it is woken', async () => {
    let tries = 0;
    const world = runPlan(planOf(LEAD, { budget: { tokens: 100 } }), {
      steps: {
        lead: () => {
          tries += 1;
          return tries === 1 ? { paused: { kind: 'in-line' } } : { artifact: artifact('report') };
        },
      },
    });
    await world.settle();
    expect(world.step('lead')).toMatchObject({ state: 'running', waitingFor: expect.stringMatching(/in flight/) });
    expect(world.status().budget?.tokens).toMatchObject({ reserved: 0 });
    world.signal('thermidor:spawned', { step: 'lead#1~1' });
    await world.settle();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.clock.now()).toBe(Date.UTC(2026, 0, 5, 7, 30));
  });

  it('asks again by itself, more and more seldom, if nobody wakes it', async () => {
    const at: number[] = [];
    const world = runPlan(planOf(LEAD), {
      steps: {
        lead: ({ call }) => {
          at.push(call.clock.now() / 60_000);
          return at.length < 8 ? { paused: { kind: 'in-line' } } : { artifact: artifact('report') };
        },
      },
    });
    await world.completes();
    expect(at.slice(1).map((moment, i) => moment - at[i]!)).toEqual([1, 2, 4, 8, 15, 15, 15]);
  });

  it('goes on at once if its turn came before it stood in line', async () => {
    let tries = 0;
    const world: World = runPlan(planOf(LEAD), {
      steps: {
        lead: async ({ call }) => {
          tries += 1;
          if (tries > 1) return { artifact: artifact('report') };
          await call.wake();
          return { paused: { kind: 'in-line' } };
        },
      },
    });
    await world.settle();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.clock.now()).toBe(Date.UTC(2026, 0, 5, 7, 30));
  });
});

test('a child that has its answer to one question and waits for another’s keeps its turn in a fresh execution', async () => {
  const fresh = freshly();
  const asking: StepBehaviour = ({ input }) => {
    if (!input.spawn) return spawning(1)({ input } as Seen);
    if (input.approvals) return { artifact: artifact('paid'), usage: tokens(1) };
    const asks = need(100, input);
    return asks.paused ? asks : { paused: { kind: 'approval', need: PAYMENT }, usage: tokens(1) };
  };
  const world = runPlan(planOf([agent('lead', { agent: 'lead' })], { budget: { tokens: 50 } }), {
    steps: { lead: asking },
    historyIsFull: fresh.historyIsFull,
  });
  await world.elapse(() => world.status().gates.some(({ kind }) => kind === 'budget'));
  await world.update('extend_budget', { tokens: 1000 });
  await world.elapse(() => world.status().gates.some(({ kind }) => kind === 'approval'));
  await fresh.again(world);
  expect(world.executions).toBe(2);
  await world.update('approve', { by: 'cfo' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.seen.at(-1)?.input.spawned).toMatchObject([{ artifact: { name: 'paid' } }]);
});

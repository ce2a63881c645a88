import type { Authority, GrantChoice, GrantNeed } from '../../plan/brief/authority';
import { type CostCategory, unauthorised } from '../../plan/brief/category';
import { BUILT_IN_ROLES, scopeOf } from '../../plan/brief/role';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import { agent, pipeline, withParts } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { carry, rerun } from './carrying';
import { freshly, type Program, programs } from './program';

const AUTHORITY: Authority = { project: 'acme', role: scopeOf(BUILT_IN_ROLES.executor), authorised: ['filesystem_write'] };

function needOf(digit: string, ...categories: CostCategory[]): GrantNeed {
  return { project: 'acme', categories, tool: 'publish', contentSha256: digit.repeat(64), content: artifact('call') };
}

/** An agent that makes one call, as `activities/tools/brief-authorisation.ts` decides it. */
function making(need: GrantNeed): StepBehaviour {
  return ({ input: { authority } }): StepOutput => {
    if (!authority) return { artifact: artifact('free') };
    const answer = authority.answers?.find(({ contentSha256 }) => contentSha256 === need.contentSha256);
    const given = [...authority.authorised, ...(authority.granted ?? []), ...(answer && answer.choice !== 'deny' ? answer.categories : [])];
    if (unauthorised(given, need.categories).length === 0) return { artifact: artifact('made') };
    return answer ? { artifact: artifact('refused') } : { paused: { kind: 'grant', need } };
  };
}

const PUSH = needOf('a', 'git_push', 'external_message');

/** Agents one after the other, each for its own project. */
const agentsFor =
  (...projects: string[]): Program =>
  async (ctx, { part }) => {
    for (const [at, project] of projects.entries()) await ctx.step(part('x'), { turn: at + 1, authority: { ...AUTHORITY, project } });
  };

function team(program: Program, options: WorldOptions = {}): World {
  return runPlan(planOf([withParts('brief', [agent('x')])]), {
    work: programs({ brief: program }),
    steps: { x: making(PUSH) },
    ...options,
  });
}

const answer = (world: World, choice: GrantChoice, more: object = {}) => world.update('respond', { response: choice, by: 'ann', ...more });
const authorities = (world: World) => world.seen.map(({ input }) => input.authority);
const grantsIn = (world: World) => world.journal().filter(({ kind }) => kind === 'grant');

describe('a call that nothing authorises', () => {
  it('is put to a person, with the answers that there are', async () => {
    const world = team(agentsFor('acme'));
    await world.settle();
    expect(world.status().gates).toMatchObject([
      { step: 'brief[1]/x', kind: 'approval', channel: '#approvals', choices: ['once', 'run', 'always', 'deny'] },
    ]);
    expect(world.gateInputs).toMatchObject([{ need: PUSH }]);
    await expect(world.update('approve', { by: 'ann' })).rejects.toThrow('once, run, always, deny');
    await expect(world.update('respond', { response: 'for_ever', by: 'ann' })).rejects.toThrow('once, run, always, deny');
    await answer(world, 'once');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['brief[1]/x#1~1', 'brief[1]/x#1~1']);
  });

  it.each<[GrantChoice, object]>([
    ['once', {}],
    ['always', {}],
    ['deny', { comment: 'use a branch' }],
  ])('gets the answer %s with its next turn, and nobody else does', async (choice, more) => {
    const world = team(agentsFor('acme', 'acme'));
    await world.settle();
    await answer(world, choice, more);
    await world.settle();
    const id = 'brief[1]/x#1~1/grant-1';
    const said = { id, choice, contentSha256: PUSH.contentSha256, categories: PUSH.categories, at: expect.any(String), by: 'ann', ...more };
    expect(authorities(world)).toEqual([AUTHORITY, { ...AUTHORITY, answers: [said] }, AUTHORITY]);
    expect(grantsIn(world)).toMatchObject([
      { step: 'brief[1]/x', event: choice, project: 'acme', categories: PUSH.categories, tool: 'publish', id, by: 'ann' },
    ]);
    expect(world.status().gates).toMatchObject([{ step: 'brief[2]/x' }]);
  });

  it('answered for the run is asked no more there for that project, and is for another', async () => {
    const world = team(agentsFor('acme', 'acme', 'other'));
    await world.settle();
    await answer(world, 'run');
    await world.settle();
    expect(authorities(world).map((one) => one?.granted)).toEqual([undefined, PUSH.categories, PUSH.categories, undefined]);
    expect(world.status().gates).toMatchObject([{ step: 'brief[3]/x' }]);
    expect(world.gateInputs.at(-1)?.need).toMatchObject({ project: 'other' });
  });

  it('is denied if nobody answers in time', async () => {
    const world = team(async (ctx, { part }) => {
      await ctx.step(part('x'), { turn: 1, authority: { ...AUTHORITY, askTimeoutMs: 1000 } });
    });
    await world.completes();
    expect(authorities(world).at(-1)?.answers).toMatchObject([{ choice: 'deny', comment: 'nobody answered in time' }]);
    expect(grantsIn(world)).toMatchObject([{ event: 'deny' }]);
  });

  it('is asked once, however often the run goes on in a fresh execution', async () => {
    const fresh = freshly();
    const world = team(agentsFor('acme', 'acme'), { historyIsFull: fresh.historyIsFull });
    await world.settle();
    await fresh.again(world);
    await answer(world, 'run');
    await fresh.again(world);
    await world.settle();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.executions).toBeGreaterThan(1);
    expect(world.gateInputs).toHaveLength(1);
    expect(grantsIn(world)).toHaveLength(1);
    expect(authorities(world).at(-1)?.granted).toEqual(PUSH.categories);
  });

  it('is not asked again in the try that follows', async () => {
    let tries = 0;
    const world = team(agentsFor('acme'), {
      steps: {
        x: (seen) => {
          if (seen.input.authority?.answers && ++tries === 1) throw new ThermidorFailure('agent.timeout', 'too slow');
          return making(PUSH)(seen);
        },
      },
    });
    await world.settle();
    await answer(world, 'deny');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['brief[1]/x#1~1', 'brief[1]/x#1~1', 'brief[1]/x#1~2']);
    expect(world.gateInputs).toHaveLength(1);
    expect(authorities(world).at(-1)?.answers).toMatchObject([{ choice: 'deny', by: 'ann' }]);
  });
});

describe('who has what was granted', () => {
  /** An agent that spawns two others, each of which makes a call. */
  const spawning =
    (needs: readonly GrantNeed[]): StepBehaviour =>
    (seen) => {
      const { spawn, spawned } = seen.input;
      if (spawn) return making(needs[Number(spawn.task) - 1] ?? PUSH)(seen);
      if (spawned?.length === needs.length) return { artifact: artifact('report') };
      const children = needs.map((_, at) => ({ id: `brief[1]/x#1~1/spawn-${at + 1}`, agent: 'worker', task: `${at + 1}` }));
      return { paused: { kind: 'spawned', children } };
    };

  it('a spawned agent works under its parent’s authority, and two that ask wait for each other', async () => {
    const other = needOf('b', 'deploy');
    const world = team(agentsFor('acme'), { steps: { x: spawning([PUSH, other]) } });
    await world.settle();
    expect(authorities(world)).toEqual([AUTHORITY, AUTHORITY, AUTHORITY]);
    await answer(world, 'once');
    await world.settle();
    expect(world.gateInputs.map(({ need }) => need)).toEqual([PUSH, other]);
    await answer(world, 'deny');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const children = world.seen.at(-1)?.input.spawned?.map(({ artifact: made }) => made?.name);
    expect(children).toEqual(['made', 'refused']);
  });

  it('one that waits for its turn to ask is not asked about if the answer before is for the run and covers it', async () => {
    const world = team(agentsFor('acme'), { steps: { x: spawning([PUSH, needOf('b', 'git_push')]) } });
    await world.settle();
    await answer(world, 'run');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.gateInputs).toHaveLength(1);
    expect(grantsIn(world)).toHaveLength(1);
  });

  it('a rerun has nothing of what the run was granted, for its own call and for those that are carried', async () => {
    const plan = planOf([withParts('brief', [agent('x')])]);
    const options: WorldOptions = { work: programs({ brief: agentsFor('acme', 'acme') }), steps: { x: making(PUSH) } };
    const first = runPlan(plan, options);
    await first.settle();
    await answer(first, 'run');
    await expect(first.result).resolves.toMatchObject({ status: 'completed' });
    const world = rerun(plan, carry(first, 'brief[2]/x').carry, options);
    await world.settle();
    expect(authorities(world)).toEqual([AUTHORITY]);
    expect(world.status().gates).toMatchObject([{ step: 'brief[2]/x' }]);
  });

  it('a child pipeline has nothing of it either', async () => {
    const child = { ...planOf([withParts('brief', [agent('x')])]), name: 'release' };
    const plan = planOf([withParts('brief', [agent('x')]), pipeline('deploy', 'release')]);
    const world = runPlan(plan, {
      work: programs({ brief: agentsFor('acme') }),
      steps: { x: making(PUSH) },
      children: { release: child },
    });
    await world.settle();
    await answer(world, 'run');
    await world.settle();
    expect(authorities(world).map((one) => one?.granted)).toEqual([undefined, PUSH.categories, undefined]);
    expect(world.status().gates).toMatchObject([{ step: 'deploy/brief[1]/x' }]);
  });

  it('an agent that works for no brief is asked nothing', async () => {
    const world = runPlan(planOf([agent('x')]), { steps: { x: making(PUSH) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(authorities(world)).toEqual([undefined]);
  });
});

describe('what is not believed', () => {
  it.each<[string, Partial<GrantNeed>, boolean]>([
    ['what no call can need', { categories: ['*' as CostCategory] }, true],
    ['a whole server', { categories: ['mcp_tool:s'] }, true],
    ['a grant without a brief', {}, false],
  ])('an activity that somebody completes by hand, and that asks for %s, asks nobody', async (_, more, hasBrief) => {
    const world = team(
      async (ctx, { part }) => {
        await ctx.step(part('x'), { turn: 1, ...(hasBrief ? { authority: AUTHORITY } : {}) });
      },
      { steps: { x: () => ({ paused: { kind: 'grant', need: { ...PUSH, ...more } } }) } },
    );
    await expect(world.result).rejects.toMatchObject({ code: 'internal' });
    expect(world.gateInputs).toEqual([]);
  });

  it('the project of the question: it is asked, and granted, for the agent’s own', async () => {
    const world = team(agentsFor('acme'), { steps: { x: making({ ...PUSH, project: 'other' }) } });
    await world.settle();
    expect(world.gateInputs[0]?.need).toMatchObject({ project: 'acme' });
    await answer(world, 'run');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(grantsIn(world)).toMatchObject([{ project: 'acme' }]);
  });

  it('an answer that is sent twice, or before anybody asks', async () => {
    const world = team(agentsFor('acme', 'acme'));
    world.signal('respond', { step: 'brief[1]/x', response: 'always', by: 'mallory' });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'brief[1]/x' }]);
    world.signal('respond', { step: 'brief[1]/x', response: 'once', by: 'ann' });
    world.signal('respond', { step: 'brief[1]/x', response: 'always', by: 'mallory' });
    await world.settle();
    expect(grantsIn(world)).toMatchObject([{ event: 'once', by: 'ann' }]);
    expect(world.status().gates).toMatchObject([{ step: 'brief[2]/x' }]);
  });
});

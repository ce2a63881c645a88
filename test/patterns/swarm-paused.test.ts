import type { StepOutput } from '../../plan/steps/step-activity';
import { freshly } from '../interpreter/program';
import { need, tokens } from '../interpreter/spending';
import { agent, command, parallel, pipeline } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour } from '../support/world';
import { failsAtFirst, later, red, settled, unique } from './played';
import { AGENT_KEYS, MINUTE, type Played, play, type SwarmOptions } from './swarm-play';

/** The action `swarm(mob)` calls the step, and nothing else starts in the meantime. */
const CALLED = `steps:
  - {id: deploy, run: make, on_error: swarm(mob)}
  - {id: mob, type: swarm, ${AGENT_KEYS}}
  - {id: after, run: 'true'}
`;

const lasting =
  (ms: number): StepBehaviour =>
  ({ call }) =>
    new Promise((resolve) => call.clock.after(ms, () => resolve({ artifact: artifact(call.options.address ?? '') })));

const called = (times: number, options: SwarmOptions = {}): Played =>
  play({ text: CALLED, steps: { deploy: failsAtFirst(times) }, ...options });

const slowly = { p: { after: MINUTE, says: 0.3 }, e: { after: 2 * MINUTE, says: 0.6 }, fix_e: { after: MINUTE, says: 'applied' as const } };

describe('a swarm that an action calls', () => {
  it('CP-7 · entry · runs when the action calls it, and the caller runs again with the solution', async () => {
    const played = called(1);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['deploy', '1 verify', '1 p', '1 e', '1 t', '2 fix_e', '2 verify', 'deploy#2~1', 'after']);
    expect(played.feedback('swarm_join')).toMatchObject([
      { data: { issue: 'step deploy failed: command.failed: exit code 1', affected_tasks: ['deploy'] } },
    ]);
    const [, again] = played.world.seen.filter(({ step }) => step === 'deploy');
    expect(again?.input.findings).toMatchObject({ instructions: 'mob, solved by e: fix_e has changed it' });
  });

  it('CP-7 · entry · does not run if nothing calls it', async () => {
    const played = called(0);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['deploy', 'after']);
    expect(played.world.step('mob')).toMatchObject({ state: 'skipped' });
  });

  it('CP-7 · fallbacks · a person who lets an unsolved one pass has the caller run again', async () => {
    const played = called(1, { says: { verify: red } });
    await settled(played);
    expect(played.world.step('deploy')).toMatchObject({ state: 'waiting', waitingFor: 'the step mob, which it has called' });
    played.world.signal('approve', { step: 'mob', by: 'cfo' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    const [, again] = played.world.seen.filter(({ step }) => step === 'deploy');
    expect(again?.input.findings).toMatchObject({ instructions: 'mob has no solution, and cfo lets it pass' });
  });

  it('CP-7 · fallbacks · a person who asks for another attempt has the caller wait for it', async () => {
    const played = called(1, { says: { verify: [red, red, red, 'passes'] } });
    await settled(played);
    played.world.signal('respond', { step: 'mob', by: 'cfo', response: 'revise', comment: 'look at the disk' });
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started().at(-1)).toBe('after');
    unique(played);
  });

  it('CP-7 · fallbacks · if it solves nothing and ends so, the next action decides', async () => {
    const text = CALLED.replace('swarm(mob)', '[swarm(mob), continue]').replace('verify:', 'on_fail: stop, verify:');
    const played = called(9, { text, says: { verify: red } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('deploy')).toMatchObject({ state: 'failed' });
    expect(played.world.step('mob')).toMatchObject({ state: 'failed', error: { code: 'swarm.unsolved' } });
  });

  it('CP-7 · fallbacks · with on_fail: continue nobody has let it pass, and the next action decides', async () => {
    const text = CALLED.replace('swarm(mob)', '[swarm(mob), continue]').replace('verify:', 'on_fail: continue, verify:');
    const played = called(9, { text, says: { verify: red } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('deploy')).toMatchObject({ state: 'failed', round: 1 });
  });

  it('CP-7 · continue-as-new · wherever the run continues, the caller gets its answer', async () => {
    const fresh = freshly();
    const played = called(1, {
      says: { ...slowly, verify: [red, { after: MINUTE, says: red }, 'passes'] },
      historyIsFull: fresh.historyIsFull,
    });
    await fresh.toTheEnd(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.executions).toBeGreaterThan(3);
    expect(played.started()).toEqual([
      ...['deploy', '1 verify', '1 p', '1 e', '1 t', '2 fix_e', '2 verify', '3 p', '3 e', '3 t', '4 fix_e', '4 verify'],
      ...['deploy#2~1', 'after'],
    ]);
    expect(played.feedback('swarm_diagnosis')).toHaveLength(6);
    unique(played);
  });
});

/** One branch calls the swarm, and another one works in parallel. */
const BESIDE = `steps:
  - id: both
    branches:
      - {id: left, steps: [{id: deploy, run: make, on_error: swarm(mob)}]}
      - {id: right, steps: [{id: slow, run: make}, {id: next, agent: p}]}
  - {id: mob, type: swarm, ${AGENT_KEYS}}
`;

const NEXT = 'both[1]/right/next';

describe('others', () => {
  it('CP-7 · workflow · start nothing while a swarm is at work, and go on afterwards', async () => {
    const played = play({
      text: BESIDE,
      says: { e: { after: 3 * MINUTE, says: 0.9 } },
      steps: { deploy: failsAtFirst(1), slow: lasting(MINUTE) },
    });
    await settled(played);
    const { world } = played;
    expect(world.status()).toMatchObject({ pausedForSwarm: { step: 'mob' } });
    expect(world.step('slow')).toMatchObject({ state: 'running', waitingFor: 'the swarm mob to end, after its running work' });
    await world.elapse(() => world.step('slow').state === 'done');
    await settled(played);
    expect(played.started()).not.toContain(NEXT);
    expect(played.reasons().filter((reason) => reason.includes('paused_for_swarm'))).toEqual(['both[1]/right/slow: paused_for_swarm: mob']);
    await world.completes();
    expect(played.started().slice(-3)).toEqual(expect.arrayContaining([NEXT, 'both[0]/left/deploy#2~1']));
    expect(world.status().pausedForSwarm).toBeUndefined();
  });

  it('CP-7 · workflow · are resumed by name in the journal if they are still in progress', async () => {
    const played = play({ text: BESIDE, steps: { deploy: failsAtFirst(1), slow: lasting(MINUTE) } });
    await played.world.completes();
    expect(played.reasons()).toEqual(
      expect.arrayContaining(['both[1]/right/slow: paused_for_swarm: mob', 'both[1]/right/slow: resumed: the swarm mob is over']),
    );
  });

  it('CP-7 · workflow · are not resumed if the round of a loop in which they were paused is over', async () => {
    const played = play({
      text: BESIDE.replace(
        '[{id: slow, run: make}, {id: next, agent: p}]',
        '[{id: again, repeat: {max: 2, until: round >= 2, steps: [{id: slow, run: make}]}}]',
      ),
      says: { e: { after: 3 * MINUTE, says: 0.9 } },
      steps: { deploy: failsAtFirst(1), slow: lasting(MINUTE) },
    });
    await played.world.completes();
    const ofSlow = played.reasons().filter((reason) => reason.includes('slow: '));
    expect(ofSlow).toEqual(['both[1]/right/again[1]/slow: paused_for_swarm: mob']);
  });

  it('CP-7 · workflow · work on with pause: nothing', async () => {
    const played = play({
      text: BESIDE.replace('verify:', 'pause: nothing, verify:'),
      says: { e: { after: 3 * MINUTE, says: 0.9 } },
      steps: { deploy: failsAtFirst(1), slow: lasting(MINUTE) },
    });
    await settled(played);
    await played.world.elapse(() => played.world.step('slow').state === 'done');
    await settled(played);
    expect(played.started()).toContain(NEXT);
    expect(played.reasons().join()).not.toContain('paused_for_swarm');
  });

  it('CP-7 · pause · child pipelines are paused with them, and what an operator has paused stays so', async () => {
    const child = planOf([command('build'), agent('next')], { name: 'release' });
    const played = play({
      text: `steps:\n  - {id: mob, type: swarm, issue: It is red., ${AGENT_KEYS}}\n`,
      says: { e: { after: 3 * MINUTE, says: 0.9 } },
      steps: { build: lasting(MINUTE) },
      begin: ({ block, ...plan }, options) =>
        runPlan(planOf([parallel('both', [pipeline('sub', 'release'), ...block.steps])], plan), {
          ...options,
          children: { release: child },
        }),
    });
    const { world } = played;
    await settled(played);
    const run = world.children.get('test-run.both@0.sub');
    expect(run?.query('status')).toMatchObject({ state: 'paused', paused: { by: 'both[1]/mob', reason: 'paused_for_swarm' } });
    world.signal('pause', { by: 'ops' });
    await world.elapse(() => played.feedback('swarm_diagnosis').length === 3);
    await settled(played);
    expect(run?.query('status')).toMatchObject({ state: 'paused' });
    expect(played.started()).not.toContain('next');
    world.signal('unpause', { by: 'ops' });
    await world.completes();
    expect(played.started()).toContain('next');
  });

  it('CP-7 · workflow · lend their place in flight to the swarm if they have to start something', async () => {
    // The second try of `slow` has a place in flight, and may not start.
    const played = play({
      text: `limits: {concurrent: 1}\n${BESIDE.replace('{id: slow, run: make}', '{id: slow, run: make, retry: {max: 2, delay: 1s}}')}`,
      steps: {
        deploy: failsAtFirst(1),
        slow: ({ call }) =>
          new Promise((resolve, reject) => {
            call.clock.after(1000, () =>
              (call.options.address ?? '').endsWith('~1') ? reject(red) : resolve({ artifact: artifact('slow') }),
            );
          }),
      },
      says: { p: { after: MINUTE, says: 0.3 } },
    });
    await played.world.completes();
    const started = played.started();
    expect(started.indexOf('2 verify')).toBeLessThan(started.indexOf(NEXT));
    unique(played);
  });

  it('CP-7 · pause · an operator’s pause outlasts a swarm, and holds it up as well', async () => {
    const played = called(1, { says: { p: { after: MINUTE, says: 0.1 } } });
    await settled(played);
    played.world.signal('pause', { by: 'ops' });
    await played.world.elapse(() => played.world.clock.pending === 0);
    await settled(played);
    expect(played.started()).toEqual(['deploy', '1 verify', '1 p', '1 e', '1 t']);
    played.world.signal('unpause', { by: 'ops' });
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('CP-7 · cancel · one that is called off holds up nobody', async () => {
    const text = `steps:
  - id: both
    parallel:
      branches:
        - {id: mob, type: swarm, issue: It is red., ${AGENT_KEYS}}
        - {id: quick, run: make}
      wait: any
  - {id: after, run: 'true'}
`;
    const played = play({ text, says: { e: 'silence' }, steps: { quick: lasting(MINUTE) } });
    await played.world.completes();
    expect(played.started().at(-1)).toBe('after');
    expect(played.world.lookedUp).toEqual(['both[0]/mob[1]/mob_e#1~1']);
  });
});

/** The swarms have conditions, because the compiler refuses swarms that may run at the same time. */
const TWO = `steps:
  - {id: first, run: 'true'}
  - id: both
    branches:
      - {id: mob, type: swarm, when: "!failed(first)", issue: It is red., pause: nothing, ${AGENT_KEYS}}
      - {id: other, type: swarm, when: "!failed(first)", issue: It is blue., agents: {t: tests}, verify: make}
`;

const LEAVE = { category: 'message_outside', summary: 'tell the desk', contentSha256: 'a'.repeat(64), content: artifact('c') } as const;

/** Steps of a branch that is parallel to the one that calls the swarm. */
const beside = (...steps: string[]) => BESIDE.replace('{id: slow, run: make}, {id: next, agent: p}', steps.join(', '));

describe('what a swarm holds up', () => {
  it('CP-7 · budget · keeps none from the swarm, and asks for none before it', async () => {
    const lacking =
      (ms: number): StepBehaviour =>
      (seen) =>
        later(seen, ms, () => need(500, seen.input));
    const text = `budget: {tokens: 100}\n${beside('{id: slow, agent: p}')}`;
    const played = play({ text, steps: { deploy: failsAtFirst(1), slow: lacking(MINUTE), mob_e: lacking(2 * MINUTE) } });
    const { world } = played;
    await world.elapse(() => world.status().gates.length > 0);
    expect(world.status()).toMatchObject({ pausedForSwarm: { step: 'mob' }, gates: [{ kind: 'budget', step: 'mob[1]/mob_e' }] });
    await world.update('extend_budget', { tokens: 5000 });
    await world.completes();
  });

  it('CP-7 · budget · keeps none from the swarm in a child pipeline either', async () => {
    const lacking =
      (count: number, ms: number): StepBehaviour =>
      (seen) =>
        later(seen, ms, () => need(count, seen.input));
    const child = planOf([agent('build'), agent('next')], { name: 'release' });
    const { world } = play({
      text: `steps:\n  - {id: mob, type: swarm, issue: It is red., ${AGENT_KEYS}}\n`,
      steps: { build: lacking(10, MINUTE), mob_e: lacking(100, 2 * MINUTE) },
      begin: ({ block, ...plan }, options) =>
        runPlan(planOf([parallel('both', [pipeline('sub', 'release'), ...block.steps])], { ...plan, budget: { tokens: 100 } }), {
          ...options,
          children: { release: child },
        }),
    });
    await world.elapse(() => world.status().gates.length > 0);
    expect(world.status()).toMatchObject({ pausedForSwarm: { step: 'both[1]/mob' }, gates: [{ kind: 'budget' }] });
    await world.update('extend_budget', { tokens: 1000 });
    await world.completes();
  });

  it('CP-7 · pause · is asked about at once, and goes on once the swarm is over', async () => {
    const asks: StepBehaviour = (seen) =>
      later(seen, MINUTE, () => {
        const [given] = seen.input.approvals ?? [];
        return given ? { artifact: artifact('sent') } : { paused: { kind: 'approval', need: LEAVE }, usage: tokens(1) };
      });
    const played = play({
      text: beside('{id: slow, agent: p}'),
      steps: { deploy: failsAtFirst(1), slow: asks },
      says: { e: { after: 5 * MINUTE, says: 0.9 } },
    });
    const { world } = played;
    await world.elapse(() => world.status().gates.length > 0);
    expect(world.status()).toMatchObject({ pausedForSwarm: { step: 'mob' }, gates: [{ step: 'both[1]/right/slow' }] });
    await world.update('approve', { step: 'slow', by: 'cfo' });
    await settled(played);
    expect(world.step('slow')).toMatchObject({ waitingFor: 'the swarm mob to end, after its running work' });
    await world.completes();
    expect(played.started().filter((address) => address.includes('slow'))).toHaveLength(2);
  });
});

describe('a run', () => {
  it('CP-7 · workflow · has one swarm at a time: a second one waits, and the journal says for which', async () => {
    const played = play({ text: TWO, says: { e: { after: MINUTE, says: 0.9 } } });
    await settled(played);
    expect(played.started().some((address) => address.includes('other_'))).toBe(false);
    expect(played.world.step('other')).toMatchObject({ state: 'running', waitingFor: 'the swarm both[0]/mob to end: one at a time' });
    expect(played.reasons()).toContain('both[1]/other: waits for the swarm both[0]/mob to end: a run has one swarm at a time');
    await played.world.elapse();
    expect(played.started().filter((address) => address.includes('other_t')).length).toBeGreaterThan(0);
  });

  it('CP-7 · continue-as-new · the one that waits waits on', async () => {
    const fresh = freshly();
    const lacking: StepBehaviour = ({ input }): StepOutput => need(500, input);
    const played = play({ text: `budget: {tokens: 100}\n${TWO}`, steps: { mob_p: lacking }, historyIsFull: fresh.historyIsFull });
    await settled(played);
    await fresh.again(played.world);
    expect(played.world.executions).toBe(2);
    expect(played.world.step('other')).toMatchObject({ waitingFor: 'the swarm both[0]/mob to end: one at a time' });
    expect(played.reasons().filter((reason) => reason.startsWith('both[1]/other: waits'))).toHaveLength(1);
  });

  it('CP-7 · workflow · two that call one swarm have their turns', async () => {
    const text = `steps:
  - id: both
    branches:
      - {id: one, run: make, on_error: swarm(mob)}
      - {id: two, run: make, on_error: swarm(mob)}
  - {id: mob, type: swarm, ${AGENT_KEYS}}
`;
    const played = play({ text, says: { verify: 'passes' }, steps: { one: failsAtFirst(1), two: failsAtFirst(1) } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('mob')).toMatchObject({ round: 2, state: 'done' });
    unique(played);
  });
});

describe('affected steps', () => {
  it('CP-7 · workflow · that have failed, and those that were skipped because of them, run again once it is solved', async () => {
    const text = `steps:
  - {id: deploy, run: make, on_error: continue, depends_on: []}
  - {id: announce, run: make, depends_on: [deploy]}
  - {id: mob, type: swarm, issue: $deploy.error, affected: [deploy, announce], when: failed(deploy), depends_on: [deploy], ${AGENT_KEYS}}
`;
    const played = play({ text, steps: { deploy: failsAtFirst(1) } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.feedback('swarm_join')).toMatchObject([{ data: { affected_tasks: ['deploy', 'announce'] } }]);
    expect(played.world.step('deploy')).toMatchObject({ state: 'done' });
    expect(played.world.step('announce')).toMatchObject({ state: 'done' });
    unique(played);
  });

  it('CP-7 · workflow · that are held are tried again once it is solved', async () => {
    const text = `steps:
  - id: both
    branches:
      - {id: deploy, run: make, on_error: hold}
      - {id: look, steps: [{id: wait, run: make}, {id: mob, type: swarm, issue: It is red., affected: deploy, ${AGENT_KEYS}}]}
`;
    const played = play({ text, steps: { deploy: failsAtFirst(1), wait: lasting(MINUTE) } });
    await played.world.completes();
    expect(played.world.step('deploy')).toMatchObject({ state: 'done', try: 2 });
  });

  it('CP-7 · fallbacks · stay as they are if it is not solved', async () => {
    const text = `steps:
  - {id: deploy, run: make, on_error: continue}
  - {id: mob, type: swarm, issue: $deploy.error, affected: [deploy], on_fail: continue, ${AGENT_KEYS}}
`;
    const played = play({ text, says: { verify: red }, steps: { deploy: failsAtFirst(1) } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('deploy')).toMatchObject({ state: 'failed' });
  });
});

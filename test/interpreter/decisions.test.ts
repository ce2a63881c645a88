import type { DecisionAnswer, DecisionRequest } from '../../plan/agents/decision';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { wakeForDecision } from '../../workflows/interpreter/agents/decisions';
import type { Interpreter, KindCode } from '../../workflows/interpreter/interpreter';
import { agent, withParts } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type World, type WorldOptions } from '../support/world';
import { freshly, type Program, programs } from './program';

const WORK: Program = async (ctx, { part }) => void (await ctx.step(part('bob'), { turn: 1 }));
const PLAN = planOf([withParts('team', [agent('bob')])]);

const ask = (task: number): DecisionRequest => ({ id: `bob/1/call-${task}`, agent: 'bob', request: { kind: 'claim_task', task } });

/** Where the agent's call breaks off, each time once. */
type Crash = 'before the pause is reported' | 'with the answer in its input' | 'with the result recorded';
const CRASHES: readonly Crash[] = ['before the pause is reported', 'with the answer in its input', 'with the result recorded'];

/** An agent that asks about some tasks one after the other. Its recorded results outlive its calls, as a transcript does. */
function asking(tasks: readonly number[], crashes: Crash[] = []) {
  const results: Record<string, DecisionAnswer['said']> = {};
  const inputs: StepInput[] = [];
  const crash = (at: Crash): void => {
    if (!crashes.includes(at)) return;
    crashes.splice(crashes.indexOf(at), 1);
    throw new ThermidorFailure('model.api-error', '500');
  };
  const perform = ({ input }: Seen): StepOutput => {
    inputs.push(input);
    for (const open of tasks.map(ask)) {
      if (open.id in results) continue;
      const found = input.decisions?.find(({ id }) => id === open.id);
      if (!found) {
        crash('before the pause is reported');
        return { paused: { kind: 'decision', asks: [open] } };
      }
      crash('with the answer in its input');
      results[open.id] = found.said;
      crash('with the result recorded');
    }
    return { artifact: artifact('report') };
  };
  return { perform, results, inputs };
}

/** Gives each task once, as a board does: asked again, it would refuse. */
function giving(isReady: () => boolean = () => true) {
  const given: number[] = [];
  let last: Interpreter | undefined;
  const decide: KindCode['decide'] = (it, _place, { request }) => {
    last = it;
    if (!isReady()) return undefined;
    if (request.kind !== 'claim_task' || typeof request.task !== 'number') return { said: 'unknown', refused: true };
    if (given.includes(request.task)) return { said: 'already_claimed', refused: true };
    given.push(request.task);
    return { said: `task ${request.task}` };
  };
  return { decide, given, wake: (task: number) => last && wakeForDecision(last.run, ask(task).id) };
}

const play = (bob: ReturnType<typeof asking>, { decide }: Pick<ReturnType<typeof giving>, 'decide'>, more: WorldOptions = {}): World =>
  runPlan(PLAN, { work: programs({ team: WORK }), steps: { bob: bob.perform }, decide, ...more });

const SAID = { [ask(7).id]: 'task 7', [ask(8).id]: 'task 8' };

describe('a decision that a call of a tool waits for', () => {
  it('is given by the kind of the container, and is in the input of the same activity’s next call', async () => {
    const [bob, board] = [asking([7, 8]), giving()];
    const world = play(bob, board);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(new Set(world.order()).size).toBe(1);
    expect(bob.inputs.map(({ decisions }) => decisions?.map(({ id }) => id))).toEqual([undefined, [ask(7).id], [ask(8).id]]);
    expect(bob.results).toEqual(SAID);
  });

  it('is refused by a container that decides nothing', async () => {
    const bob = asking([7]);
    const world = runPlan(PLAN, { work: programs({ team: WORK }), steps: { bob: bob.perform } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(bob.inputs.at(-1)?.decisions).toEqual([{ id: ask(7).id, said: 'nobody here decides that', refused: true }]);
  });

  it.each(CRASHES)('is given once if the call breaks off %s', async (at) => {
    const crashes = [at];
    const [bob, board] = [asking([7, 8], crashes), giving()];
    const world = play(bob, board);
    await world.completes();
    expect(crashes).toEqual([]);
    expect(bob.results).toEqual(SAID);
    expect(board.given).toEqual([7, 8]);
  });

  it('is given once and reaches its call if a fresh execution follows after each call', async () => {
    const [bob, board] = [asking([7, 8], ['with the answer in its input']), giving()];
    const full = new Set<string>();
    const world: World = runPlan(PLAN, {
      work: programs({ team: WORK }),
      decide: board.decide,
      historyIsFull: ({ runId }) => full.has(runId),
      steps: {
        bob: (seen) => {
          full.add(`run-${world.executions}`);
          // The run looks whether its history is full.
          world.signal('nobody-knows-this');
          return bob.perform(seen);
        },
      },
    });
    await world.completes();
    expect(world.executions).toBeGreaterThan(2);
    expect(bob.results).toEqual(SAID);
    expect(board.given).toEqual([7, 8]);
  });

  it('that comes later is waited for over executions, and its slot and its budget are free meanwhile', async () => {
    let isReady = false;
    const [bob, board, fresh] = [asking([7, 8]), giving(() => isReady), freshly()];
    const world = play(bob, board, { historyIsFull: fresh.historyIsFull });
    await world.settle();
    expect(bob.inputs).toHaveLength(1);
    await fresh.again(world);
    await fresh.again(world);
    expect(world.executions).toBe(3);
    expect(bob.inputs).toHaveLength(1);
    board.wake(7);
    await world.settle();
    expect(bob.inputs).toHaveLength(1);
    isReady = true;
    board.wake(7);
    await world.completes();
    expect(bob.results).toEqual(SAID);
    expect(board.given).toEqual([7, 8]);
  });

  it('is not waited for any more once the run is cancelled', async () => {
    const [bob, board] = [asking([7]), giving(() => false)];
    const world = play(bob, board);
    await world.settle();
    world.signal('abort', { by: 'ops' });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'run.aborted' });
    expect(bob.inputs).toHaveLength(1);
  });

  it('holds its budget only while it has to wait', async () => {
    let isReady = true;
    const [bob, board] = [asking([7, 8]), giving(() => isReady)];
    const budgeted = planOf([withParts('team', [agent('bob')])], { budget: { tokens: 100 } });
    const options = { work: programs({ team: WORK }), decide: board.decide };
    const reserved: (number | undefined)[] = [];
    const world: World = runPlan(budgeted, {
      ...options,
      steps: {
        bob: (seen) => {
          const output = bob.perform(seen);
          if (bob.inputs.length === 2) isReady = false;
          return output;
        },
      },
    });
    await world.settle();
    reserved.push(world.status().budget?.tokens?.reserved);
    expect(bob.inputs).toHaveLength(2);
    isReady = true;
    board.wake(8);
    await world.completes();
    expect(reserved).toEqual([0]);
    expect(bob.inputs.map(({ budget }) => budget?.tokens)).toEqual([100, 100, 100]);
  });
});

import type { AskTaskInput, TaskAnswer, TaskAnswerInput } from '../../plan/board/asked-task';
import { QUEUE_SIGNAL } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step, TaskStep } from '../../plan/steps/step';
import { command } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';
import { freshly } from './program';

/** A run that gives a task to a team. The team is what its ledger says. */

const task = (more: Partial<TaskStep> = {}): Step => ({
  ...{ kind: 'task', id: 'ask', team: 'research', task: { subject: ['Look.'] } },
  ...more,
});
const DONE: TaskAnswer = { id: 4, end: { kind: 'completed', output: { id: 4, result: 'done' } } };

interface Team extends WorldOptions {
  /** What the ledger has by now. */
  answer: TaskAnswer;
  asked: AskTaskInput[];
  looks: TaskAnswerInput[];
  withdrawn: string[];
}

function team(answer: TaskAnswer = {}, more: Partial<WorldOptions> = {}): Team {
  const it: Team = {
    ...{ answer, asked: [], looks: [], withdrawn: [] },
    askTask({ input }) {
      it.asked.push(input);
      return it.answer;
    },
    taskAnswer({ input }) {
      it.looks.push(input);
      return it.answer;
    },
    withdrawTask: ({ input }) => void it.withdrawn.push(input.name),
    ...more,
  };
  return it;
}

const wake = (world: World, name = 'ask#1~1/task') => world.signal(QUEUE_SIGNAL, { name });
const output = (world: World) => world.composed['ask#1~1/compose'];
const waitsFor = (world: World) => world.step('ask').waitingFor;

describe('a step that gives a task to a team', () => {
  it('waits until the task is done, and puts out what the team has said', async () => {
    const it = team();
    const world = runPlan(planOf([task()]), it);
    await world.settle();
    expect(it.asked).toMatchObject([{ name: 'ask#1~1/task' }]);
    expect(waitsFor(world)).toBe('the team research to take the task');
    it.answer = { id: 4 };
    wake(world);
    await world.settle();
    expect(waitsFor(world)).toBe('task #4 of the team research');
    // The wake that has brought the number was no false one: the end is not kept waiting.
    it.answer = DONE;
    wake(world);
    await world.settle();
    expect(world.status().state).toBe('completed');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(output(world)).toEqual({ kind: 'value', value: { id: 4, result: 'done' }, whole: { result: 'result_whole' } });
    expect(it.withdrawn).toEqual([]);
  });

  it('with `wait: false` ends as soon as the team has taken it', async () => {
    const it = team();
    const world = runPlan(planOf([task({ endsTaken: true })]), it);
    await world.settle();
    expect(world.status().state).toBe('running');
    it.answer = { id: 4 };
    wake(world);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(output(world)).toEqual({ kind: 'value', value: { id: 4 } });
    expect(it.withdrawn).toEqual([]);
  });

  it.each<[string, TaskAnswer, string]>([
    ['a person has left it out', { id: 4, end: { kind: 'dropped', id: 4, reason: 'too hard' } }, 'task.dropped'],
    ['the team has ended', { id: 4, end: { kind: 'left', id: 4 } }, 'task.left'],
    ['the board does not take it', { end: { kind: 'refused', message: 'unknown_role' } }, 'task.refused'],
  ])('fails if %s', async (_, answer, code) => {
    const world = runPlan(planOf([task()]), team(answer));
    await expect(world.result).rejects.toMatchObject({ code });
  });

  it('fails at once if the team does not run, and a new try gives a new task', async () => {
    let tries = 0;
    const it = team(DONE, {
      askTask({ input }) {
        if (tries++ === 0) throw new ThermidorFailure('task.no-team', 'the team "research" does not run');
        return input.name === 'ask#1~2/task' ? DONE : {};
      },
    });
    const world = runPlan(planOf([task({ retry: { max: 2, delayMs: 1000 } })]), it);
    await world.completes();
    expect(it.withdrawn).toEqual(['ask#1~1/task']);
  });

  it('withdraws what has failed once, although its run ends with it', async () => {
    const it = team(
      {},
      {
        askTask() {
          throw new ThermidorFailure('task.no-team', 'the team "research" does not run');
        },
        async withdrawTask({ input, clock }) {
          it.withdrawn.push(input.name);
          await new Promise<void>((ring) => void clock.after(1000, ring));
        },
      },
    );
    const world = runPlan(planOf([task()]), it);
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'task.no-team' });
    expect(it.withdrawn).toEqual(['ask#1~1/task']);
  });

  it('asks again after a silence; a wake that brings nothing changes nothing', async () => {
    const it = team();
    const world = runPlan(planOf([task()]), it);
    await world.settle();
    wake(world);
    wake(world, 'ask#1~9/task');
    await world.settle();
    expect(it.looks).toEqual([{ run: 'run-1', name: 'ask#1~1/task' }]);
    await world.elapse(() => it.looks.length === 2);
    expect(it.looks[1]).toEqual({ run: 'run-1', name: 'ask#1~1/task', ask: true });
    it.answer = DONE;
    await world.completes();
  });

  it('bears that no team runs for a minute, as when it is applied anew, and no longer', async () => {
    for (const comesBack of [true, false]) {
      const it = team({ id: 4 });
      const world = runPlan(planOf([task()]), it);
      await world.settle();
      it.answer = { id: 4, isAlone: true };
      await world.elapse(() => it.looks.length === 4);
      if (comesBack) it.answer = DONE;
      await world.elapse();
      if (comesBack) await expect(world.result).resolves.toMatchObject({ status: 'completed' });
      else await expect(world.result).rejects.toMatchObject({ code: 'task.no-team' });
    }
  });

  it('withdraws it when its time is up, and when the run is cancelled', async () => {
    const late = team({ id: 4 });
    const world = runPlan(planOf([task({ timeoutMs: 90_000 })]), late);
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({
      code: 'step.timeout',
      message: expect.stringContaining('task #4 of the team research'),
    });
    expect(late.withdrawn).toEqual(['ask#1~1/task']);

    const called = team({ id: 4 });
    const cancelled = runPlan(planOf([task(), command('next')]), called);
    await cancelled.settle();
    cancelled.cancel('enough');
    await cancelled.elapse();
    await expect(cancelled.result).rejects.toBeDefined();
    expect(called.withdrawn).toEqual(['ask#1~1/task']);
  });

  it('goes on over executions, with one task', async () => {
    const fresh = freshly();
    const it = team({}, { historyIsFull: fresh.historyIsFull });
    const world = runPlan(planOf([task()]), it);
    await world.settle();
    await fresh.again(world);
    it.answer = { id: 4 };
    wake(world);
    await fresh.again(world);
    await fresh.again(world);
    expect(world.executions).toBeGreaterThan(2);
    it.answer = DONE;
    wake(world);
    await world.completes();
    expect(new Set(it.asked.map(({ name }) => name))).toEqual(new Set(['ask#1~1/task']));
    expect(it.withdrawn).toEqual([]);
  });
});

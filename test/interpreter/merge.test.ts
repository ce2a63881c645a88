import type { CandidateOutcome, SubmitCandidateInput, SubmittedCandidate } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import type { MergeStep, Step } from '../../plan/steps/step';
import { agent, command } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { carry, rerun } from './carrying';

const QUEUE = 'queue:/repository#main';
const author = (id: string, more: object = {}): Step => agent(id, { worktree: {}, ...more });
const merge = (from: string[], more: Partial<MergeStep> = {}): Step => ({ kind: 'merge', id: 'land', from, into: ['main'], ...more });

/** Leaves a commit that is named after the step and its round. */
const works: StepBehaviour = ({ step, call, input: { worktree, findings } }) => ({
  artifact: artifact(call.options.address ?? step),
  ...(worktree
    ? { worktree: { slot: worktree.slot, epoch: worktree.epoch, commit: `${call.options.address}${findings ? ' mended' : ''}` } }
    : {}),
});

const merged = (result: string): TicketOutcome => ({ kind: 'merged', result });
const conflict: TicketOutcome = { kind: 'conflict', onto: 'head-2', paths: ['a.txt'] };

/** A queue that decides about each commit, at once or when it is asked. */
function queue(says: (input: SubmitCandidateInput) => TicketOutcome | undefined): { submitted: SubmitCandidateInput[] } & WorldOptions {
  const submitted: SubmitCandidateInput[] = [];
  return {
    submitted,
    submit({ input }): SubmittedCandidate {
      submitted.push(input);
      const outcome = says(input);
      return { queue: QUEUE, ticket: submitted.length, ...(outcome ? { outcome } : {}) };
    },
    outcome: (): CandidateOutcome => ({}),
  };
}

const steps = { a: works, b: works, build: works, check: works };
const output = (world: World, step = 'land') => Object.entries(world.composed).findLast(([address]) => address.startsWith(`${step}#`))?.[1];

describe('a merge', () => {
  it('submits what each step has left, and outputs where it landed', async () => {
    const lands = queue(({ from }) => merged(`on-main:${from.commit}`));
    const world = runPlan(planOf([author('a'), author('b'), merge(['a', 'b'], { test: 'npm test', priority: 1 })]), { steps, ...lands });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(lands.submitted).toMatchObject([
      { name: 'land#1~1/a', into: 'main', priority: 1, test: 'npm test', author: 'worker', from: { slot: 'a', commit: 'a#1~1' } },
      { name: 'land#1~1/b', from: { slot: 'b', ref: 'refs/thermidor/run-1/b/1' } },
    ]);
    expect(output(world)).toEqual({
      kind: 'value',
      value: {
        merged: [
          { step: 'a', commit: 'a#1~1', result: 'on-main:a#1~1', already: false },
          { step: 'b', commit: 'b#1~1', result: 'on-main:b#1~1', already: false },
        ],
        returned: [],
        head: 'on-main:b#1~1',
      },
    });
  });

  it('has at its head what landed last, in whatever order the steps are named', async () => {
    const orders: Record<string, number | undefined> = { a: 7, b: 9, build: 8, check: undefined };
    const lands = queue(
      ({ from }) =>
        ({ ...merged(`on-main:${from.slot}`), ...(orders[from.slot] ? { order: orders[from.slot] } : { already: true }) }) as TicketOutcome,
    );
    const authors = ['a', 'b', 'build', 'check'];
    const world = runPlan(planOf([...authors.map((id) => author(id)), merge(authors)]), { steps, ...lands });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(output(world)).toMatchObject({ value: { merged: authors.map((step) => ({ step })), head: 'on-main:b' } });
    expect(JSON.stringify(output(world))).not.toContain('order');
  });

  it('takes from branches of a parallel, and from every item of a loop', async () => {
    const branches: Step = { kind: 'parallel', id: 'both', branches: [author('a'), author('b')] } as Step;
    const each: Step = {
      ...{ kind: 'for_each', id: 'each', items: { kind: 'literal', value: [] } },
      block: { order: 'sequence', steps: [author('build')] },
    } as Step;
    const lands = queue(({ from }) => merged(from.commit));
    const world = runPlan(planOf([branches, each, merge(['a', 'b', 'build'])]), { steps, lists: { each: [1, 2] }, ...lands });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(lands.submitted.map(({ from }) => from.slot)).toEqual(['both[0]/a', 'both[1]/b', 'each[0]/build', 'each[1]/build']);
  });

  it('with `cleanup` closes the worktrees of what has landed, once all has', async () => {
    let tries = 0;
    const lands = queue(({ from }) => (from.slot === 'b' && tries++ === 0 ? conflict : merged(from.commit)));
    const world = runPlan(planOf([author('a'), author('b'), merge(['a', 'b'], { cleanup: true }), command('next')]), { steps, ...lands });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const order = world.calls.flatMap(({ name, options: { address } }) =>
      ['closeWorktree', 'submitCandidate'].includes(name) || address === 'next#1~1' ? [`${name} ${address}`] : [],
    );
    expect(order).toEqual([
      'submitCandidate land#1~1/a/submit',
      'submitCandidate land#1~1/b/submit',
      'submitCandidate land#2~1/b/submit',
      'closeWorktree a#1~1/close-worktree',
      'closeWorktree b#1~1/close-worktree',
      'command next#1~1',
    ]);
  });

  it('offers nothing of a step that was skipped, or that failed and let the others continue', async () => {
    const fails: StepBehaviour = () => {
      throw new ThermidorFailure('model.refused', 'no', null, undefined, { worktree: { slot: 'b', epoch: 1, commit: 'half' } });
    };
    const skipped = author('a', { when: { kind: 'literal', value: false } });
    const lands = queue(({ from }) => merged(from.commit));
    const world = runPlan(planOf([skipped, author('b', { onError: [{ kind: 'continue' }] }), merge(['a', 'b'])]), {
      ...{ steps: { ...steps, b: fails } },
      ...lands,
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(lands.submitted).toEqual([]);
  });
});

describe('a candidate that comes back', () => {
  it.each<[string, TicketOutcome, string | undefined]>([
    ['with a conflict', conflict, 'head-2'],
    ['with a red test', { kind: 'red', onto: 'head-2', result: 'r', of: 'queue', reason: 'exit code 1', tail: 'FAIL' }, 'head-2'],
    ['with conflict markers', { kind: 'markers', paths: ['a.txt'] }, undefined],
    ['with a restricted path', { kind: 'restricted', paths: ['package.json'] }, undefined],
  ])('goes to its author, who works on in its worktree: %s', async (_how, outcome, onto) => {
    const lands = queue(({ from }) => (from.commit.endsWith('mended') ? merged('done') : outcome));
    const world = runPlan(planOf([author('a'), agent('check'), merge(['a'])]), { steps, ...lands });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(lands.submitted.map(({ name, from }) => [name, from.commit])).toEqual([
      ['land#1~1/a', 'a#1~1'],
      ['land#2~1/a', 'a#2~1 mended'],
    ]);
    const again = world.seen.find(({ step, input }) => step === 'a' && input.findings);
    expect(again?.input.worktree).toMatchObject({ slot: 'a', commit: 'a#1~1' });
    expect(again?.input.worktree?.onto).toBe(onto);
    expect(again?.input.findings?.review).toBe('land');
    // The step between the two is done again.
    expect(world.step('check').round).toBe(2);
    expect(output(world)).toMatchObject({ value: { merged: [{ step: 'a' }], returned: [{ step: 'a', kind: outcome.kind }] } });
    expect(world.journal().filter(({ kind }) => kind === 'ticket')).toMatchObject([
      { step: 'land', event: 'asked', queue: QUEUE, ticket: 1, candidate: 'a#1~1' },
      { step: 'land', event: 'returned', ticket: 1, code: outcome.kind, reason: expect.any(String) },
      { step: 'land#2', event: 'asked', ticket: 2, candidate: 'a#2~1 mended' },
      { step: 'land#2', event: 'merged', ticket: 2, result: 'done' },
    ]);
  });

  it('goes back alone: what has landed is not offered again, and other branches keep their work', async () => {
    const branches: Step = { kind: 'parallel', id: 'both', branches: [author('a'), author('b')] } as Step;
    const lands = queue(({ from }) => (from.slot.endsWith('b') && !from.commit.endsWith('mended') ? conflict : merged(from.commit)));
    const world = runPlan(planOf([branches, merge(['a', 'b'])]), { steps, ...lands });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(lands.submitted.map(({ from }) => from.slot)).toEqual(['both[0]/a', 'both[1]/b', 'both[1]/b']);
    expect([world.step('a').round, world.step('b').round]).toEqual([1, 2]);
    expect(output(world)).toMatchObject({ value: { merged: [{ step: 'both[0]/a' }, { step: 'both[1]/b' }] } });
  });

  it('goes back so often, and then the merge fails', async () => {
    const lands = queue(() => conflict);
    const world = runPlan(planOf([author('a'), merge(['a'], { onConflict: [{ kind: 'return_to_author', max: 2 }] })]), { steps, ...lands });
    await expect(world.result).rejects.toMatchObject({ code: 'merge.returned' });
    expect(lands.submitted).toHaveLength(3);
  });

  it('goes up if the pipeline says so, and a person sends it back', async () => {
    const lands = queue(({ from }) => (from.commit.endsWith('mended') ? merged('done') : conflict));
    const world = runPlan(planOf([author('a'), merge(['a'], { onConflict: [{ kind: 'escalate', to: { kind: 'human' } }] })]), {
      steps,
      ...lands,
    });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'land' }]);
    await world.update('respond', { step: 'land', response: 'revise', comment: 'keep the old name' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const again = world.seen.find(({ step, input }) => step === 'a' && input.findings);
    expect(again?.input.findings?.instructions).toMatch(/a\.txt.*\n\nkeep the old name$/s);
    expect(again?.input.worktree?.onto).toBe('head-2');
  });

  it('goes up, and a person lets the run continue without it', async () => {
    const lands = queue(() => conflict);
    const world = runPlan(
      planOf([author('a'), merge(['a'], { onConflict: [{ kind: 'escalate', to: { kind: 'human' } }] }), command('next')]),
      {
        ...{ steps, ...lands },
      },
    );
    await world.settle();
    await world.update('approve', { step: 'land' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('land')).toMatchObject({ state: 'failed', error: { code: 'merge.returned' } });
  });

  it('of a command goes up, unless `retry` lets it try again', async () => {
    const lands = queue(() => conflict);
    const plan = (more: object) => planOf([command('a', { worktree: {}, ...more }), merge(['a'])]);
    await expect(runPlan(plan({}), { steps, ...lands }).result).rejects.toMatchObject({ code: 'merge.returned' });
    expect(lands.submitted).toHaveLength(1);
    const again = queue(() => conflict);
    await expect(runPlan(plan({ retry: { max: 2 } }), { steps, ...again }).result).rejects.toMatchObject({ code: 'merge.returned' });
    expect(again.submitted).toHaveLength(2);
  });
});

describe('a merge fails', () => {
  it.each([
    ['merge.refused', { kind: 'refused', message: 'no' }],
    ['merge.refused', { kind: 'failed', code: 'git.failed', message: 'no' }],
    ['merge.refused', { kind: 'unrelated', onto: 'x' }],
    ['merge.dropped', { kind: 'dropped', by: 'ann' }],
    ['merge.target-red', { kind: 'red', of: 'queue', onto: 'x', result: 'y', reason: 'exit code 1', tail: '', isTargets: true }],
  ] as const)('with %s where its author can do nothing: %j', async (code, outcome) => {
    const world = runPlan(planOf([author('a'), merge(['a'])]), { steps, ...queue(() => outcome as TicketOutcome) });
    await expect(world.result).rejects.toMatchObject({ code });
  });

  it('and is tried again without what has landed', async () => {
    let dropped = 0;
    const lands = queue(({ from }) => (from.slot === 'b' && dropped++ === 0 ? { kind: 'dropped' } : merged(from.commit)));
    const world = runPlan(planOf([author('a'), author('b'), merge(['a', 'b'], { retry: { max: 2 } })]), { steps, ...lands });
    await world.completes();
    expect(lands.submitted.map(({ name }) => name)).toEqual(['land#1~1/a', 'land#1~1/b', 'land#2~1/b'.replace('#2~1', '#1~2')]);
  });
});

describe('a wait for a ticket', () => {
  const waiting = (more: WorldOptions = {}, step: Partial<MergeStep> = {}) => {
    let outcome: TicketOutcome | undefined;
    const looks: (true | undefined)[] = [];
    const withdrawn: string[] = [];
    const lands = queue(() => undefined);
    const world = runPlan(planOf([author('a'), merge(['a'], step), command('next')]), {
      steps,
      ...lands,
      outcome({ input }) {
        looks.push(input.ask);
        return outcome ? { outcome } : {};
      },
      withdraw: ({ input }) => void withdrawn.push(input.name),
      ...more,
    });
    const decide = (how: TicketOutcome = merged('done')) => {
      outcome = how;
    };
    return { world, decide, looks, withdrawn, submitted: lands.submitted };
  };

  it('is shown, and ends when the queue wakes the run', async () => {
    const { world, decide, looks } = waiting();
    await world.settle();
    expect(world.step('land').waitingFor).toBe(`ticket 1 of ${QUEUE}`);
    decide();
    world.signal('thermidor:queue', { name: 'land#1~1/a' });
    await world.settle();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(looks).toEqual([undefined]);
  });

  it('ends after a silence if the wake is lost, and asks the queue again', async () => {
    const { world, decide, looks } = waiting();
    await world.settle();
    decide();
    await world.completes();
    expect(looks).toEqual([true]);
  });

  it('is not ended by what a signal brings', async () => {
    const { world, decide, looks } = waiting();
    await world.settle();
    world.signal('thermidor:queue', { name: 'land#1~1/a', outcome: merged('forged') });
    await world.settle();
    expect(world.step('land').state).toBe('running');
    expect(looks).toEqual([undefined]);
    decide();
    world.signal('thermidor:queue', { name: 'land#1~1/a' });
    await world.completes();
  });

  it('drops its ticket when the run is cancelled', async () => {
    const { world, withdrawn } = waiting();
    await world.settle();
    world.cancel();
    await expect(world.result).rejects.toThrow();
    expect(withdrawn).toEqual(['land#1~1/a']);
  });

  it('drops its ticket when its time is up', async () => {
    const { world, withdrawn } = waiting({}, { timeoutMs: 90_000 });
    await world.settle();
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'step.timeout' });
    expect(withdrawn).toEqual(['land#1~1/a']);
  });

  it('goes on in a fresh execution, with the same ticket', async () => {
    const { world, decide, submitted } = waiting({ activitiesPerExecution: 4 });
    await world.settle();
    decide();
    await world.completes();
    expect(world.executions).toBeGreaterThan(1);
    expect(submitted).toHaveLength(1);
  });

  it('of two candidates ends with the later one', async () => {
    const outcomes: Record<string, TicketOutcome> = {};
    const lands = queue(() => undefined);
    const world = runPlan(planOf([author('a'), author('b'), merge(['a', 'b'])]), {
      ...{ steps, ...lands },
      outcome: ({ input: { name } }) => ({ ...(outcomes[name] ? { outcome: outcomes[name] } : {}) }),
    });
    await world.settle();
    expect(world.step('land').waitingFor).toBe(`ticket 1 of ${QUEUE} and 1 more ticket`);
    outcomes['land#1~1/b'] = merged('first');
    world.signal('thermidor:queue', { name: 'land#1~1/b' });
    await world.settle();
    expect(world.step('land').waitingFor).toBe(`ticket 1 of ${QUEUE}`);
    outcomes['land#1~1/a'] = merged('second');
    world.signal('thermidor:queue', { name: 'land#1~1/a' });
    await world.settle();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('a rerun from the merge', () => {
  it('offers what the run before had left', async () => {
    const plan = planOf([author('a'), merge(['a'])]);
    const before = runPlan(plan, { steps, ...queue(() => ({ kind: 'dropped' })) });
    await expect(before.result).rejects.toMatchObject({ code: 'merge.dropped' });
    const lands = queue(({ from }) => merged(from.commit));
    const world = rerun(plan, carry(before, 'land').carry, { steps, ...lands });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(lands.submitted).toMatchObject([
      { from: { slot: 'a', commit: 'a#1~1', ref: 'refs/thermidor/run-1/a/1', madeIn: { run: 'run-1', slot: 'a' } } },
    ]);
  });

  it('offers what every item of a loop had left', async () => {
    const each: Step = {
      ...{ kind: 'for_each', id: 'each', items: { kind: 'literal', value: [] } },
      block: { order: 'sequence', steps: [author('build')] },
    } as Step;
    const plan = planOf([each, merge(['build'])]);
    const lists = { each: [1, 2] };
    let last = runPlan(plan, { steps, lists, ...queue(() => ({ kind: 'dropped' })) });
    await expect(last.result).rejects.toMatchObject({ code: 'merge.dropped' });
    // A rerun of a rerun has the outcome as well.
    for (const outcome of [{ kind: 'dropped' }, merged('main')] satisfies TicketOutcome[]) {
      const lands = queue(() => outcome);
      last = rerun(plan, carry(last, 'land').carry, { steps, lists, ...lands });
      await last.result.catch(() => undefined);
      expect(lands.submitted.map(({ from }) => [from.madeIn?.slot, from.ref])).toEqual([
        ['each[0]/build', 'refs/thermidor/run-1/each%5B0%5D%2Fbuild/1'],
        ['each[1]/build', 'refs/thermidor/run-1/each%5B1%5D%2Fbuild/1'],
      ]);
    }
    await expect(last.result).resolves.toMatchObject({ status: 'completed' });
  });
});

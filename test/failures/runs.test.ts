import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/activity';
import { toApplicationFailure } from '../../activities/temporal-call';
import { FAILURES, ThermidorFailure } from '../../plan/run/failure';
import { Cancelled } from '../../workflows/run-context';
import { runWhole } from '../support/whole-run';

/** One test for each kind of failure of a run. Those in which a process must die are on the real server, in test/durability. */
const durability = (name: string) => readFileSync(join(__dirname, '../durability', name), 'utf8');
const errors = (run: ReturnType<typeof runWhole>) => run.notices.filter(({ channel }) => channel === '#errors');

describe('worker or host dies', () => {
  it.each([
    ['kill-worker.test.ts', 'in an agent step: only the request in flight is made again, under the same idempotency key'],
    ['kill-worker.test.ts', 'in a command: each command ran once, the one in flight at most twice'],
    ['kill-worker.test.ts', 'in a gate: the gate stays open, and the decision ends the run'],
    ['containers.test.ts', 'in a loop: iterations that are done stay done, and the one under way is done again'],
  ])('another takes over and no effect is repeated: %s, %s', (file, name) => {
    expect(durability(file)).toContain(`test('${name}'`);
  });
});

describe('server restarts', () => {
  it.each([
    ['kill-server.test.ts', 'in a gate, under a command that watches: it comes back, and the decision ends the run'],
    ['kill-server.test.ts', 'in a gate, together with the process that watches: the next command starts it again'],
  ])('there is nothing to do, runs go on: %s, %s', (file, name) => {
    expect(durability(file)).toContain(`test('${name}'`);
  });
});

describe('revise, rejection', () => {
  it('are results and no errors: the run closes as completed, and #errors gets nothing', async () => {
    const run = runWhole(
      'steps:\n  - {id: draft, agent: w}\n  - {id: check, type: review, agent: r, of: draft}\n  - {id: ok, type: hitl}\n',
      { script: 'replies:\n  draft: [{text: x}]\n  check: [{round: 1, json: {verdict: revise}}, {json: {verdict: pass}}]\n' },
    );
    await run.quiet();
    run.signal('reject', { by: 'chairman' });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({ status: 'rejected' });
    expect(errors(run)).toEqual([]);
    expect((await run.journal()).filter((entry) => (entry.kind === 'step' || entry.kind === 'run') && entry.error)).toEqual([]);
  });
});

describe('budget reached', () => {
  const script = 'replies:\n  draft: [{text: x, usage: {input_tokens: 500}}]\n';
  it('holds the run at a gate of kind budget, and goes on when it is raised; nothing was overspent', async () => {
    const run = runWhole('budget: {tokens: 100}\nsteps:\n  - {id: draft, agent: w}\n', { script });
    await run.quiet();
    expect(run.status()).toMatchObject({ state: 'held', gates: [{ kind: 'budget', choices: ['extend_budget', 'abort'] }] });
    expect(run.status().budget?.tokens).toMatchObject({ ceiling: 100, spent: 0 });
    run.signal('extend_budget', { tokens: 1000 });
    await run.completes();
  });

  it('is ended by abort', async () => {
    const run = runWhole('budget: {tokens: 100}\nsteps:\n  - {id: draft, agent: w}\n', { script });
    await run.quiet();
    run.signal('abort', { by: 'ops' });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'run.aborted' });
  });
});

describe('output over the size limit', () => {
  it('is not retried, and names the step and the size', async () => {
    const run = runWhole('steps:\n  - {id: big, run: "head -c 68000000 /dev/zero"}\n');
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'output.too-large' });
    const failed = (await run.journal()).find((entry) => entry.kind === 'step' && entry.error);
    expect(failed).toMatchObject({ step: 'big', error: { message: expect.stringMatching(/\d/) } });
    expect(run.calls.filter(({ name }) => name === 'command')).toHaveLength(1);
    expect(toApplicationFailure(new ThermidorFailure('output.too-large', 'x'), () => undefined).nonRetryable).toBe(true);
  });
});

describe('schema, plan or programming error', () => {
  it.each(['pipeline.invalid', 'plan.version', 'reply.invalid', 'args.invalid', 'internal'] as const)(
    '%s leaves as a failure that Temporal does not retry, and its type is the code',
    (code) => {
      expect(toApplicationFailure(new ThermidorFailure(code, 'x'), () => undefined)).toMatchObject({ type: code, nonRetryable: true });
    },
  );

  it('a plain error is a bug, and is not retried either', () => {
    const failure = toApplicationFailure(new TypeError('x is not a function'), () => undefined);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'internal', nonRetryable: true });
  });

  it('what is nobody’s fault is retried by Temporal, after the delay that the failure names', () => {
    const retried = Object.entries(FAILURES).flatMap(([code, { retried }]) => (retried === 'temporal' ? [code] : []));
    const repositories = ['repository.full', 'repository.locked', 'repository.unreachable'];
    const services = [
      'channel.unavailable',
      'model.overloaded',
      'queue.unavailable',
      'queue.wrong-host',
      'store.unavailable',
      'brief.no-role',
      'task.unreachable',
    ];
    expect(retried.sort()).toEqual(
      [...services, ...repositories, 'encryption.key-missing', 'git.killed', 'worker.lost', 'worker.too-old'].sort(),
    );
    const failure = toApplicationFailure(new ThermidorFailure('model.overloaded', '429', null, 7000), () => undefined);
    expect(failure).toMatchObject({ nonRetryable: false, nextRetryDelay: 7000 });
  });
});

describe('cancel', () => {
  it('tells children first, cancels what is under way, and keeps what was made', async () => {
    const run = runWhole('steps:\n  - {id: made, run: "echo it"}\n  - {id: sub, pipeline: child.yaml}\n', {
      files: { 'child.yaml': 'name: child\nsteps:\n  - {id: ok, type: hitl}\n' },
    });
    await run.quiet();
    expect(run.children.size).toBe(1);
    run.cancel();
    await run.quiet();
    await expect(run.result).rejects.toBeInstanceOf(Cancelled);
    for (const child of run.children.values()) await expect(child.result).rejects.toBeInstanceOf(Cancelled);
    expect(run.status()).toMatchObject({ state: 'cancelled' });
    expect(run.status().steps[0]).toMatchObject({ id: 'made', state: 'done', artifact: { sizeBytes: 3 } });
    const ends = (await run.journal()).flatMap((entry) => (entry.kind === 'run' ? [entry.state] : []));
    expect(ends.at(-1)).toBe('cancelled');
  });
});

describe('#errors gets one message for one failure', () => {
  const child = 'name: child\nsteps:\n  - {id: deep, run: "exit 3"}\n';
  it.each([
    ['of a step', 'steps:\n  - {id: a, run: "exit 3"}\n', 'command.failed'],
    [
      'in a branch, which fails its container and the run',
      'steps:\n  - id: par\n    parallel:\n      branches:\n        - {id: a, run: "exit 3"}\n        - {id: b, run: "true"}\n',
      'parallel.branch-failed',
    ],
    ['of a child pipeline, which fails its parent', 'steps:\n  - {id: sub, pipeline: child.yaml}\n', 'child.failed'],
    ['of a child of a child', 'steps:\n  - {id: sub, pipeline: middle.yaml}\n', 'child.failed'],
    [
      'of a child in a branch',
      'steps:\n  - id: par\n    parallel:\n      branches:\n        - {id: sub, pipeline: child.yaml}\n',
      'parallel.branch-failed',
    ],
  ])('%s', async (_, pipeline, code) => {
    const middle = 'name: middle\nsteps:\n  - {id: between, pipeline: child.yaml}\n';
    const run = runWhole(pipeline, { files: { 'child.yaml': child, 'middle.yaml': middle } });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code });
    expect(errors(run)).toHaveLength(1);
  });

  it('of a child that its parent goes on without: the child says so itself', async () => {
    const run = runWhole('steps:\n  - {id: sub, pipeline: child.yaml, on_error: continue}\n', { files: { 'child.yaml': child } });
    await run.completes();
    expect(errors(run)).toMatchObject([{ text: expect.stringContaining('child') }]);
  });
});

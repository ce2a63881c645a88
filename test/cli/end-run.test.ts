import { ApplicationFailure, WorkflowUpdateFailedError } from '@temporalio/client';
import { endRun } from '../../cli/boards/end-run';
import type { Session } from '../../cli/session/session';
import type { RunView, StepView } from '../../plan/run/status';
import { fakeTerminal } from './fake-terminal';

type Look = 'no board' | 'another run’s board' | 'open' | 'draining' | 'paused';

/** A server with a run of a team that looks different each time; it ends once it drains. */
function runThatIs(...looks: Look[]) {
  const drains: unknown[] = [];
  let now: Look | undefined;
  const query = async (): Promise<Partial<RunView>> => {
    now = looks.shift() ?? now;
    const board = { isDraining: now === 'draining' ? (true as const) : undefined };
    const steps = now === 'no board' ? [] : ([{ board }] as unknown as StepView[]);
    return { state: now === 'paused' ? 'paused' : 'running', steps };
  };
  const executeUpdate = async (name: string, { args: [payload] }: { args: unknown[] }): Promise<void> => {
    drains.push([name, payload]);
    if (now !== 'another run’s board') return;
    throw new WorkflowUpdateFailedError('no', ApplicationFailure.create({ type: 'signal.early', message: 'it is not open yet' }));
  };
  const result = async () => ({ status: 'completed' });
  const through = (_: unknown, work: () => unknown) => work();
  const client = {
    call: (request: () => unknown) => request(),
    connection: { withAbortSignal: through, withDeadline: through },
    temporal: { workflow: { getHandle: () => ({ query, executeUpdate, result }) } },
  };
  const run = { run: 'team-crew', runId: 'r', state: 'running' } as Parameters<typeof endRun>[1];
  const ends = (interrupted = new AbortController().signal) =>
    endRun({ client } as unknown as Session, run, { by: 'fran', now: false }, fakeTerminal({ interrupted }));
  return { ends, drains };
}

test('a run that has only just begun is asked to end once its board is open', async () => {
  const { ends, drains } = runThatIs('no board', 'another run’s board', 'open');
  await expect(ends()).resolves.toEqual({ state: 'completed' });
  expect(drains).toEqual([
    ['drain', { by: 'fran' }],
    ['drain', { by: 'fran' }],
  ]);
});

test('a run that drains is not asked again', async () => {
  const { ends, drains } = runThatIs('draining');
  await expect(ends()).resolves.toEqual({ state: 'completed' });
  expect(drains).toEqual([]);
});

test('who does not wait for the board has left the run as it is', async () => {
  const { ends, drains } = runThatIs('no board');
  const failed = ends(AbortSignal.abort());
  await expect(failed).rejects.toMatchObject({ exit: 130, code: 'team.still-opening' });
  expect(drains).toEqual([]);
});

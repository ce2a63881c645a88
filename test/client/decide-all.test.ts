import { WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import type { ThermidorClient } from '../../client/connect';
import { approvalGates, decideAll } from '../../client/decide-all';
import type { RunSummary } from '../../client/run-summary';
import type { SignalPayload } from '../../plan/run/signal';

interface Sent {
  run: string;
  payload: SignalPayload;
  updateId: string;
}

/** A client to whose updates a test answers. */
function clientOf(answer: (sent: Sent) => Promise<unknown>): ThermidorClient {
  return {
    call: (request: () => unknown) => request(),
    temporal: {
      workflowService: { describeTaskQueue: async () => ({ pollers: [] }) },
      workflow: {
        getHandle: (run: string) => ({
          executeUpdate: (_: string, { args, updateId }: { args: [SignalPayload]; updateId: string }) =>
            answer({ run, payload: args[0], updateId }),
        }),
      },
    },
  } as unknown as ThermidorClient;
}

const gate = (step: string, kind: 'approval' | 'input' = 'approval') => ({
  step,
  kind,
  question: 'Trade?',
  choices: ['approve', 'reject'],
  openedAt: '2026-11-21T07:30:00.000Z',
  shownSha256: 'f'.repeat(64),
});
const summary = (run: string, ...gates: RunSummary['gates']): RunSummary => ({
  run,
  runId: run,
  pipeline: 'p',
  state: 'waiting',
  startedAt: '',
  gates,
});
const many = approvalGates(
  Array.from({ length: 100 }, (_, i) => summary(`r${i}`, gate('ask'))),
  'approve',
);
const refused = new WorkflowUpdateFailedError('no', ApplicationFailure.nonRetryable('eve may not', 'signal.refused', { gates: [] }));

test('every approval gate is decided, bound to what it showed, and gates that want another answer are left', async () => {
  const sent: Sent[] = [];
  const grant = { ...gate('grant'), choices: ['once', 'run', 'always', 'deny'] };
  const gates = approvalGates([summary('a', gate('one'), gate('two')), summary('b', gate('size', 'input'), grant)], 'approve');
  const client = clientOf(async (one) => {
    sent.push(one);
    return { outcome: 'applied' };
  });
  await expect(decideAll(client, 'approve', gates, () => ({ by: 'chairman' }))).resolves.toEqual([
    { run: 'a', step: 'one', outcome: 'applied' },
    { run: 'a', step: 'two', outcome: 'applied' },
  ]);
  expect(sent.map(({ payload }) => payload)).toEqual([
    { by: 'chairman', step: 'one', shown: 'f'.repeat(64) },
    { by: 'chairman', step: 'two', shown: 'f'.repeat(64) },
  ]);
});

test('only so many are under way at once, and each is reported in the order given', async () => {
  let [underWay, most] = [0, 0];
  const client = clientOf(async () => {
    most = Math.max(most, ++underWay);
    await Promise.resolve();
    underWay -= 1;
    return {};
  });
  const decided = await decideAll(client, 'approve', many, () => ({}));
  expect(decided.map(({ run }) => run)).toEqual(many.map(({ run }) => run));
  expect(most).toBeLessThanOrEqual(16);
});

test('one that is refused keeps no other from being decided', async () => {
  const client = clientOf(async ({ run }) => {
    if (run === 'r7') throw refused;
    if (run === 'r8') throw new WorkflowNotFoundError('gone', run, undefined);
    return {};
  });
  const decided = await decideAll(client, 'approve', many, () => ({}));
  expect(decided.filter(({ outcome }) => outcome !== 'applied')).toEqual([
    { run: 'r7', step: 'ask', outcome: 'refused', reason: 'eve may not' },
    { run: 'r8', step: 'ask', outcome: 'late', reason: expect.any(String) },
  ]);
});

test('an order whose answer was lost is repeated under the same id, and given up after three tries', async () => {
  const ids: Record<string, string[]> = {};
  const client = clientOf(async ({ run, updateId }) => {
    ids[run] = [...(ids[run] ?? []), updateId];
    if (run === 'r2' || ids[run].length === 1) throw new WorkflowUpdateRPCTimeoutOrCancelledError('slow');
    return {};
  });
  const decided = await decideAll(client, 'reject', many.slice(1, 3), () => ({ by: 'chairman' }));
  expect(decided.map(({ outcome }) => outcome)).toEqual(['applied', 'unknown']);
  expect(ids['r1']).toHaveLength(2);
  expect(ids['r2']).toHaveLength(3);
  expect(new Set(ids['r2']).size).toBe(1);
});

test('an error that nobody expects is not passed over', async () => {
  const client = clientOf(async () => {
    throw new TypeError('bug');
  });
  await expect(decideAll(client, 'approve', many.slice(0, 1), () => ({}))).rejects.toThrow(TypeError);
});

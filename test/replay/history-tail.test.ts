import { ASK_AGAIN, OF_CLOSED_RUN } from '../../plan/run/contract';
import { leavesHistoryTails } from '../../workflows/temporal/history-tail';

type Activation = Parameters<ReturnType<typeof leavesHistoryTails>>[0];

const SIGNAL = { signalWorkflow: { signalName: 'approve' } };
const ACTIVITY = { resolveActivity: { seq: 4, isLocal: false } };
const LOCAL = { resolveActivity: { seq: 5, isLocal: true } };
const QUERY = { queryWorkflow: { queryType: 'status' } };

/** A worker knows of one workflow task, which started at event 10, when the history had 2,504 bytes. */
function afterTask(): (more: Partial<Activation>) => boolean {
  const isApplied = leavesHistoryTails();
  const activation = { historyLength: 10, historySizeBytes: size(2504), isReplaying: true, jobs: [SIGNAL] };
  isApplied(activation);
  return (more) => isApplied({ ...activation, isReplaying: false, ...more });
}

function size(bytes: number): NonNullable<Activation['historySizeBytes']> {
  return { toString: () => String(bytes) } as NonNullable<Activation['historySizeBytes']>;
}

test.each([
  ['a signal', [SIGNAL]],
  ['the end of an activity', [ACTIVITY]],
  ['both', [SIGNAL, ACTIVITY]],
])('events that no workflow task has brought are left out, and the query that has brought them fails: %s', (_, jobs) => {
  const isApplied = afterTask();
  expect(isApplied({ historyLength: 17, jobs })).toBe(false);
  expect(() => isApplied({ historyLength: 17, jobs: [QUERY] })).toThrow(ASK_AGAIN);
});

test('a query of a closed run is answered without them, under its own name', () => {
  const isApplied = afterTask();
  isApplied({ historyLength: 17, jobs: [SIGNAL] });
  const query = { queryType: `${OF_CLOSED_RUN}status` };
  expect(isApplied({ historyLength: 17, jobs: [{ queryWorkflow: query }] })).toBe(true);
  expect(query).toEqual({ queryType: 'status' });
});

test('a task that comes all the same finds the run without them, and is refused: the next one brings all', () => {
  const isApplied = afterTask();
  isApplied({ historyLength: 17, jobs: [SIGNAL] });
  expect(() => isApplied({ historyLength: 19, historySizeBytes: size(3814), jobs: [ACTIVITY] })).toThrow(ASK_AGAIN);
});

test('the next workflow task brings them', () => {
  const isApplied = afterTask();
  expect(isApplied({ historyLength: 17, historySizeBytes: size(3814), jobs: [SIGNAL, ACTIVITY] })).toBe(true);
});

test.each<[string, Partial<Activation>]>([
  ['a query', { historyLength: 17, jobs: [QUERY] }],
  ['the end of a local activity, which is not an event yet', { historyLength: 17, jobs: [LOCAL] }],
  ['what a command of the same task leads to at once', { jobs: [ACTIVITY] }],
  ['a replay', { historyLength: 17, jobs: [SIGNAL], isReplaying: true }],
  ['a server that states no size', { historyLength: 17, historySizeBytes: size(0), jobs: [SIGNAL] }],
])('is no such event: %s', (_, activation) => {
  expect(afterTask()(activation)).toBe(true);
});

test.each<[string, Partial<Activation>, Partial<Activation>]>([
  ['to the worker that did the task before', { isReplaying: false }, {}],
  ['to a worker that has replayed the run', { isReplaying: true }, { timestamp: { nanos: 2 } }],
])('a task of the same size, as the server states after one that was tried again, is applied: %s', (_, last, next) => {
  const isApplied = leavesHistoryTails();
  const activation = { historyLength: 28, historySizeBytes: size(4808), timestamp: { nanos: 1 } };
  isApplied({ ...activation, jobs: [ACTIVITY], ...last });
  expect(isApplied({ ...activation, isReplaying: false, historyLength: 34, jobs: [{ cancelWorkflow: {} }], ...next })).toBe(true);
});

test('a query between them hides none', () => {
  const isApplied = afterTask();
  isApplied({ historyLength: 17, jobs: [QUERY] });
  expect(isApplied({ historyLength: 17, jobs: [SIGNAL] })).toBe(false);
});

import { ASK_AGAIN } from '../../plan/run/contract';
import { refusesHistoryTails } from '../../workflows/temporal/history-tail';

type Activation = Parameters<ReturnType<typeof refusesHistoryTails>>[0];

const SIGNAL = { signalWorkflow: { signalName: 'approve' } };
const ACTIVITY = { resolveActivity: { seq: 4, isLocal: false } };
const LOCAL = { resolveActivity: { seq: 5, isLocal: true } };
const QUERY = { queryWorkflow: { queryType: 'status' } };

/** What a worker has of a run: a workflow task that started at event 10, when the history had 2,504 bytes. */
function afterTask(): (more: Partial<Activation>) => void {
  const refuse = refusesHistoryTails();
  const activation = { historyLength: 10, historySizeBytes: size(2504), isReplaying: true, jobs: [SIGNAL] };
  refuse(activation);
  return (more) => refuse({ ...activation, isReplaying: false, ...more });
}

function size(bytes: number): NonNullable<Activation['historySizeBytes']> {
  return { toString: () => String(bytes) } as NonNullable<Activation['historySizeBytes']>;
}

test.each([
  ['a signal', [SIGNAL]],
  ['the end of an activity', [ACTIVITY]],
  ['both', [SIGNAL, ACTIVITY]],
])('events that no workflow task has brought are refused: %s', (_, jobs) => {
  expect(() => afterTask()({ historyLength: 17, jobs })).toThrow(ASK_AGAIN);
});

test('the next workflow task brings them', () => {
  const activate = afterTask();
  expect(() => activate({ historyLength: 17, historySizeBytes: size(3814), jobs: [SIGNAL, ACTIVITY] })).not.toThrow();
});

test.each<[string, Partial<Activation>]>([
  ['a query', { historyLength: 17, jobs: [QUERY] }],
  ['the end of a local activity, which is not an event yet', { historyLength: 17, jobs: [LOCAL] }],
  ['what a command of the same task leads to at once', { jobs: [ACTIVITY] }],
  ['a replay', { historyLength: 17, jobs: [SIGNAL], isReplaying: true }],
  ['a server that states no size', { historyLength: 17, historySizeBytes: size(0), jobs: [SIGNAL] }],
])('is no such event: %s', (_, activation) => {
  expect(() => afterTask()(activation)).not.toThrow();
});

test('a query between them hides none', () => {
  const activate = afterTask();
  activate({ historyLength: 17, jobs: [QUERY] });
  expect(() => activate({ historyLength: 17, jobs: [SIGNAL] })).toThrow(ASK_AGAIN);
});

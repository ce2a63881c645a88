import { heldTask } from '../../workflows/temporal/held-task';

type Activation = Parameters<ReturnType<typeof heldTask>['takes']>[0];

const SIGNAL = { signalWorkflow: { signalName: 'approve' } };
const QUERY = { queryWorkflow: { queryType: 'status' } };
const LOCAL = { resolveActivity: { seq: 5, isLocal: true } };
const OTHER_LOCAL = { resolveActivity: { seq: 6, isLocal: true } };
/** An activity that the run has cancelled in the step in which it has scheduled it. */
const CANCELLED = { resolveActivity: { seq: 7, isLocal: false, result: { cancelled: {} } } };

/** A local activity that has begun and holds its task open. */
function holding(): (activation: Activation) => boolean {
  const { begins, takes } = heldTask();
  takes({ jobs: [SIGNAL], isReplaying: false, historyLength: 10 });
  begins(5);
  return takes;
}

test.each<[string, NonNullable<Activation['jobs']>]>([
  ['a signal', [SIGNAL]],
  ['the end of an activity', [{ resolveActivity: { seq: 4, isLocal: false } }]],
  ['a timer', [{ fireTimer: { seq: 1 } }]],
  ['an update', [{ doUpdate: { name: 'approve' } }]],
  ['a signal with the result of the local activity', [SIGNAL, LOCAL]],
])('what another task brings meanwhile is refused: %s', (_, jobs) => {
  expect(holding()({ jobs, isReplaying: false, historyLength: 14 })).toBe(false);
  expect(holding()({ jobs, isReplaying: false })).toBe(false);
});

test.each<[string, Activation]>([
  ['the end of a local activity', { jobs: [LOCAL], isReplaying: false }],
  ['a query', { jobs: [QUERY], isReplaying: false }],
  ['what the worker resolves in the same task', { jobs: [CANCELLED, LOCAL], isReplaying: false, historyLength: 10 }],
  ['a replay', { jobs: [SIGNAL], isReplaying: true }],
])('is no such thing: %s', (_, activation) => {
  expect(holding()(activation)).toBe(true);
});

test('the next task brings what it likes once all local activities have ended', () => {
  const { begins, takes } = heldTask();
  begins(5);
  begins(6);
  takes({ jobs: [LOCAL], isReplaying: false });
  expect(takes({ jobs: [SIGNAL], isReplaying: false })).toBe(false);
  takes({ jobs: [OTHER_LOCAL], isReplaying: false });
  expect(takes({ jobs: [SIGNAL], isReplaying: false })).toBe(true);
});

describe('a local activity that begins in a replay', () => {
  function replayed(): (activation: Activation) => boolean {
    const { begins, takes } = heldTask();
    takes({ jobs: [SIGNAL], isReplaying: true, historyLength: 10 });
    begins(5);
    return takes;
  }

  test('holds nothing: its task is over, and the next one brings what it likes', () => {
    const takes = replayed();
    expect(takes({ jobs: [SIGNAL], isReplaying: false, historyLength: 14 })).toBe(true);
    expect(takes({ jobs: [LOCAL], isReplaying: false, historyLength: 14 })).toBe(true);
  });

  test('has its result apart from what another task brings: its marker may be in the history before that', () => {
    expect(replayed()({ jobs: [SIGNAL, LOCAL], isReplaying: false, historyLength: 14 })).toBe(false);
    expect(replayed()({ jobs: [SIGNAL, LOCAL], isReplaying: true, historyLength: 14 })).toBe(true);
  });
});

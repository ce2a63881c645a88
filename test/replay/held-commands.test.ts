import { heldCommands } from '../../workflows/temporal/held-commands';

type Command = Parameters<ReturnType<typeof heldCommands>['concludes']>[0][number];

const LOCAL: Command = { scheduleLocalActivity: { seq: 1 } };
const TIMER: Command = { startTimer: { seq: 2 } };
const TIMER_CANCELLED: Command = { cancelTimer: { seq: 2 } };
const ANSWER: Command = { respondToQuery: { queryId: 'q' } };
const MEMO: Command = { modifyWorkflowProperties: {} };

/** A run whose task has begun a local activity and what is given. */
function begun(...more: Command[]) {
  const held = heldCommands();
  held.begins(1);
  expect(held.concludes([...more, LOCAL])).toEqual([LOCAL]);
  return held;
}

test.each<[string, Command]>([
  ['a timer', TIMER],
  ['an activity', { scheduleActivity: { seq: 2 } }],
  ['a child', { startChildWorkflowExecution: { seq: 2 } }],
  ['a signal to another run', { signalExternalWorkflowExecution: { seq: 2 } }],
  ['the end of a timer', TIMER_CANCELLED],
  ['the end of an activity', { requestCancelActivity: { seq: 2 } }],
  ['the end of a child', { cancelChildWorkflowExecution: { childWorkflowSeq: 2 } }],
  ['the end of a signal', { cancelSignalWorkflow: { seq: 2 } }],
])('what begins or ends next to a local activity leaves with its result: %s', (_, command) => {
  const held = begun(command);
  expect(held.concludes([ANSWER])).toEqual([ANSWER]);
  held.hasResult(1);
  expect(held.concludes([])).toEqual([command]);
  expect(held.concludes([])).toEqual([]);
});

test('what the result cancels leaves together with its cancellation, of which the SDK makes nothing', () => {
  const held = begun(TIMER);
  held.hasResult(1);
  expect(held.concludes([TIMER_CANCELLED])).toEqual([TIMER, TIMER_CANCELLED]);
});

test('commands wait for the last of several local activities, in their order', () => {
  const held = begun(TIMER);
  held.begins(3);
  held.hasResult(1);
  expect(held.concludes([TIMER_CANCELLED])).toEqual([]);
  held.hasResult(3);
  expect(held.concludes([MEMO])).toEqual([TIMER, TIMER_CANCELLED, MEMO]);
});

test('what cannot be cancelled does not wait', () => {
  expect(begun(TIMER).concludes([MEMO])).toEqual([MEMO]);
});

test.each<keyof Command>([
  'completeWorkflowExecution',
  'failWorkflowExecution',
  'cancelWorkflowExecution',
  'continueAsNewWorkflowExecution',
])('the end of an execution comes after what was held: %s', (end) => {
  const last = { [end]: {} } as Command;
  expect(begun(TIMER).concludes([last])).toEqual([TIMER, last]);
});

test('without a local activity nothing waits', () => {
  expect(heldCommands().concludes([TIMER, MEMO])).toEqual([TIMER, MEMO]);
});

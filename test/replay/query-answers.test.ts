import { answersAlone } from '../../workflows/temporal/query-answers';

const ACCEPTED = { updateResponse: { protocolInstanceId: 'u', accepted: {} } };
const ACTIVITY = { scheduleActivity: { seq: 1 } };
const ANSWER = { respondToQuery: { queryId: 'legacy_query', failed: { message: 'the run needs a worker of version 2' } } };

test('a query is answered without what a failed workflow task has left', () => {
  expect(answersAlone([ACCEPTED, ACTIVITY, ANSWER])).toEqual([ANSWER]);
  expect(answersAlone([ANSWER, ANSWER])).toEqual([ANSWER, ANSWER]);
});

test('a task that brings no query keeps its commands', () => {
  expect(answersAlone([ACCEPTED, ACTIVITY])).toEqual([ACCEPTED, ACTIVITY]);
  expect(answersAlone([])).toEqual([]);
});

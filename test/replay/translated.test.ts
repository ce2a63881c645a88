import { ActivityFailure, ApplicationFailure, DefaultFailureConverter, TimeoutFailure } from '@temporalio/common';
import { toApplicationFailure } from '../../activities/temporal-call';
import { ThermidorFailure } from '../../plan/run/failure';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { translated } from '../../workflows/temporal/activity-calls';
import { payloadConverter } from '../../workflows/temporal/payload-converter';

/** Tests how failures of activities arrive in a run: those of local activities are not wrapped in an activity failure. */

/** The failure after its way through a history. */
function arrived(failure: Error): Error {
  const failures = new DefaultFailureConverter();
  return failures.failureToError(failures.errorToFailure(failure, payloadConverter), payloadConverter);
}

const around = (cause: Error): Error => new ActivityFailure('it failed', 'applyRule', 'a#1~1', 'NON_RETRYABLE_FAILURE', undefined, cause);
const WAYS: [string, (failure: Error) => Error][] = [
  ['an activity', around],
  ['a local activity', (failure) => failure],
];
const DETAILS = '{"v":1.10,"text":"1.10","id":1234567890123456789,"of":["1234567890123456789",1e3]}';

describe.each(WAYS)('what %s fails with', (_, wrapped) => {
  test('is a failure with its code, its message and its details, numbers as they are written', () => {
    const thrown = new ThermidorFailure('consensus.proposal', 'no word', parseJson(DETAILS));
    const failure = translated(arrived(wrapped(toApplicationFailure(thrown, () => undefined, true))));
    expect(failure).toBeInstanceOf(ThermidorFailure);
    expect(failure).toMatchObject({ code: 'consensus.proposal', message: 'no word' });
    expect(jsonText((failure as ThermidorFailure).details ?? null)).toBe(DETAILS);
  });

  test('is a bug if it has no code of ours', () => {
    expect(translated(arrived(wrapped(ApplicationFailure.nonRetryable('odd', 'TypeError'))))).toMatchObject({ code: 'internal' });
  });

  test('is a lost worker if its time was up, or what it failed with last', () => {
    expect(translated(wrapped(new TimeoutFailure('late', undefined, 'START_TO_CLOSE')))).toMatchObject({ code: 'worker.lost' });
    const last = toApplicationFailure(new ThermidorFailure('store.unavailable', 'full'), () => undefined);
    const late = new TimeoutFailure('late', undefined, 'SCHEDULE_TO_CLOSE');
    Object.assign(late, { cause: last });
    expect(translated(wrapped(late))).toMatchObject({ code: 'store.unavailable', message: 'full' });
  });
});

test('anything else stays as it is', () => {
  const bug = new TypeError('odd');
  expect(translated(bug)).toBe(bug);
});

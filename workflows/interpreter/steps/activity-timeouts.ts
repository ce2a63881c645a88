import type { ActivityOptions } from '../../run-context';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/**
 * Timeouts of activities. A step's own timeout is kept by its activity, which alone can distinguish an agent that took too long
 * from a host that died; the timeouts here only free the run from a worker that is gone for good.
 */
const NO_LIMIT_MS = 365 * DAY;
const GRACE_MS = 5 * MINUTE;
export const HEARTBEAT_MS = 30 * SECOND;

export function workPolicy(timeoutMs: number | undefined): Pick<ActivityOptions, 'startToCloseMs' | 'heartbeatMs'> {
  return { startToCloseMs: timeoutMs === undefined ? NO_LIMIT_MS : timeoutMs + GRACE_MS, heartbeatMs: HEARTBEAT_MS };
}

/** For activities that only read the store and return quickly. */
export const QUICK_ACTIVITY_MS = MINUTE;
/** For one small request to a store or a service: another worker soon takes over from one that died. */
export const SHORT_ACTIVITY_MS = 30 * SECOND;
/** How long a message to a channel that is down is tried again. */
export const NOTIFY_RETRY_MS = 10 * MINUTE;
/** How long the message about a failed run is tried again: the run's end waits for it. */
export const FINAL_NOTICE_RETRY_MS = 20 * SECOND;

/** How often a parent without news asks whether its child is still there. */
export const CHILD_CHECK_MS = 60 * MINUTE;

/** How long the end of a run waits for cancelled work to stop. */
export const CANCEL_WAIT_MS = 10 * SECOND;
/** How long the ledger is asked which of that is done, all tries together. */
export const LOOK_UP_MS = 20 * SECOND;

/** The wait before the one automatic retry of a model API error. */
export const AUTOMATIC_RETRY_DELAY_MS = SECOND;

/**
 * How long an agent of a chain of escalation is tried, all attempts together: a service that stays overloaded keeps a person from being
 * asked no longer than this.
 */
export const AGENT_IN_CHAIN_MS = 60 * MINUTE;
/** How long a person in a chain of escalation is waited for before the next is asked; the last is waited for without end. */
export const PERSON_IN_CHAIN_MS = DAY;

export { APPROVALS_CHANNEL } from '../../../plan/plan';
/** Where failures are reported. */
export const ERRORS_CHANNEL = '#errors';

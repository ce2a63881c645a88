import { asyncLocalStorage } from '@temporalio/activity';
import type { Log } from '../activities/log';
import { defined } from '../plan/defined';
import { parseAddress, shortAddress } from '../plan/steps/address';

/**
 * A log whose lines name the run, and if they belong to an activity also step and try, and the server's attempt at that try.
 *
 * Invariants: 1. a line of the SDK says itself whose it is, because it comes late, while anything may be at work; 2. a line with `call`,
 * the
 * id of a call, belongs to that call: an activity may do several steps; 3. any other line belongs to the activity in which it is written.
 */
export function withStep(log: Log): Log {
  return (level, message, fields) => log(level, message, { ...fields, ...stepOf(fields) });
}

function stepOf(fields: Parameters<Log>[2] = {}): Record<string, unknown> {
  const { sdkComponent, workflowId, activityId, attempt, call } = fields;
  const here = sdkComponent === undefined ? asyncLocalStorage.getStore()?.info : undefined;
  const run = here?.workflowExecution?.workflowId ?? workflowId;
  if (typeof run !== 'string') return {};
  return named(run, call ?? activityId ?? here?.activityId, attempt ?? here?.attempt);
}

function named(run: string, activity: unknown, attempt: unknown): Record<string, unknown> {
  if (typeof activity !== 'string') return { run };
  // Parts of a step have a suffix: `bull#1~1/gate`.
  const address = parseAddress(/^[^#~]+#\d+~\d+/.exec(activity)?.[0] ?? '');
  if (address === undefined) return { run, activity, ...defined({ attempt }) };
  return { run, step: shortAddress({ ...address, try: 1 }), try: address.try, ...defined({ attempt }) };
}

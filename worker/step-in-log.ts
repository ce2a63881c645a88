import { asyncLocalStorage } from '@temporalio/activity';
import type { Log } from '../activities/log';
import { parseAddress, shortAddress } from '../plan/steps/address';

/** A log whose lines name run, step and try, and the server's attempt at that try, if they are written while an activity works. */
export function withStep(log: Log): Log {
  return (level, message, fields) => log(level, message, { ...stepNow(), ...fields });
}

function stepNow(): Record<string, unknown> {
  const { activityId, attempt, workflowExecution } = asyncLocalStorage.getStore()?.info ?? {};
  if (activityId === undefined || workflowExecution === undefined) return {};
  // Parts of a step have a suffix: `bull#1~1/gate`.
  const address = parseAddress(/^[^#~]+#\d+~\d+/.exec(activityId)?.[0] ?? '');
  if (address === undefined) return { run: workflowExecution.workflowId, activity: activityId, attempt };
  return { run: workflowExecution.workflowId, step: shortAddress({ ...address, try: 1 }), try: address.try, attempt };
}

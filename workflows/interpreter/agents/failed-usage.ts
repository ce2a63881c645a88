import { UNREPORTED_USAGE, type Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import { type FailedWork, ThermidorFailure } from '../../../plan/run/failure';
import type { AgentCallState } from '../context/attempt-log';

/** What a call of an agent that failed has used. */

export function workOf(error: unknown): FailedWork {
  return (error instanceof ThermidorFailure ? error.work : undefined) ?? {};
}

/** A try whose worker was lost counts as having spent all that it was given. */
export function lostUsage({ hold }: AgentCallState, error: unknown): Usage | undefined {
  const { costMicroUsd: atMostMicroUsd, tokens: atMostTokens } = hold?.granted ?? {};
  if (atMostMicroUsd === undefined && atMostTokens === undefined) return undefined;
  if (!(error instanceof ThermidorFailure) || error.code !== 'worker.lost') return undefined;
  return { ...UNREPORTED_USAGE, ...defined({ atMostMicroUsd, atMostTokens }) };
}

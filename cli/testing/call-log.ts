import type { Address } from '../../plan/steps/address';
import { formatPath } from '../../plan/steps/address';

/** A request to an agent, a command that ran, or a request of a pipe's stage: what would cost something outside a test. */
export interface LoggedCall {
  kind: 'agent' | 'command' | 'http';
  /** The run: the test's own, or a child's. */
  workflowId: string;
  /** The address without round and try: `loop[2]/ask`; for an agent other than the step's own, with its name: `ask@boss`. */
  path: string;
  round: number;
  try: number;
  /** The prompt, or the command as it was to run. */
  text: string;
}

export type CallLog = LoggedCall[];

export function loggedCallAt(address: Address, kind: LoggedCall['kind'], workflowId: string, text: string): LoggedCall {
  return { kind, workflowId, path: formatPath(address.path), round: address.round, try: address.try, text };
}

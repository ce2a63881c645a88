import { formatPath, parseAddress } from '../../plan/steps/address';
import { childrenOf, type RunRecords } from '../runs/list-runs';

/** The run whose logs an address means, and which of its steps. Absent: all of them. */
export interface LoggedStep {
  run: string;
  step?: string;
}

/**
 * `deploy/build` is the step `build` of the child that the step `deploy` has started, the newest if there are several; any number of levels
 * deep.
 */
export async function loggedStep(records: RunRecords, run: string, step: string | undefined): Promise<LoggedStep> {
  if (step === undefined) return { run };
  const children = await childrenOf(records, run);
  const fitting = children.flatMap(({ workflowId, record }) => {
    const { parent, startedAt } = record;
    if (workflowId === undefined || parent?.workflowId !== run) return [];
    const rest = restAfter(parent.step, step);
    return rest === undefined ? [] : [{ workflowId, rest, startedAt }];
  });
  const [newest] = fitting.sort((a, b) => b.rest.depth - a.rest.depth || b.startedAt.localeCompare(a.startedAt));
  if (newest === undefined) return { run, step };
  return loggedStep(records, newest.workflowId, newest.rest.step);
}

/** The rest of an address within a child whose parent's step has this address; undefined if it leads elsewhere. */
function restAfter(of: string, step: string): { depth: number; step?: string } | undefined {
  const started = parseAddress(of);
  if (started === undefined) return undefined;
  const depth = started.path.length;
  const segments = step.split('/');
  const head = parseAddress(segments.slice(0, depth).join('/'));
  if (head === undefined || formatPath(head.path) !== formatPath(started.path)) return undefined;
  const named = segments[depth - 1] ?? '';
  if ((named.includes('#') && head.round !== started.round) || (named.includes('~') && head.try !== started.try)) return undefined;
  const rest = segments.slice(depth).join('/');
  return rest === '' ? { depth } : { depth, step: rest };
}

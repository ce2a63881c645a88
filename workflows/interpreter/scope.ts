import { pathKey, STDOUT_KEY } from '../../plan/contract';
import { evaluate, type Scope, truthy } from '../../plan/evaluate';
import { type Expr, type RecordField, subexpressions } from '../../plan/expression';
import { isStateFunction } from '../../plan/functions';
import type { Json } from '../../plan/json';
import type { Run } from './run';
import type { StepRecord } from './state';

/** What control expressions read: the values that the plan's `reads` brought into state, and nothing else of any output. */
export function controlScope(run: Run): Scope {
  return {
    output: (step, path) => run.state.records[step]?.values?.[pathKey(path)],
    record: (step, field) => recordField(run.state.records[step], field),
    arg: (name) => run.opened.args[name],
    run: (field) => (field === 'id' ? run.ctx.info.workflowId : new Date(run.ctx.info.startedAtMs).toISOString()),
    variable: () => undefined,
    state: (step) => stateOf(run.state.records[step]),
  };
}

export function recordField(record: StepRecord | undefined, field: RecordField): Json {
  switch (field) {
    case 'stdout':
      return record?.values?.[STDOUT_KEY] ?? null;
    case 'approved':
      return record?.decision ? record.decision.choice === 'approve' : null;
    case 'approvedBy':
      return record?.decision?.choice === 'approve' ? (record.decision.by ?? null) : null;
    case 'response':
      return record?.decision?.value ?? null;
    case 'subject':
      return null;
    case 'skipped':
      return record?.state === 'skipped';
    case 'error':
      return record?.error !== undefined;
    case 'errorMessage':
      return record?.error?.message ?? null;
  }
}

function stateOf(record: StepRecord | undefined): 'done' | 'skipped' | 'failed' | 'unsettled' {
  const state = record?.state;
  return state === 'done' || state === 'skipped' || state === 'failed' ? state : 'unsettled';
}

export function holds(run: Run, condition: Expr): boolean {
  return truthy(evaluate(condition, controlScope(run)));
}

/** Whether a condition looks at how steps ended, and so decides itself what a failed dependency means. */
export function looksAtStates(condition: Expr): boolean {
  for (const part of subexpressions(condition)) if (part.kind === 'call' && isStateFunction(part.function)) return true;
  return false;
}

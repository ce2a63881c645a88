import { field, type Json } from '../../plan/json';
import type { RunContext } from '../run-context';
import { gateView, openGates } from './gates';
import type { Interpreter } from './interpreter';
import { runGraph, runView } from './views';

export const QUERIES = ['status', 'gates', 'journal', 'plan', 'graph'] as const;

/** Answers a query. Before the plan is there, `status` says so and the others are refused; an unknown name lists the known. */
export function answerQuery(it: Interpreter | undefined, ctx: RunContext, name: string, argument: unknown): unknown {
  if (!it) {
    if (name !== 'status') throw new TypeError('the run is opening; ask again');
    return {
      run: ctx.info.workflowId,
      runId: ctx.info.runId,
      firstRunId: ctx.info.firstRunId,
      pipeline: ctx.info.workflowType,
      state: 'running',
      steps: [],
      gates: [],
    };
  }
  const { run } = it;
  switch (name) {
    case 'status':
      return runView(run, { ...whole('offset', argument), ...whole('limit', argument) });
    case 'gates':
      return openGates(run).map(({ step, gate }) => gateView(run, step, gate));
    case 'journal':
      return run.journal.view(whole('after', argument).after ?? 0);
    case 'plan':
      return run.plan;
    case 'graph':
      return runGraph(run, run.plan);
    default:
      throw new TypeError(`there is no query "${name}"; queries: ${QUERIES.join(', ')}`);
  }
}

function whole<K extends string>(key: K, argument: unknown): Partial<Record<K, number>> {
  const value = field(argument as Json | undefined, key);
  const out: Partial<Record<K, number>> = {};
  if (typeof value === 'number' && Number.isSafeInteger(value)) out[key] = value;
  return out;
}

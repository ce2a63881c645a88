import { goesInRounds, goesOverItems } from '../../../kinds/questions';
import { type ExpressionScope, evaluate, truthy } from '../../../plan/expressions/evaluate';
import { explainFalse } from '../../../plan/expressions/explain-condition';
import { type Expr, type Path, type RecordField, subexpressions } from '../../../plan/expressions/expression';
import { isStateFunction } from '../../../plan/expressions/functions';
import { type RunFacts, runValue } from '../../../plan/run/run-end';
import { isSettled } from '../../../plan/run/step-state';
import { INDEX_VAR, ITEM_VAR } from '../../../plan/steps/item-names';
import { pathKey, STDOUT_KEY } from '../../../plan/steps/step-activity';
import type { Json } from '../../../plan/text/json';
import { numberAt, type Spelled, spelledObject } from '../../../plan/text/spelled-json';
import { unreachable } from '../../../plan/unreachable';
import type { RoundsRecord } from '../containers/container-record';
import type { Run } from '../run';
import { runEnd } from '../run-end';
import { type Frame, pathOf } from '../scheduling/place';
import { loopStateOf, missingIn, roundsOf } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import { valuesRead } from '../state/values-read';

/**
 * What control expressions read, from within a frame: the values that the plan's `reads` brought into state, and nothing else of any
 * output. For a loop's item, the values of its `itemReads`.
 */
export function controlScope(run: Run, frame?: Frame): ExpressionScope {
  const recordOf = (step: string): StepRecord | undefined => recordById(run, frame, step);
  return {
    output: (step, path) => keptValue(valuesRead(recordOf(step)), path),
    record: (step, field) => recordField(recordOf(step), field, step),
    arg: (name) => numberAt(run.opened.args, name) ?? run.opened.args[name],
    run: (field) => runValue(field, runFacts(run)),
    variable: (name, path) => loopVariable(run, frame, name, path),
    state: (step) => stateOf(recordOf(step)),
  };
}

/** The value that came into state at a path; a number remembers how it was written. */
function keptValue(values: Readonly<Record<string, Json>> | undefined, path: Path): Spelled | undefined {
  return values && (numberAt(values, pathKey(path)) ?? values[pathKey(path)]);
}

function runFacts({ ctx, state, opened, startedAtMs }: Run): RunFacts {
  const { scheduled } = opened;
  return { id: ctx.info.workflowId, startedAt: new Date(startedAtMs).toISOString(), scheduled, end: runEnd(state.closing) };
}

/** The path of a step by its id, seen from within a frame. */
export function pathById(run: Run, frame: Frame | undefined, id: string): string | undefined {
  const standing = run.steps.get(id);
  return standing && pathOf(standing, frame);
}

/** The record of a step by its id. A step that was left out with its container, and so has none, is as skipped as the container. */
export function recordById(run: Run, frame: Frame | undefined, id: string): StepRecord | undefined {
  const record = run.state.records[pathById(run, frame, id) ?? ''];
  if (record && isSettled(record.state)) return record;
  for (let around = run.steps.get(id)?.container; around; around = around.container) {
    const container = run.state.records[pathOf(around, frame) ?? ''];
    if (container?.state !== 'skipped') continue;
    return { ...(record ?? { round: 1, try: 1 }), state: 'skipped' };
  }
  return record;
}

function loopVariable(run: Run, from: Frame | undefined, name: string, path: Path): Spelled | undefined {
  for (let frame = from; frame; frame = frame.container?.frame) {
    const loop = frame.container;
    if (!loop || frame.iteration === undefined) continue;
    const record = run.state.records[loop.path];
    if (goesInRounds(loop.step)) {
      if (name === loop.step.roundVar) return frame.iteration;
      if (name === loop.step.lastVar) return lastValue(roundsOf(record), path);
    } else if (goesOverItems(loop.step)) {
      if (name === (loop.step.indexVar ?? INDEX_VAR)) return frame.iteration;
      if (name === (loop.step.itemVar ?? ITEM_VAR)) return keptValue(loopStateOf(record)?.values?.[frame.iteration], path);
    }
  }
  return undefined;
}

/** The output of a step, or of all of them, in the previous round. */
function lastValue(rounds: RoundsRecord | undefined, [step, ...path]: Path): Spelled | undefined {
  if (!rounds || rounds.over === 0) return undefined;
  const recalled = (id: string, at: Path): Spelled | undefined => keptValue(rounds.values?.[id], at);
  if (step !== undefined) return recalled(String(step), path);
  return spelledObject(Object.keys(rounds.outputs).map((id) => [id, recalled(id, []) ?? null]));
}

/** Undefined if the record has no such field. */
export function recordField(record: StepRecord | undefined, field: RecordField, step: string): Spelled | undefined {
  const decision = record?.asked?.decision;
  switch (field) {
    case 'id':
      return record && step;
    case 'stdout':
      return record?.output?.values?.[STDOUT_KEY];
    case 'approved':
      return decision && decision.choice === 'approve';
    case 'initiatedBy':
      return record?.asked?.question?.initiatedBy;
    case 'approvedBy':
      return decision?.choice === 'approve' ? decision.by : undefined;
    case 'response':
      return decision && (numberAt(decision, 'value') ?? decision.value);
    case 'subject':
      return record?.asked?.subject;
    case 'skipped':
      return record?.state === 'skipped';
    case 'error':
      return record?.error !== undefined;
    case 'errorMessage':
      return record?.error?.message;
    case 'missing':
      return missingIn(record);
    default:
      return unreachable(field);
  }
}

function stateOf(record: StepRecord | undefined): 'done' | 'skipped' | 'failed' | 'unsettled' {
  const state = record?.state;
  return state === 'done' || state === 'skipped' || state === 'failed' ? state : 'unsettled';
}

export function conditionHolds(run: Run, condition: Expr, frame: Frame): boolean {
  return truthy(evaluate(condition, controlScope(run, frame)));
}

/** Undefined if the condition holds; else the compared values. */
export function whyFalse(run: Run, condition: Expr, frame: Frame): string | undefined {
  const scope = controlScope(run, frame);
  return truthy(evaluate(condition, scope)) ? undefined : explainFalse(condition, scope);
}

/** Whether a condition reads how steps ended, and so itself decides what a failed dependency means. */
export function readsStepStates(condition: Expr): boolean {
  for (const part of subexpressions(condition)) if (part.kind === 'call' && isStateFunction(part.function)) return true;
  return false;
}

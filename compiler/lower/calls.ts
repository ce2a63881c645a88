import { isCallable } from '../../kinds/questions';
import { CALLED_KINDS, traitsOf } from '../../kinds/traits';
import type { Action } from '../../plan/steps/action';
import type { Block } from '../../plan/steps/step';
import { everyStep } from '../../plan/steps/walk';
import type { Located } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { entryOf } from '../read/node';
import type { ActionSource, CallSource } from '../shape/action';
import { keyOf } from '../shape/source';
import { holdersOf, type StepPosition } from '../step-positions';
import { upstreamStep } from './context';
import type { LowerContext, StepCall } from './lower-context';

/**
 * Actions that call a step: `escalate(id)`, and for other kinds one by the name of the kind, as `swarm(id)`. Such a step runs only when
 * called.
 */

type Escalation = Extract<ActionSource, { kind: 'escalate' }>;

export function isCall(source: ActionSource): source is CallSource {
  return CALLED_KINDS.some((kind) => kind === source.kind);
}

/** The call that an action makes; undefined if it names no step that can be called. */
export function callOf({ to, at }: Escalation, from: StepPosition, context: LowerContext): Action | undefined {
  if (to.kind !== 'named') return undefined;
  const { id } = to;
  const step = context.places.byId.get(id.value);
  if (!step?.step.work || traitsOf(step.step.work.kind).callable !== 'target') return undefined;
  const { listed, inFiles } = context.agents;
  if ([...listed, ...inFiles()].includes(id.value))
    context.report('names.clash', id.at, `an agent and an escalate step are called "${id.value}"`, 'rename one of the two');
  if (to.decides) {
    const message = `"decides" is set for "${id.value}", which is a step: its levels decide`;
    context.report('escalation.not-an-agent', to.decides.at, message, 'remove it');
  }
  return call(id, step, { from, at }, context);
}

/** The call of a step by the action of its kind. A name of another step is reported. */
export function callOfKind({ kind, step: id, at }: CallSource, from: StepPosition, context: LowerContext): Action | undefined {
  const { byId } = context.places;
  const step = byId.get(id.value);
  if (step?.step.work?.kind === kind) return call(id, step, { from, at }, context);
  const callable = [...byId.values()].filter((one) => one.step.work?.kind === kind).map((one) => one.step.id);
  const message = `step "${from.step.id}" calls "${id.value}", which is no ${kind} step`;
  context.report('call.not-callable', id.at, message, () =>
    didYouMean(id.value, callable, `it takes the id of a step with \`type: ${kind}\``),
  );
  return undefined;
}

function call(id: Located<string>, step: StepPosition, { from, at }: Pick<StepCall, 'from' | 'at'>, context: LowerContext): Action {
  checkCall(id, step, from, context);
  context.calls.push({ step, from, at });
  return { kind: 'call', step: id.value };
}

function checkCall({ at, value }: Located<string>, step: StepPosition, from: StepPosition, context: LowerContext): void {
  const { report } = context;
  const { id } = from.step;
  const around = new Set([from.block, ...[...holdersOf(from)].map(({ block }) => block)]);
  if (!around.has(step.block)) {
    report(
      'call.other-block',
      at,
      `step "${id}" calls "${value}", which is in another block`,
      'put it into the same block, or one around it',
    );
    return;
  }
  checkRetries(step, from, context);
}

/** What follows a root cause runs where the step is called from, so it may send back only within that block. */
function checkRetries(step: StepPosition, from: StepPosition, context: LowerContext): void {
  const { work } = step.step;
  if (!work || !('onRootCause' in work) || from.block === step.block) return;
  for (const action of work.onRootCause ?? [])
    if (action.kind === 'retry') upstreamStep(action.step, from, 'on_root_cause', context, { sameBlock: true });
}

/** Marks the steps that are called, once all calls are known, and checks what can be checked only then. */
export function markCalled(blocks: readonly Block[], context: LowerContext): void {
  const called = new Map(context.calls.map(({ step }) => [step.step.id, step] as const));
  for (const { steps } of blocks) for (const step of everyStep(steps)) if (called.has(step.id)) step.onCall = true;
  for (const { from, at } of context.calls)
    if (called.has(from.step.id)) {
      const message = `step "${from.step.id}" is called by an action, so it cannot call another step`;
      context.report('call.nested', at, message, 'name an agent or a person');
    }
  for (const place of context.places.byId.values()) checkOne(place, called.has(place.step.id), called, context);
}

function checkOne({ step }: StepPosition, isCalled: boolean, called: ReadonlyMap<string, StepPosition>, { report }: LowerContext): void {
  for (const { value, at } of [...(step.dependsOn ?? []), ...(step.after ?? [])])
    if (called.has(value))
      report('call.waited-for', at, `step "${step.id}" waits for "${value}", which runs only if an action calls it`, 'leave it out');
  const ownOrder = keyOf(step, 'depends_on', 'needs') ?? step.after?.[0]?.at ?? step.when?.at;
  if (isCalled && ownOrder) {
    const message = `step "${step.id}" runs only when an action calls it, so it waits for nothing and has no condition`;
    report('call.own-order', ownOrder, message, 'remove `depends_on`, `after` and `when`, or call no step that has them');
  }
  const { work } = step;
  if (!work || !isCallable(work) || entryOf(work.node, 'issue') || isCalled) return;
  const { kind } = work;
  const hint = `write \`issue:\`, such as \`issue: $build.error\`, or call it: \`on_error: ${kind}(${step.id})\``;
  report(`${kind}.no-issue`, step.at, `${kind} step "${step.id}" has no "issue", and no action calls it`, hint);
}

import { SCRIPTED } from '../../activities/toolbox';
import { holdsBlock, holdsBranches, runsChild } from '../../kinds/questions';
import type { AdapterWish } from '../../plan/agents/adapter-choice';
import { defined } from '../../plan/defined';
import { CONDITION_IS_FALSE } from '../../plan/expressions/explain-condition';
import { type Expr, subexpressions } from '../../plan/expressions/expression';
import { isStateFunction } from '../../plan/expressions/functions';
import { writeExpr } from '../../plan/expressions/write-expression';
import type { Plan } from '../../plan/plan';
import { afterApprovalData } from '../../plan/steps/description-parts';
import { orderOf } from '../../plan/steps/order';
import type { Block, PipelineStep, Step } from '../../plan/steps/step';
import type { EmitSpec } from '../../plan/steps/stream';
import { everyStep, hasParts, stepsOfPlan } from '../../plan/steps/walk';
import type { Json } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import { planFromText } from '../pipelines/child-plans';
import { chooseAdapterHere } from '../pipelines/run-by';
import { policiesOf } from '../rendering/policy';
import type { DryRun, DryRunBy, DryRunRequest, DryStep } from './dry-run-model';
import { isKnownTemplate, type KnownValues, knownValue, renderKnown, renderValue } from './known-values';
import { templatesOf } from './prompt';
import { type PreviewContext, previewStep, previewWords } from './step-preview';

/** The steps of a plan, and those that run whatever happened. */
export function planSteps(plan: Plan, world: KnownValues, request: DryRunRequest): Pick<DryRun, 'steps' | 'finally'> {
  const steps = new Map(stepsOfPlan(plan).map((step) => [step.id, step]));
  const blob = (digest: string): Json | undefined => {
    const content = request.blobs.get(digest)?.content;
    return content === undefined ? undefined : parseJson(content);
  };
  const runByOf = (agent: AdapterWish): DryRunBy => {
    if (request.script !== undefined) return { adapter: SCRIPTED };
    const { adapterFrom: _from, ...by } = chooseAdapterHere(agent, request.settings);
    return by;
  };
  const reading: Planning = { plan, blob, steps, world, runByOf, request, skipped: new Set(world.skipped) };
  const main = blockSteps(plan.block, reading);
  return plan.finally === undefined ? { steps: main } : { steps: main, finally: blockSteps(plan.finally, reading) };
}

interface Planning extends PreviewContext {
  request: DryRunRequest;
  /** Grows as steps are gone through in order; `world` sees it. */
  skipped: Set<string>;
}

/** The steps of a block in the order of their turns. */
function blockSteps(block: Block, planning: Planning): DryStep[] {
  const turns = turnsOf(block);
  const inOrder = block.steps.map((step, i) => ({ step, turn: turns.get(step.id) ?? i + 1 })).sort((a, b) => a.turn - b.turn);
  return inOrder.map(({ step, turn }) => dryStep(step, turn, planning, block.order === 'graph'));
}

function turnsOf(block: Block): Map<string, number> {
  const { needs, ranked } = orderOf(block);
  const turns = new Map<string, number>();
  for (const id of ranked) {
    let last = 0;
    for (const before of needs.get(id) ?? []) last = Math.max(last, turns.get(before) ?? 0);
    turns.set(id, last + 1);
  }
  return turns;
}

function dryStep(step: Step, turn: number, planning: Planning, graph: boolean): DryStep {
  const reading = { ...planning, world: { ...planning.world, skipped: planning.skipped } };
  const condition = step.when && knownValue(step.when, reading.world);
  const skipped = whySkipped(step, condition, planning.skipped, graph);
  if (skipped !== undefined) for (const inner of everyStep<Step>([step])) planning.skipped.add(inner.id);
  return {
    id: step.id,
    kind: step.kind,
    turn,
    ...defined({
      after: graph && step.after !== undefined && step.after.length > 0 ? step.after : undefined,
      emits: step.emits && emitsOf(step.emits),
      awaits: step.awaits,
      description: step.description,
      when: step.when && { text: writeExpr(step.when), ...defined({ value: condition && Boolean(condition.value) }) },
      skipped,
    }),
    does: previewStep(step, reading),
    ...defined({ approval: step.approval && afterApprovalData(step.approval, previewWords(reading)) }),
    ...policiesOf(step),
    ...defined({ summary: step.summary && renderKnown(step.summary, reading.world) }),
    ...(skipped === undefined ? within(step, reading) : {}),
  };
}

function emitsOf({ name, maxItems, maxWaiting }: EmitSpec): NonNullable<DryStep['emits']> {
  return { name, maxItems, maxWaiting };
}

/** A step is skipped together with a step that it waits for by name, unless its condition is about just that. */
function whySkipped(step: Step, condition: { value: Json } | undefined, skipped: ReadonlySet<string>, graph: boolean): string | undefined {
  const before = [...(graph ? (step.after ?? []) : []), ...(step.awaits ?? [])].find((id) => skipped.has(id));
  if (before !== undefined && !(step.when && usesStateFunction(step.when))) return `${before} is skipped`;
  return condition !== undefined && !condition.value ? CONDITION_IS_FALSE : undefined;
}

function within(step: Step, planning: Planning): Pick<DryStep, 'steps' | 'finally'> {
  if (holdsBranches(step)) return { steps: step.branches.map((branch) => dryStep(branch, 1, planning, false)) };
  if (holdsBlock(step)) return { steps: blockSteps(step.block, planning) };
  if (hasParts<Step>(step)) return { steps: step.parts.map((part) => dryStep(part, 1, planning, false)) };
  return runsChild(step) ? childSteps(step, planning) : {};
}

/** The steps of a child. It gets the known values of its parent; for others the parent's own words stand in. */
function childSteps(step: PipelineStep, { request, world, blob }: Planning): Pick<DryStep, 'steps' | 'finally'> {
  const child = planFromText(request.blobs.get(step.plan)?.content);
  if (child === undefined) return {};
  const args: Record<string, Json> = {};
  const standIns = new Map<string, string>();
  for (const [name, { default: value }] of Object.entries(child.args ?? {})) if (value !== undefined) args[name] = value;
  for (const [name, template] of Object.entries(step.with === undefined ? {} : templatesOf(blob(step.with)))) {
    if (isKnownTemplate(template, world)) args[name] = renderValue(template, world);
    else standIns.set(name, renderKnown(template, world));
  }
  return planSteps(child, { args, standIns, skipped: new Set() }, request);
}

/** Whether a condition is about how other steps ended: `failed(x)`, `skipped(x)`, `always()`. */
function usesStateFunction(when: Expr): boolean {
  return [...subexpressions(when)].some((part) => part.kind === 'call' && isStateFunction(part.function));
}

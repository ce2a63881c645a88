import { asksAgent } from '../../../kinds/questions';
import type { ControlStep } from '../../../plan/steps/control';
import { everyStep, stepsWithin } from '../../../plan/steps/walk';
import type { Run } from '../run';

/** The values of other steps that a step reads, by the steps' ids; inner steps are listed separately. */
export interface StepReads {
  /** Steps of which it reads anything. */
  steps: ReadonlySet<string>;
  /** Steps whose decision it reads (`$ask.approvedBy`), and not only their output. */
  decisions: ReadonlySet<string>;
}

/** Looks up what a step reads; each step is examined once. */
export function readsOfSteps({ plan }: Pick<Run, 'plan'>): (step: ControlStep) => StepReads {
  const known = new Map<string, StepReads>();
  const ownContext = [...everyStep<ControlStep>(plan.block.steps)].filter(isOwn).map(({ id }) => id);
  return (step) => {
    const before = known.get(step.id);
    if (before) return before;
    const found = readsOf(step);
    // The owner's one context includes its conversation in earlier steps.
    if (isOwn(step)) for (const id of ownContext.slice(0, ownContext.indexOf(step.id))) found.steps.add(id);
    known.set(step.id, found);
    return found;
  };
}

function isOwn(step: ControlStep): boolean {
  return asksAgent(step) && step.action === 'self';
}

function readsOf(step: ControlStep): { steps: Set<string>; decisions: Set<string> } {
  const { inputs = [], records = [], worktree } = step;
  const steps = new Set([...inputs, ...records.map((record) => record.step)]);
  const decisions = new Set(records.flatMap((record) => (DECISION_FIELDS.includes(record.field) ? [record.step] : [])));
  if (worktree && 'of' in worktree) steps.add(worktree.of);
  if ('of' in step) steps.add(step.of);
  if ('report' in step && step.report !== undefined) steps.add(step.report);
  if ('show' in step) for (const id of step.show ?? []) steps.add(id);
  for (const { kind, step: id, field } of references(ownPart(step))) {
    steps.add(id);
    if (kind === 'record' && DECISION_FIELDS.includes(field)) decisions.add(id);
  }
  return { steps, decisions };
}
const DECISION_FIELDS: readonly unknown[] = ['approved', 'approvedBy', 'response'];

interface Reference {
  kind: 'output' | 'record';
  step: string;
  field?: unknown;
}

/** References to steps in conditions and templates, wherever they are in the plain data of a plan. */
function* references(value: unknown): Generator<Reference> {
  if (typeof value !== 'object' || value === null) return;
  if (isReference(value)) yield value;
  for (const part of Object.values(value)) yield* references(part);
}

function isReference(value: object): value is Reference {
  const { kind, step }: { kind?: unknown; step?: unknown } = value;
  return (kind === 'output' || kind === 'record') && typeof step === 'string';
}

function ownPart(step: ControlStep): unknown {
  if (stepsWithin<ControlStep>(step).length === 0) return step;
  const { branches: _branches, block: _block, ...own }: Record<string, unknown> = { ...step };
  return own;
}

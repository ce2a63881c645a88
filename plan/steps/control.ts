import { holdsBlock, holdsBranches } from '../../kinds/questions';
import { defined } from '../defined';
import type { Plan } from '../plan';
import type { Block, Step, StepKind, WorktreeSpec } from './step';
import { hasParts } from './walk';

/**
 * The part of a plan that controls a run. It enters workflow history, so it leaves out what only activities read: they find commands,
 * prompts and messages, however long, in the frozen plan.
 */
const ACTIVITY_KEYS = [
  'command',
  'stages',
  'cwd',
  'env',
  'stdin',
  'tests',
  'prompt',
  'preview',
  'input',
  'message',
  'items',
  'with',
  'subject',
  'defaults',
  'merge',
  'matter',
  'label',
  'tasks',
  'task',
] as const;
export type ActivityKey = (typeof ACTIVITY_KEYS)[number];

type WithoutWork<S> = S extends { branches: Step[] }
  ? Omit<S, ActivityKey | 'branches'> & { branches: ControlStep[] }
  : S extends { block: Block }
    ? Omit<S, ActivityKey | 'block'> & { block: ControlBlock }
    : S extends { parts: Step[] }
      ? Omit<S, ActivityKey | 'parts'> & { parts: ControlStep[] }
      : Omit<S, ActivityKey>;

/** A `Step` with only the controlling part; the same for the steps within a container. */
export type ControlStep = WithoutWork<Step>;
export type ControlOf<K extends StepKind> = Extract<ControlStep, { kind: K }>;

export type ControlBlock = Omit<Block, 'steps'> & { steps: ControlStep[] };
/** Keys of its plan that a run never reads: its source, its triggers, and its agents' memory. */
type Unasked = 'source' | 'trigger' | 'moreTriggers' | 'memory';
export type ControlPlan = Omit<Plan, 'block' | 'finally' | Unasked> & { block: ControlBlock; finally?: ControlBlock };

export function controlPlan(plan: Plan): ControlPlan {
  const { block, finally: last, source: _source, trigger: _trigger, moreTriggers: _more, memory: _memory, ...rest } = plan;
  return { ...rest, block: controlBlock(block), ...defined({ finally: last && controlBlock(last) }) };
}

function controlBlock(block: Block): ControlBlock {
  return { ...block, steps: block.steps.map(controlStep) };
}

function controlStep(step: Step): ControlStep {
  if (holdsBranches(step)) {
    const { branches, ...rest } = step;
    const control: WithoutWork<typeof rest> & WorkKeys = rest;
    return { ...withoutWork(control), branches: branches.map(controlStep) };
  }
  if (holdsBlock(step)) {
    const { block, ...rest } = step;
    const control: WithoutWork<typeof rest> & WorkKeys = rest;
    return { ...withoutWork(control), block: controlBlock(block) };
  }
  const control: WithoutWork<typeof step> & WorkKeys = { ...step };
  if (!hasParts<Step>(step)) return withoutWork(control);
  const parts = { parts: step.parts.map(controlStep) };
  return { ...withoutWork(control), ...parts };
}

type WorkKeys = Partial<Record<ActivityKey, unknown>> & { worktree?: WorktreeSpec };

/** The same object, without the keys of work. */
function withoutWork<S extends WorkKeys>(control: S): S {
  for (const key of ACTIVITY_KEYS) delete control[key];
  // How it is made is the activity's business.
  if (control.worktree && !('of' in control.worktree)) control.worktree = control.worktree.shared ? { shared: true } : {};
  return control;
}

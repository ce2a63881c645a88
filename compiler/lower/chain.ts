import { chains } from '../../kinds/questions';
import { isLateStage, type StageName } from '../../plan/stages/stage';
import type { Step } from '../../plan/steps/step';

type Linked = Extract<Step, { kind: 'command' | 'notify' | 'stages' }>;

/**
 * Marks the steps of a sequence that may run in one activity with the step before them: nothing is decided between the two, no budget
 * passes from one to the other, and any worker that may do one of them may do the other. Later steps of the chain can read what a step
 * printed and output; its other fields are set by the run, so a step that reads them begins a new chain. So does a step after one that
 * another branch waits for: the run knows only what a chain reports.
 */
export function markChained(steps: readonly Step[], isAwaited: (id: string) => boolean = () => false): void {
  let before: Linked | undefined;
  let members = new Set<string>();
  for (const step of steps) {
    if (!isLink(step)) {
      before = undefined;
      continue;
    }
    const goesAlong =
      before && !step.when && !step.awaits && !isAwaited(before.id) && sameWorkers(step, before) && !readsFieldsOf(step, members);
    if (goesAlong) step.chained = true;
    else members = new Set();
    members.add(step.id);
    before = step;
  }
}

/** Whether a step may be part of a chain: people, budgets, worktrees and time-outs of the whole delivery need the run. */
function isLink(step: Step): step is Linked {
  if (!chains(step) || step.approval || step.category || step.budget || step.worktree) return false;
  if ('command' in step) return step.tests === undefined && step.emits === undefined;
  if ('message' in step) return step.timeoutMs === undefined;
  if ('stages' in step) return !step.asksModel && step.stages.every((stage) => !isLateStage(stage) && !ASKS.has(stage.name));
  return true;
}

/** Stages at which a pipe halts. */
const ASKS: ReadonlySet<StageName> = new Set(['approve', 'ask']);

function sameWorkers(step: Step, before: Step): boolean {
  return step.queue === before.queue && step.priority === before.priority;
}

function readsFieldsOf({ records }: Step, members: ReadonlySet<string>): boolean {
  return records?.some(({ step, field }) => field !== 'stdout' && members.has(step)) === true;
}

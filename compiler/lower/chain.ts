import { chains } from '../../kinds/questions';
import { isLateStage, type StageName } from '../../plan/stages/stage';
import type { Step } from '../../plan/steps/step';

type Linked = Extract<Step, { kind: 'command' | 'notify' | 'stages' }>;

/**
 * Marks the steps of a sequence that may run in one activity with the step before them: nothing is decided between the two, no budget of
 * one is left to the other, and no worker that could do one of them may be kept from the other. What a step in the same chain printed and
 * put out is there for those behind it; its other fields are the run's to say, so a step that reads them begins a new chain. So does one behind a step
 * that another branch waits for: of a chain the run knows what it reports.
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

/** Whether a step may be one of a chain: people, budgets, worktrees and time-outs of the whole delivery are the run's to see to. */
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

import { chains } from '../../kinds/questions';
import { isLateStage, type StageName } from '../../plan/stages/stage';
import type { Step } from '../../plan/steps/step';

type Linked = Extract<Step, { kind: 'command' | 'notify' | 'stages' }>;

/**
 * Marks the steps of a sequence that may run in one activity with the step before them: nothing is decided between the two, no budget of
 * one is left to the other, and no worker that could do one of them may be kept from the other. What a step in the same chain printed and
 * put out is there for those behind it; its other fields are the run's to say, so a step that reads them begins a new chain.
 */
export function markChained(steps: readonly Step[]): void {
  let before: Linked | undefined;
  let members = new Set<string>();
  let tree: Tree;
  for (const step of steps) {
    if (!isLink(step)) {
      before = undefined;
      continue;
    }
    const goesAlong = before && !step.when && sameWorkers(step, before) && sameTree(step, tree) && !readsFieldsOf(step, members);
    if (goesAlong) step.chained = true;
    else {
      members = new Set();
      tree = undefined;
    }
    members.add(step.id);
    if (worksInTree(step)) tree = { of: step.worktree };
    before = step;
  }
}

/** Whether a step may be one of a chain: people, budgets and time-outs of the whole delivery are the run's to see to. */
function isLink(step: Step): step is Linked {
  if (!chains(step) || step.approval || step.category || step.budget) return false;
  if ('message' in step) return step.timeoutMs === undefined;
  if ('stages' in step) return !step.asksModel && step.stages.every((stage) => !isLateStage(stage) && !ASKS.has(stage.name));
  return true;
}

/** Stages at which a pipe halts. */
const ASKS: ReadonlySet<StageName> = new Set(['approve', 'ask']);

function sameWorkers(step: Step, before: Step): boolean {
  return step.queue === before.queue && step.priority === before.priority;
}

/** The tree of the chain so far; undefined where none of its steps works in one or in none. */
type Tree = { of: Step['worktree'] } | undefined;

function worksInTree(step: Linked): boolean {
  return !('message' in step);
}

/** Two steps share a tree where both have none, or both work on in another's. */
function sameTree(step: Linked, tree: Tree): boolean {
  if (!tree || !worksInTree(step)) return true;
  const [one, other] = [step.worktree, tree.of];
  if (!one || !other) return one === other;
  return 'of' in one && 'of' in other && one.of === other.of;
}

function readsFieldsOf({ records }: Step, members: ReadonlySet<string>): boolean {
  return records?.some(({ step, field }) => field !== 'stdout' && members.has(step)) === true;
}

import type { StepContext } from '../../compiler/lower/step-context';
import { lowerWorktree } from '../../compiler/lower/worktree';
import { entryOf } from '../../compiler/read/node';
import { WORKTREE_LABEL } from '../../plan/board/task';
import { defined } from '../../plan/defined';
import type { BoardStep } from '../../plan/steps/step';
import type { WorktreeSpec } from '../../plan/steps/step-base';
import type { BoardSource, TaskSource } from './source';

type Isolation = Pick<BoardStep, 'worktree' | 'worktrees' | 'lands'>;

/** How worktrees of tasks are made, which tasks have one, and where their work lands. */
export function isolationOf({ tasks = [], merge, node }: BoardSource, here: StepContext): Isolation {
  const { place, base, context } = here;
  const { worktree: written, id } = place.step;
  const listed = Array.isArray(tasks) ? tasks : [];
  checkLabels(listed, here);
  if (written?.kind === 'of') {
    const message = `each task of "${id}" has a worktree of its own, and cannot work in that of "${written.step.value}"`;
    context.report('board.bad-worktree', written.step.at, message, 'write `worktree: true`, or `worktree: {base: …}`');
    return {};
  }
  const mergeAt = entryOf(node, 'merge')?.keyAt;
  const isAsked = listed.some(({ worktree }) => worktree !== undefined && worktree !== false);
  // Items of a list that an expression names may ask for one, too.
  const isIsolated = written !== undefined || isAsked || (mergeAt !== undefined && !Array.isArray(tasks));
  if (!isIsolated) {
    if (mergeAt) {
      const message = `no task of "${id}" has a worktree, so nothing can land`;
      context.report('board.no-worktree', mergeAt, message, 'add `worktree: true` to the step or to a task');
    }
    return {};
  }
  const spec = base.worktree ?? lowerWorktree({ kind: 'own', at: place.step.at }, here) ?? {};
  const into = merge?.into?.value;
  return {
    worktree: onTopOf(spec, into),
    ...defined({
      worktrees: written && (true as const),
      lands: into === undefined ? undefined : { into, ...defined({ test: merge?.test?.value, strategy: merge?.strategy }) },
    }),
  };
}

/** What has landed is in the worktrees that are made later. */
function onTopOf(spec: WorktreeSpec, into: string | undefined): WorktreeSpec {
  return into === undefined || 'of' in spec ? spec : { base: [into], ...spec };
}

function checkLabels(tasks: readonly TaskSource[], { place, context: { report } }: StepContext): void {
  const seen = new Set<string>();
  for (const { worktree } of tasks) {
    if (worktree === undefined || typeof worktree === 'boolean') continue;
    const { value, at } = worktree;
    if (!WORKTREE_LABEL.test(value)) {
      const message = `"${value}" is not a valid name for the worktree of a task`;
      report('names.invalid', at, message, 'write 1 to 40 letters, digits, ".", "_" or "-", or `worktree: true`');
    } else if (seen.has(value)) {
      const message = `two tasks of "${place.step.id}" have a worktree called "${value}"`;
      report('board.bad-worktree', at, message, 'give one of them another name: each task has a worktree of its own');
    }
    seen.add(value);
  }
}

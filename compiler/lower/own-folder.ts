import { asksAgent } from '../../kinds/questions';
import { builtInTool } from '../../plan/tool-names';
import type { Located } from '../diagnostics/diagnostic';
import type { LoadedAgent } from '../names/agent-definition';
import type { Here } from './here';

/**
 * Without `cwd` an agent works in an empty folder of the step's own. One that is there to change or test somebody's files finds none of
 * them, and what it writes stays where nobody looks. An agent that only reads or answers is none the worse for it.
 */
export function checkFolder({ id, definition }: LoadedAgent, at: Located<string>['at'], { place, context }: Here): void {
  const { work, worktree } = place.step;
  if (!work || !asksAgent(work)) return;
  if (work.cwd || context.pipeline.cwd || worktree) return;
  const allowed = work.tools && new Set(work.tools.map(({ value }) => value));
  const changing = (definition?.tools ?? []).filter((tool) => builtInTool(tool)?.changesFiles && (allowed?.has(tool) ?? true));
  if (changing.length === 0) return;
  context.report(
    'step.no-cwd',
    at,
    `agent "${id}" has the tools ${changing.join(', ')}, but step "${place.step.id}" has no "cwd": it works in an empty folder of its own`,
    'add `cwd:` to the step or the file, such as `cwd: .`; paths count from the folder in which the worker runs',
  );
}

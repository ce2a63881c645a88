import { hasBoard } from '../../kinds/questions';
import type { Template } from '../../plan/expressions/expression';
import type { WorktreeSpec } from '../../plan/steps/step';
import type { Located } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import type { WorktreeSource } from '../shape/source-parts';
import { upstreamStep } from './context';
import type { StepContext } from './step-context';

/** The worktree that a step works in; the worktree's commands see what the step's own command sees. */
export function lowerWorktree(source: WorktreeSource, here: StepContext): WorktreeSpec | undefined {
  if (source.kind === 'of') return sharedWith(source.step, here) ? { of: source.step.value } : undefined;
  const { template, context } = here;
  const spec: Exclude<WorktreeSpec, { of: string }> = {};
  // The repository that the step would work in without a worktree.
  const [repo, base] = [template(source.repo) ?? context.cwd, template(source.base)];
  if (repo) spec.repo = repo;
  if (source.remote) spec.remote = source.remote.value;
  if (base) spec.base = base;
  if (source.copy && source.copy.length > 0) spec.copy = source.copy.map(({ value }) => value);
  const environment = environmentOf(here);
  for (const key of ['setup', 'teardown'] as const) {
    const commands = source[key]?.flatMap((command) => {
      const found = template(command, { shell: true, environment });
      return found ? [found] : [];
    });
    if (commands && commands.length > 0) spec[key] = commands;
  }
  if (source.keep) spec.keep = true;
  return spec;
}

function environmentOf({ place, context }: StepContext): ReadonlySet<string> {
  const { work } = place.step;
  const own = work && 'env' in work && work.env ? work.env.keys() : [];
  return new Set([...context.env.keys(), ...own]);
}

function sharedWith(owner: Located<string>, { place, context }: StepContext): boolean {
  if (!upstreamStep(owner, place, 'worktree', context)) return false;
  const { id } = place.step;
  const { worktree, queue: ownQueue } = context.places.byId.get(owner.value)?.step ?? {};
  const work = context.places.byId.get(owner.value)?.step.work;
  if (work && hasBoard(work)) {
    const message = `step "${id}" is to work in the worktree of "${owner.value}", each of whose tasks has one of its own`;
    context.report(
      'step.no-worktree',
      owner.at,
      message,
      'land them by the `merge` of that step, and begin from the branch: `worktree: {base: …}`',
    );
    return false;
  }
  const [queue, ownerQueue] = [place.step.queue?.value, ownQueue?.value];
  if (worktree?.kind !== 'own') {
    const hint =
      worktree === undefined
        ? `add \`worktree: true\` to step "${owner.value}"`
        : `name the step whose worktree it is: \`worktree: ${worktree.step.value}\``;
    context.report(
      'step.no-worktree',
      owner.at,
      `step "${id}" is to work in the worktree of "${owner.value}", which has no worktree of its own`,
      hint,
    );
    return false;
  }
  if (queue === undefined || queue === ownerQueue) return true;
  const where = ownerQueue === undefined ? 'which any worker may make' : `which is made by a worker of queue "${ownerQueue}"`;
  const message = `step "${id}" has the queue "${queue}", but works in the worktree of "${owner.value}", ${where}`;
  context.report('step.other-queue', owner.at, message, `give "${owner.value}" that queue, and leave it out here`);
  return false;
}

/** The folder that a step's programs work in: a worktree has one of its own, independent of the file's folder. */
export function lowerFolder(cwd: TemplateSyntax | undefined, { place, context, template }: StepContext): Template | undefined {
  const own = template(cwd);
  const { worktree, id } = place.step;
  if (!worktree) return own ?? context.cwd;
  const [text] = own ?? [];
  if (own?.length !== 1 || typeof text !== 'string' || staysWithin(text)) return own;
  const message = `"cwd" of step "${id}" is ${JSON.stringify(text)}, which is not in its worktree`;
  context.report('step.cwd-outside', worktree.at, message, 'write a path from the root of the worktree, such as `cwd: packages/api`');
  return own;
}

/** Whether a path stays within its folder, by the rules of POSIX systems. */
function staysWithin(path: string): boolean {
  if (path.startsWith('/')) return false;
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return false;
  }
  return true;
}

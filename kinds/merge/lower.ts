import type { Located } from '../../compiler/diagnostics/diagnostic';
import { didYouMean } from '../../compiler/diagnostics/suggest';
import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { resolveTemplate } from '../../compiler/expression/resolve';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { namesInScope } from '../../compiler/lower/names';
import type { StepContext } from '../../compiler/lower/step-context';
import { entryOf } from '../../compiler/read/node';
import { branchAt } from '../../compiler/shape/repository';
import type { WorkOf } from '../../compiler/shape/source';
import { reachability } from '../../compiler/step-positions';
import type { Template } from '../../plan/expressions/expression';
import { hasBoard } from '../questions';
import type { MergeStep } from './model';

export const MERGE_LOWERING: KindLowering<WorkOf<'merge'>> = {
  lower(work, here) {
    const { base, actions } = here;
    const written = work.from ?? [];
    const from = written.flatMap((author) => (isAuthor(author, here) ? [author] : []));
    checkRepeated(written, here);
    checkRepositories(from, here);
    const into = branchOf(work, here);
    const onConflict = actions(work.onConflict, 'on_conflict');
    if (!into || from.length === 0) return undefined;
    const step: MergeStep = { ...base, kind: 'merge', from: from.map(({ value }) => value), into };
    if (work.test) step.test = work.test.value;
    if (work.strategy) step.strategy = work.strategy;
    if (onConflict) step.onConflict = onConflict;
    if (work.cleanup) step.cleanup = true;
    return { step };
  },
  output: () => OUTPUT,
};

const OUTPUT: OutputShape = {
  kind: 'fields',
  fields: new Map([
    ['merged', { kind: 'list', of: fields('step', 'commit', 'result', 'already') }],
    ['returned', { kind: 'list', of: fields('step', 'kind', 'reason') }],
    ['head', OPEN],
  ]),
};

function fields(...names: string[]): OutputShape {
  return { kind: 'fields', fields: new Map(names.map((name) => [name, OPEN])) };
}

/** A branch is known before work begins: it reads only control values of steps' outputs. */
function branchOf({ into: syntax, node }: WorkOf<'merge'>, { place, context }: StepContext): Template | undefined {
  const entry = entryOf(node, 'into');
  if (syntax && entry) branchAt(entry, context.report);
  const into = syntax && resolveTemplate(syntax, namesInScope(context, place), context.report);
  for (const part of into ?? []) if (typeof part !== 'string') context.reads.note(part, place);
  return into;
}

/**
 * Whether it is a step with a worktree that is settled before, including one of a loop that this step is not in: then all its items count.
 */
function isAuthor(author: Located<string>, { place, context }: StepContext): boolean {
  const { places, report } = context;
  const { id } = place.step;
  const found = places.byId.get(author.value);
  if (!found) {
    const hint = () => didYouMean(author.value, places.byId.keys(), 'it takes the id of a step');
    report('step.unknown-step', author.at, `"from" of step "${id}" names "${author.value}", which does not exist`, hint);
    return false;
  }
  const how = reachability(found, place);
  if (how !== 'upstream' && how !== 'in-loop' && how !== 'in-rounds') {
    const hint = `name a step that runs before "${id}"`;
    report('step.not-upstream', author.at, `"from" of step "${id}" names "${author.value}", which is not upstream of it`, hint);
    return false;
  }
  const { work } = found.step;
  if (work && hasBoard(work)) {
    const message = `each task of "${author.value}" has a worktree of its own, which step "${id}" does not know`;
    report('merge.no-worktree', author.at, message, `let the tasks land themselves: add \`merge:\` to step "${author.value}"`);
    return false;
  }
  if (found.step.worktree) return true;
  const hint = `add \`worktree: true\` to step "${author.value}"`;
  report('merge.no-worktree', author.at, `step "${id}" merges what "${author.value}" has left in its worktree, but it has none`, hint);
  return false;
}

function checkRepeated(from: readonly Located<string>[], { place, context }: StepContext): void {
  const seen = new Set<string>();
  for (const { value, at } of from) {
    if (seen.has(value))
      context.report('merge.named-twice', at, `"from" of step "${place.step.id}" names "${value}" twice`, 'name it once');
    seen.add(value);
  }
}

/** One merge goes to one queue: all its worktrees are of one repository. */
function checkRepositories(from: readonly Located<string>[], here: StepContext): void {
  const [first, ...others] = from;
  const ofFirst = first && repositoryOf(first.value, here);
  for (const { value, at } of others) {
    const own = repositoryOf(value, here);
    if (own === undefined || ofFirst === undefined || own === ofFirst) continue;
    const message = `the worktrees of "${first?.value}" and "${value}" are of two repositories`;
    here.context.report('merge.two-repositories', at, message, 'give each repository a merge step of its own');
  }
}

/** The repository as written; undefined if an expression decides. */
function repositoryOf(id: string, { context }: StepContext): string | undefined {
  const { byId } = context.places;
  const named = byId.get(id)?.step.worktree;
  const own = named?.kind === 'of' ? byId.get(named.step.value)?.step.worktree : named;
  if (own?.kind !== 'own') return undefined;
  const { repo = [], remote } = own;
  return repo.every((part) => typeof part === 'string') ? `${remote?.value ?? ''} ${repo.join('')}` : undefined;
}

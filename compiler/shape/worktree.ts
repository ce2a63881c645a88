import type { Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { checkKeys } from './keys';
import { repositoryAt } from './repository';
import type { StepSource } from './source';
import type { WorktreeSource } from './source-parts';
import { templateAt } from './template-value';
import { booleanOf, mappingOf, namesOf, sequenceOf, textOf } from './values';
import { keysOf } from './vocabulary';

/** Reads `worktree: true`, the id of a step whose worktree it continues in, or `{repo, remote, base, copy, setup, teardown, keep}`. */
export function readWorktree(node: MappingNode, step: StepSource, report: Report): void {
  const entry = entryOf(node, 'worktree');
  const found = entry && readOne(entry, report);
  if (found) step.worktree = found;
}

function readOne(entry: Entry, report: Report): WorktreeSource | undefined {
  const { value, keyAt: at } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value ? { kind: 'own', at } : undefined;
  if (value.kind === 'scalar') {
    const step = textOf(entry, report);
    return step && { kind: 'of', at, step };
  }
  const node = mappingOf(entry, report, 'true, the id of a step, or a mapping such as {base: main}');
  if (!node) return undefined;
  checkKeys(node, { what: '"worktree"', known: keysOf('worktree') }, report);
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const own: WorktreeSource = { kind: 'own', at };
  const [repo, base] = [get('repo'), get('base')];
  const [repository, revision] = [repo && repositoryAt(repo, report), base && textOf(base, report) && templateAt(base, report)];
  if (repository) own.repo = repository;
  if (revision) own.base = revision;
  const remote = get('remote');
  const name = remote && textOf(remote, report);
  if (name) own.remote = name.value;
  const copy = get('copy');
  const files = copy && namesOf(copy, report);
  if (files) own.copy = files.map((file) => file.value);
  for (const key of ['setup', 'teardown'] as const) {
    const commands = get(key);
    if (commands) own[key] = readCommands(commands, report);
  }
  const keep = get('keep');
  if (keep && booleanOf(keep, report)) own.keep = true;
  return own;
}

function readCommands(entry: Entry, report: Report): TemplateSyntax[] {
  return (sequenceOf(entry, report, 'a list of commands')?.items ?? []).flatMap((value) => {
    const template = textOf({ ...entry, value }, report) && templateAt({ ...entry, value }, report);
    return template ? [template] : [];
  });
}

import { resolve } from 'node:path';
import { DiskSharedFiles } from '../../activities/adapters/shared-text-files';
import { idOf, readMemory } from '../../plan/memory/memory-file';
import { MOST_MEMORY_BYTES } from '../../plan/memory/recall';
import { forget as without } from '../../plan/memory/remember';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { checkedPipeline } from '../pipelines/checked-pipeline';
import { type ListedEntry, listedEntries, renderMemory } from '../rendering/memory';
import { configurationOf } from '../settings/settings';

/** Lists what is in a team's memory. */
export async function list(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const file = fileOf(invocation);
  const text = await new DiskSharedFiles().read(resolve(terminal.cwd, file), MOST_MEMORY_BYTES);
  const { items } = readMemory(text ?? '');
  const entries = listedEntries(items);
  const problems = items.flatMap((item) => (item.kind === 'unreadable' ? [item.problem] : []));
  if (options.flag('json')) {
    terminal.out(`${JSON.stringify({ file, entries, problems }, null, 2)}\n`);
    return EXIT.done;
  }
  for (const problem of problems)
    terminal.err(`${terminal.colors.yellow('!')} ${file}, ${problem}: it is left alone, and agents are not given it\n`);
  if (entries.length > 0) terminal.out(renderMemory(entries, terminal.colors));
  else
    terminal.err(
      text === undefined ? `there is no ${file} yet: a post-mortem that learns something makes it\n` : `${file} has no entries\n`,
    );
  return EXIT.done;
}

/** Removes all the named entries, or none. */
export async function forget(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const file = fileOf(invocation);
  const ids = args.slice(1);
  let forgotten: ListedEntry[] = [];
  await new DiskSharedFiles().edit(resolve(terminal.cwd, file), MOST_MEMORY_BYTES, (text) => {
    const { items } = readMemory(text ?? '');
    const unknown = ids.filter((id) => !items.some((item) => idOf(item) === id));
    if (text === undefined || unknown.length > 0) throw noEntry(file, text === undefined ? ids : unknown);
    forgotten = listedEntries(items.filter((item) => ids.includes(idOf(item) ?? '')));
    return without(text, ids).text;
  });
  if (options.flag('json')) terminal.out(`${JSON.stringify({ file, forgotten }, null, 2)}\n`);
  else for (const { id, text } of forgotten) terminal.out(`${terminal.colors.green('✓')} forgotten: ${id}  ${text}\n`);
  return EXIT.done;
}

function noEntry(file: string, ids: readonly string[]): CommandFailure {
  return new CommandFailure(EXIT.failed, 'memory.no-entry', `${file} has no entry ${ids.join(', ')}`, {
    hint: `see them with: thermidor memory list ${file}`,
  });
}

/** The memory file. For a pipeline it is the one that its agents are given, else the one that its post-mortem writes. */
function fileOf({ args, options, terminal }: Invocation): string {
  const given = args[0] ?? '';
  if (given.endsWith('.md')) return given;
  const { compiled } = checkedPipeline(given, configurationOf({ options, terminal }), terminal);
  const { name, memory, finally: last } = compiled.plan;
  const written = last?.steps.flatMap((step) => ('files' in step ? (step.files.memory ?? []) : []))[0];
  const file = memory?.file ?? written;
  if (file === undefined)
    throw usage(`pipeline "${name}" has no memory`, 'write `memory: team.md` into its file, or name a file that ends in .md');
  return file;
}

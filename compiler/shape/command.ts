import type { Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { ENVIRONMENT_VARIABLE } from '../language/patterns';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { requireKey } from './keys';
import { readOutput } from './output';
import type { CommandSource } from './source';
import { templateAt } from './template-value';
import { mappingOf, sequenceOf, textOf } from './values';

/** What a command runs, where, and with what. */
export function readCommand(node: MappingNode, report: Report): CommandSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: CommandSource = { kind: 'command' };
  const shell = get('run') ?? get('command');
  const argv = get('argv');
  if (shell) {
    const template = textOf(shell, report) && templateAt(shell, report);
    if (template) work.command = { shell: template };
  } else if (argv) {
    const items = sequenceOf(argv, report, 'a list of words')?.items ?? [];
    if (argv.value.kind === 'sequence' && items.length === 0)
      report('shape.out-of-range', argv.value.at, '"argv" is empty', 'write the program and its arguments');
    work.command = { argv: items.map((item) => templateAt({ ...argv, value: item }, report) ?? []) };
  } else requireKey(node, 'run', 'a step of kind "command"', report, 'add `run:` or `argv:`');
  const [cwd, env, stdin] = [get('cwd'), get('env'), get('stdin')];
  const folder = cwd && textOf(cwd, report) && templateAt(cwd, report);
  if (folder) work.cwd = folder;
  const text = stdin && templateAt(stdin, report, true);
  if (text) work.stdin = text;
  if (env) work.env = readEnv(env, report);
  readOutput(node, work, report);
  return work;
}

/** Environment variables by name. */
export function readEnv(entry: Entry, report: Report): Map<string, TemplateSyntax> {
  const found = new Map<string, TemplateSyntax>();
  for (const item of mappingOf(entry, report, 'a mapping of variables to texts')?.entries ?? []) {
    const value = templateAt(item, report);
    if (item.key === '__proto__') report('names.reserved', item.keyAt, 'a variable may not be called "__proto__"', 'choose another name');
    else if (!ENVIRONMENT_VARIABLE.test(item.key))
      report('names.invalid', item.keyAt, `"${item.key}" is no name for a variable`, 'write letters, digits and "_"');
    else if (value) found.set(item.key, value);
  }
  return found;
}

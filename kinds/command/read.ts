import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { requireKey } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { sequenceOf, textOf } from '../../compiler/shape/values';
import { isSecretReference } from '../../plan/run/args';
import type { CommandSource } from './source';

/** What a command runs. */
export function readCommand(node: MappingNode, _step: StepSource, { report }: ReadContext): CommandSource {
  const shell = entryOf(node, 'run') ?? entryOf(node, 'command');
  const [argv, stdin] = [entryOf(node, 'argv'), entryOf(node, 'stdin')];
  for (const entry of [shell, argv, stdin]) if (entry) checkReferences(entry, report);
  if (shell) {
    const template = textOf(shell, report) && templateAt(shell, report);
    return template ? { command: { shell: { value: template, at: shell.value.at } } } : {};
  }
  if (!argv) {
    requireKey(node, 'run', 'a step of kind "command"', report, 'add `run:` or `argv:`');
    return {};
  }
  const items = sequenceOf(argv, report, 'a list of words')?.items ?? [];
  if (argv.value.kind === 'sequence' && items.length === 0)
    report('shape.out-of-range', argv.value.at, '"argv" is empty', 'write the program and its arguments');
  return { command: { argv: items.map((item) => ({ value: templateAt({ ...argv, value: item }, report) ?? [], at: item.at })) } };
}

/** A command gets a secret by a variable, or by an arg. */
function checkReferences({ key, value }: Entry, report: Report): void {
  for (const node of value.kind === 'sequence' ? value.items : [value]) {
    if (node.kind !== 'scalar' || typeof node.value !== 'string' || !isSecretReference(/secret:\S*/.exec(node.value)?.[0] ?? '')) continue;
    report(
      'secret.not-resolved',
      node.at,
      `"${key}" has a reference to a secret, which is passed as it is written`,
      'set a variable, as in `env: {TOKEN: "secret://env/TOKEN"}`, and read "$TOKEN" in the command',
    );
  }
}

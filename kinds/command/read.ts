import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { readEmits } from '../../compiler/shape/emits';
import { readEnv } from '../../compiler/shape/environment';
import { requireKey } from '../../compiler/shape/keys';
import { readOutput } from '../../compiler/shape/output';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { readTests } from '../../compiler/shape/tests';
import { sequenceOf, textOf } from '../../compiler/shape/values';
import { isSecretReference } from '../../plan/run/args';
import type { CommandSource } from './source';

/** What a command runs, where, and with what. */
export function readCommand(node: MappingNode, step: StepSource, { report }: ReadContext): CommandSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: CommandSource = { kind: 'command' };
  const shell = get('run') ?? get('command');
  const argv = get('argv');
  if (shell) {
    const template = textOf(shell, report) && templateAt(shell, report);
    if (template) work.command = { shell: { value: template, at: shell.value.at } };
  } else if (argv) {
    const items = sequenceOf(argv, report, 'a list of words')?.items ?? [];
    if (argv.value.kind === 'sequence' && items.length === 0)
      report('shape.out-of-range', argv.value.at, '"argv" is empty', 'write the program and its arguments');
    work.command = { argv: items.map((item) => ({ value: templateAt({ ...argv, value: item }, report) ?? [], at: item.at })) };
  } else requireKey(node, 'run', 'a step of kind "command"', report, 'add `run:` or `argv:`');
  const [cwd, env, stdin] = [get('cwd'), get('env'), get('stdin')];
  const folder = cwd && textOf(cwd, report) && templateAt(cwd, report);
  if (folder) work.cwd = folder;
  const text = stdin && templateAt(stdin, report, true);
  if (text) work.stdin = text;
  if (env) work.env = readEnv(env, report);
  for (const entry of [shell, argv, stdin]) if (entry) checkReferences(entry, report);
  readOutput(node, work, report);
  const tests = get('tests');
  const source = tests && readTests(tests, report);
  if (source) work.tests = source;
  const emits = readEmits(node, report);
  if (emits) step.emits = emits;
  return work;
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

import type { Template } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import type { Json } from '../../plan/text/json';
import { renderLobsterDryRun } from '../rendering/lobster-dry-run';
import { dryRunRefusal } from './dry-run-commands';
import { runtimeError } from './exit';
import { argsOfFile, graphWithArgs } from './graph-model';
import { compileProgram, documentOfFile, errorsOf, readWorkflow, refusedFile, stagesOf } from './program';

/** Writes what would run in a file, as Lobster does, to standard error. Nothing is started. Fails as Lobster's dry run does. */
export function dryRunFile(path: string, shown: string, args: Readonly<Record<string, Json>>, colors: boolean): string {
  const file = readWorkflow(path, shown);
  const document = documentOfFile(file);
  const given = argsOfFile(document, args);
  const refusal = dryRunRefusal(document, (text) => graphWithArgs(text, given));
  const { compiled } = file;
  if (compiled.plan === undefined) {
    const isOfPipe = OF_PIPES.has(errorsOf(compiled.diagnostics)[0]?.code ?? '');
    throw refusedFile(compiled.diagnostics, colors, isOfPipe ? refusal : undefined);
  }
  if (refusal !== undefined) throw runtimeError(refusal);
  return renderLobsterDryRun({ plan: compiled.plan, document, args: given });
}

const OF_PIPES: ReadonlySet<string> = new Set(['lobster.unknown-stage', 'lobster.pipe-syntax']);

/** The text of a dry run of a program. */
export function dryRunProgram(text: string, colors: boolean): string {
  return stagesText(compileProgram(text, 'human', colors).compiled.plan);
}

function stagesText(plan: Plan): string {
  const stages = stagesOf(plan);
  const lines = stages.map(({ name, alias, words, flags }, i) => {
    const given = [
      ...words.map(plain),
      ...Object.entries(flags).map(([flag, value]) => `${flag}=${value.length === 0 ? 'true' : plain(value)}`),
    ];
    return `  ${i + 1}. ${alias ?? name}${given.length === 0 ? '' : `  args: ${given.join(', ')}`}`;
  });
  return [`[DRY RUN] Pipeline (${stages.length} stage${stages.length === 1 ? '' : 's'}):`, ...lines, ''].join('\n');
}

/** Words of a program hold no references. */
function plain(template: Template): string {
  return template.map((piece) => (typeof piece === 'string' ? piece : '')).join('');
}

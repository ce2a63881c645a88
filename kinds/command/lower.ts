import type { Located } from '../../compiler/diagnostics/diagnostic';
import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import type { TemplateSyntax } from '../../compiler/expression/syntax';
import { lowerEnvironment } from '../../compiler/lower/environment';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { lowerOutput } from '../../compiler/lower/output';
import { schemaOfCommand, shapeOfSchema } from '../../compiler/lower/output-schema';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { lowerTests } from '../../compiler/lower/tests';
import { placeOfValue, warnOfLength } from '../../compiler/lower/value-lengths';
import { lowerFolder } from '../../compiler/lower/worktree';
import type { WorkOf } from '../../compiler/shape/source';
import type { Template } from '../../plan/expressions/expression';
import type { Step } from '../../plan/steps/step';

export const COMMAND_LOWERING: KindLowering<WorkOf<'command'>> = {
  lower: commandStep,
  output: (work, place, shapes) => (work.tests ? TEST_REPORT : shapeOfSchema(work, place, shapes)),
  schema: (work, sources) => (work.tests && !work.schema ? undefined : schemaOfCommand(work, sources)),
};

const FAILURES: OutputShape = {
  kind: 'list',
  of: {
    kind: 'fields',
    fields: new Map([
      ['name', OPEN],
      ['message', OPEN],
    ]),
  },
};

/** A `TestReport`. */
const TEST_REPORT: OutputShape = {
  kind: 'fields',
  fields: new Map([...['passed', 'failed', 'skipped', 'pass_rate'].map((name) => [name, OPEN] as const), ['failures', FAILURES] as const]),
};

/** A command, in the file's folder and environment if it has none of its own. */
function commandStep(work: WorkOf<'command'>, here: StepContext): LoweredStep | undefined {
  const { base, context, template } = here;
  const cwd = lowerFolder(work.cwd, here);
  const stdin = template(work.stdin);
  const env = work.env ? new Map([...context.env, ...lowerEnvironment(work.env, template, context)]) : context.env;
  const output = lowerOutput(work, here);
  if (!work.command) return undefined;
  const environment = new Set(env.keys());
  const command =
    'shell' in work.command
      ? { shell: template(work.command.shell.value, { shell: true, environment, at: work.command.shell.at }) ?? [] }
      : { argv: work.command.argv.map((word) => wordOf(word, environment, here)) };
  // Assigned without copying the step's own object, which took a fifth of the time of compiling commands.
  const step: Step = Object.assign(base, { kind: 'command' as const, command });
  if (cwd) step.cwd = cwd;
  if (env.size > 0) step.env = Object.fromEntries(env);
  if (stdin) step.stdin = stdin;
  if (output) step.output = output;
  const tests = lowerTests(work.tests);
  if (tests) step.tests = tests;
  return { step };
}

function wordOf(
  { value: syntax, at }: Located<TemplateSyntax>,
  environment: ReadonlySet<string>,
  { context, template }: StepContext,
): Template {
  const word = template(syntax, { environment }) ?? [];
  warnOfLength('a word of "argv"', word, placeOfValue(syntax) ?? at, context);
  return word;
}

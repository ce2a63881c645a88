import { defined, unlessEmpty } from '../../../plan/defined';
import type { Template } from '../../../plan/expressions/expression';
import type { TestSource } from '../../../plan/run/test-report';
import type { CommandStep } from '../../../plan/steps/step';
import type { StepBase } from '../../../plan/steps/step-base';
import { renderedBy } from '../references';
import type { StepContext } from '../step-context';
import { partBase } from './part-steps';

/** Parts that work where their step works. */

/** In the step's worktree, else in the folder of the file. */
export function workPlace({ base, context }: StepContext): Pick<StepBase, 'worktree'> & { cwd?: Template } {
  const { worktree, id } = base;
  if (worktree) return { worktree: 'of' in worktree ? worktree : { of: id } };
  return context.cwd ? { cwd: context.cwd } : {};
}

/** A shell command, with the environment of the file. @param written what the author wrote of it: it may read the output of other steps */
export function commandPart(
  part: string,
  { shell, stdin, tests }: { shell: Template; stdin?: Template; tests?: TestSource },
  here: StepContext,
  written: readonly Template[] = [],
): CommandStep {
  const { context, place } = here;
  const { inputs, records } = renderedBy(written, (name) => context.variable(name, place));
  return {
    ...{ ...partBase(here, part), ...workPlace(here), kind: 'command', command: { shell } },
    ...defined({
      stdin: stdin || undefined,
      tests: tests || undefined,
      inputs: inputs.size > 0 ? [...inputs] : undefined,
      records: unlessEmpty(records),
      env: context.env.size > 0 ? Object.fromEntries(context.env) : undefined,
    }),
  };
}

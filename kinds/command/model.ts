import type { Template } from '../../plan/expressions/expression';
import type { TestSource } from '../../plan/run/test-report';
import type { OutputSpec, StepBase } from '../../plan/steps/step-base';

export interface CommandStep extends StepBase {
  kind: 'command';
  /**
   * `shell` runs under `/bin/sh -lc` with every `${…}` as one quoted word, or, if it is `raw` (the Lobster dialect alone), with its text
   * inserted unquoted; `argv` runs without a shell.
   */
  command: { shell: Template; raw?: true } | { argv: Template[] };
  cwd?: Template;
  env?: Record<string, Template>;
  stdin?: Template;
  output?: OutputSpec;
  /** Its output is the result of its tests. */
  tests?: TestSource;
}

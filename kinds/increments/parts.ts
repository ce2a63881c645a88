import { answerOutput } from '../../compiler/lower/parts/answer-output';
import { partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import type { StepContext } from '../../compiler/lower/step-context';
import type { Template } from '../../plan/expressions/expression';
import type { IncrementsStep } from '../../plan/steps/step';
import type { StepBase } from '../../plan/steps/step-base';
import { EXECUTOR_PART, FINAL_PART, VALIDATOR_PART } from './model';
import { EXECUTOR_PROMPT, VALIDATOR_PROMPT } from './prompts';
import { INCREMENT_REPORT_SCHEMA, VALIDATION_SCHEMA } from './rules/answers';
import type { IncrementGate } from './rules/words';

type Part = IncrementsStep['parts'][number];

export interface Crew {
  executor: string;
  validator?: string;
  gates: readonly (readonly [IncrementGate, Template])[];
  final?: Template;
  /** The limit of each command. */
  timeoutMs: number;
  /** What templates of the gates read. */
  reads: Pick<StepBase, 'inputs' | 'records'>;
}

/** The parts that the step runs in turns, all in its worktree. */
export function partsOf({ executor, validator, gates, final, timeoutMs, reads }: Crew, here: StepContext): Part[] {
  const { worktree, id } = here.base;
  const common = (part: string): StepBase => ({
    ...partBase(here, part),
    worktree: worktree && 'of' in worktree ? worktree : { of: id },
  });
  const command = (part: string, shell: Template): Part => {
    const { env } = here.context;
    return {
      ...common(part),
      ...reads,
      timeoutMs,
      kind: 'command',
      command: { shell },
      ...(env.size > 0 ? { env: Object.fromEntries(env) } : {}),
    };
  };
  const judge = (agent: string): Part => ({
    ...{ ...common(VALIDATOR_PART), kind: 'agent', agent },
    prompt: partPrompt(here, VALIDATOR_PART, VALIDATOR_PROMPT),
    output: answerOutput('Validation', VALIDATION_SCHEMA, here),
    reads: [['verdict'], ['suggestion'], ['findings'], ['issues']],
  });
  return [
    {
      ...{ ...common(EXECUTOR_PART), kind: 'agent', agent: executor },
      prompt: partPrompt(here, EXECUTOR_PART, EXECUTOR_PROMPT),
      output: answerOutput('Increment_Report', INCREMENT_REPORT_SCHEMA, here),
      reads: [['summary'], ['blocked']],
    },
    ...gates.map(([gate, shell]) => command(gate, shell)),
    ...(validator === undefined ? [] : [judge(validator)]),
    ...(final === undefined ? [] : [command(FINAL_PART, final)]),
  ];
}

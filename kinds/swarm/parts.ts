import { answerOutput } from '../../compiler/lower/parts/answer-output';
import { given, partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import { commandPart, workPlace } from '../../compiler/lower/parts/work-parts';
import type { StepContext } from '../../compiler/lower/step-context';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import type { TestSource } from '../../plan/run/test-report';
import type { SwarmStep } from '../../plan/steps/step';
import { FILES_PART, fixPart, ROLLBACK_PART, type SwarmAgent, VERIFY_PART } from './model';
import { diagnosisPrompt, FIX_PROMPT } from './prompts';
import { DIAGNOSIS_READS, DIAGNOSIS_SCHEMA, FIX_READS, FIX_SCHEMA } from './rules/diagnosis';

type Part = SwarmStep['parts'][number];

export interface Assembly {
  agents: readonly SwarmAgent[];
  /** Agents that may have to apply a fix. */
  fixers: readonly Pick<SwarmAgent, 'name' | 'part'>[];
  verify: Template;
  tests?: TestSource;
}

/** The parts of the step: a diagnosis for each agent, the fixes, and commands that look, check and take back. */
export function partsOf({ agents, fixers, verify, tests }: Assembly, here: StepContext): Part[] {
  return [
    ...agents.map((agent) => diagnosisPart(agent, here)),
    commandPart(FILES_PART, { shell: [WHICH_EXIST], stdin: [given('paths')] }, here),
    ...fixers.map((agent) => fixingPart(agent, here)),
    commandPart(VERIFY_PART, { shell: verify, ...defined({ tests }) }, here, [verify]),
    ...(here.base.worktree ? [commandPart(ROLLBACK_PART, { shell: ROLLBACK }, here)] : []),
  ];
}

/** Prints the existing ones of the paths on its input. */
const WHICH_EXIST = `while IFS= read -r path || [ -n "$path" ]; do if [ -e "$path" ]; then printf '%s\\n' "$path"; fi; done`;

/** Resets the files to a commit; ignored ones stay. */
const ROLLBACK: Template = ['git restore --source=', given('commit'), ' --staged --worktree -- :/ && git clean -ffdq -- :/'];

function diagnosisPart({ name, part, perspective }: SwarmAgent, here: StepContext): Part {
  return {
    ...{ ...partBase(here, part), ...workPlace(here), kind: 'agent', agent: name },
    prompt: partPrompt(here, part, diagnosisPrompt(perspective)),
    output: answerOutput('Diagnosis', DIAGNOSIS_SCHEMA, here),
    reads: DIAGNOSIS_READS,
  };
}

function fixingPart({ name, part }: Pick<SwarmAgent, 'name' | 'part'>, here: StepContext): Part {
  const own = fixPart(part);
  return {
    ...{ ...partBase(here, own), ...workPlace(here), kind: 'agent', agent: name },
    prompt: partPrompt(here, own, FIX_PROMPT),
    output: answerOutput('Fix', FIX_SCHEMA, here),
    reads: FIX_READS,
  };
}

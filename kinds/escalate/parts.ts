import { answerOutput } from '../../compiler/lower/parts/answer-schema';
import { partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import { renderedBy } from '../../compiler/lower/references';
import type { StepContext } from '../../compiler/lower/step-context';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import { LEVEL_ANSWER_READS, type LevelTimeout, PERSON_CHOICES } from '../../plan/patterns/escalation';
import type { WhoDecides } from '../../plan/people/decision-policy';
import type { EscalateStep } from '../../plan/steps/step';
import type { StepBase } from '../../plan/steps/step-base';
import { APPLY_PART, CHECK_PART, type LevelSpec, PERSON_PART, WORKAROUND_PART } from './model';
import { APPLY_PROMPT, FIRST_PROMPT, LEVEL_PROMPT, PERSON_QUESTION, RECORD_PREVIEW, WORKAROUND_PROMPT } from './prompts';

type Part = EscalateStep['parts'][number];

export type Level = LevelSpec &
  (
    | { kind: 'agent' }
    | { kind: 'person'; who: Pick<WhoDecides, 'channel' | 'approvers'> & { timeoutMs?: number }; onTimeout: LevelTimeout }
  );

export interface Assembly {
  levels: readonly Level[];
  /** The agent of L0. */
  first: string;
  check?: Template;
  /** A person can send the whole back. */
  replans: boolean;
}

/** What the step runs: a part for each level, what the first agent does for others, and the check. */
export function partsOf({ levels, first, check, replans }: Assembly, here: StepContext): Part[] {
  const asked = levels.map((level, i) =>
    level.kind === 'person'
      ? personPart(level, replans, here)
      : agentPart(level.part, level.name, i === 0 ? FIRST_PROMPT : LEVEL_PROMPT, here),
  );
  return [
    ...asked,
    agentPart(APPLY_PART, first, APPLY_PROMPT, here),
    agentPart(WORKAROUND_PART, first, WORKAROUND_PROMPT, here),
    ...(check ? [checkPart(check, here)] : []),
  ];
}

function agentPart(part: string, agent: string, prompt: Template, here: StepContext): Part {
  return {
    ...{ ...partBase(here, part), ...workPlace(here), kind: 'agent', agent },
    ...defined({ timeoutMs: here.base.timeoutMs }),
    prompt: partPrompt(here, part, prompt),
    output: answerOutput('Escalation.json', here),
    reads: LEVEL_ANSWER_READS,
  };
}

/** Parts work where the step works: in its worktree, else in the folder of the file. */
function workPlace({ base, context }: StepContext): Pick<StepBase, 'worktree'> & { cwd?: Template } {
  const { worktree, id } = base;
  if (worktree) return { worktree: 'of' in worktree ? worktree : { of: id } };
  return defined({ cwd: context.cwd });
}

function personPart({ who, onTimeout }: Extract<Level, { kind: 'person' }>, replans: boolean, here: StepContext): Part {
  return {
    ...{ ...partBase(here, PERSON_PART), kind: 'approval', prompt: PERSON_QUESTION, preview: RECORD_PREVIEW, comment: 'always' },
    ...who,
    choices: PERSON_CHOICES.filter((choice) => choice !== 'replan' || replans),
    ...(who.timeoutMs === undefined ? {} : { onTimeout: onTimeout === 'stop' ? 'reject' : 'conservative' }),
    onReject: [{ kind: 'continue' }],
    reads: [['decision'], ['by'], ['comment']],
  };
}

function checkPart(check: Template, here: StepContext): Part {
  const { context, place } = here;
  const { inputs, records } = renderedBy([check], (name) => context.variable(name, place));
  return {
    ...{ ...partBase(here, CHECK_PART), ...workPlace(here), kind: 'command', command: { shell: check } },
    ...(inputs.size > 0 ? { inputs: [...inputs] } : {}),
    ...(records.length > 0 ? { records } : {}),
    ...(context.env.size > 0 ? { env: Object.fromEntries(context.env) } : {}),
  };
}

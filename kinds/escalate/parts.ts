import { answerOutput } from '../../compiler/lower/parts/answer-output';
import { partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import { commandPart, workPlace } from '../../compiler/lower/parts/work-parts';
import type { StepContext } from '../../compiler/lower/step-context';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import type { WhoDecides } from '../../plan/people/decision-policy';
import type { EscalateStep } from '../../plan/steps/step';
import { APPLY_PART, CHECK_PART, type LevelSpec, PERSON_PART, WORKAROUND_PART } from './model';
import { APPLY_PROMPT, FIRST_PROMPT, LEVEL_PROMPT, PERSON_QUESTION, RECORD_PREVIEW, WORKAROUND_PROMPT } from './prompts';
import { LEVEL_ANSWER_READS, LEVEL_ANSWER_SCHEMA, type LevelTimeout, PERSON_CHOICES } from './rules/issue';

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

/** The parts of the step: one for each level, the first agent's work for others, and the check. */
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
    ...(check ? [commandPart(CHECK_PART, { shell: check }, here, [check])] : []),
  ];
}

function agentPart(part: string, agent: string, prompt: Template, here: StepContext): Part {
  return {
    ...{ ...partBase(here, part), ...workPlace(here), kind: 'agent', agent },
    ...defined({ timeoutMs: here.base.timeoutMs }),
    prompt: partPrompt(here, part, prompt),
    output: answerOutput('Escalation', LEVEL_ANSWER_SCHEMA, here),
    reads: LEVEL_ANSWER_READS,
  };
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

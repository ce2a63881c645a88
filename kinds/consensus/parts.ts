import { answerOutput } from '../../compiler/lower/parts/answer-output';
import { type Member, partOfMember } from '../../compiler/lower/parts/members';
import { partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import type { StepContext } from '../../compiler/lower/step-context';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import type { WhoDecides } from '../../plan/people/decision-policy';
import { VOTE_READS, VOTE_SCHEMA } from '../../plan/people/vote';
import type { ConsensusStep } from '../../plan/steps/step';
import { DEFAULT_PART, REVISE_PART } from './model';
import { DEFAULT_PROMPT, DEFAULT_QUESTION, PERSON_QUESTION, PROPOSAL_PREVIEW, REVISE_PROMPT, VOTER_PROMPT } from './prompts';
import { PROPOSAL_SCHEMA } from './rules/proposal';

type Part = ConsensusStep['parts'][number];

export interface Assembly {
  voters: readonly Member[];
  /** Absent: a proposal that has not passed is not revised. */
  reviser?: string;
  /** Who decides if all abstain. Absent: a person. */
  coordinator?: Member;
  /** Where people are asked, and how they are identified. */
  who: Pick<WhoDecides, 'channel' | 'identity' | 'remindMs'>;
}

/** The parts of the step: one for each voter, and those that may follow a vote. */
export function partsOf({ voters, reviser, coordinator, who }: Assembly, here: StepContext): Part[] {
  const asked = voters.map((voter) => {
    const part = partOfMember(voter);
    return voter.kind === 'person'
      ? personPart(part, voter.people, PERSON_QUESTION, who, here)
      : votePart(part, voter.name, VOTER_PROMPT, here);
  });
  const decides =
    coordinator?.kind === 'agent'
      ? votePart(DEFAULT_PART, coordinator.name, DEFAULT_PROMPT, here)
      : personPart(DEFAULT_PART, coordinator?.people, DEFAULT_QUESTION, who, here);
  return [...asked, ...(reviser === undefined ? [] : [revisePart(reviser, here)]), decides];
}

function votePart(part: string, agent: string, prompt: Template, here: StepContext): Part {
  return {
    ...{ ...partBase(here, part), kind: 'agent', agent },
    prompt: partPrompt(here, part, prompt),
    output: answerOutput('Vote', VOTE_SCHEMA, here),
    reads: VOTE_READS,
  };
}

function revisePart(agent: string, here: StepContext): Part {
  return {
    ...{ ...partBase(here, REVISE_PART), kind: 'agent', agent },
    prompt: partPrompt(here, REVISE_PART, REVISE_PROMPT),
    output: answerOutput('Proposal', PROPOSAL_SCHEMA, here),
  };
}

function personPart(part: string, approvers: string[] | undefined, prompt: Template, who: Assembly['who'], here: StepContext): Part {
  return {
    ...{ ...partBase(here, part), kind: 'approval', prompt, preview: PROPOSAL_PREVIEW, comment: 'always' },
    ...who,
    ...defined({ approvers }),
    reads: [['decision'], ['by'], ['comment'], ['value']],
  };
}

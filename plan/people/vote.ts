import { defined, unlessEmpty } from '../defined';
import { field, isJsonObject, type Json } from '../text/json';

/** The subject of a vote, and a voter's answer (docs/patterns.md, CP-4). */

export const VOTE_WORDS = ['APPROVE', 'REJECT', 'ABSTAIN'] as const;
export type VoteWord = (typeof VOTE_WORDS)[number];

/** The proposal as voters get it. With two options or more one of them is chosen. */
export type Proposal = {
  /** `<step>-<turn>`: a revised proposal has another. */
  id: string;
  title: string;
  context?: Json;
  options?: ProposalOption[];
  /** The wish of a person who sent an earlier vote back. */
  asked_for?: string;
  /** ISO 8601: until when votes count. */
  deadline: string;
};

/** The document that voters are given. */
export const PROPOSAL_DOCUMENT = 'proposal';

export type ProposalOption = { id: string; description?: string; pros?: string[]; cons?: string[] };

/** The subject of a vote: its proposal and, if one of several is to be chosen, the ids of the options. */
export type BallotPaper = Pick<Vote, 'proposalId'> & { options: string[] };

export type Vote = {
  proposalId: string;
  vote: VoteWord;
  rationale: string;
  /** Conditions that must hold if the proposal passes. */
  conditions?: string[];
  /** From 0 to 1. */
  confidence?: number;
  /** A rejection that no majority outweighs. */
  blocking?: boolean;
  /** The chosen option of an approval, if there are two or more. */
  option?: string;
};

/** A person's answers if there is nothing to choose; otherwise the id of an option replaces `approve`. */
export const VOTE_CHOICES = ['approve', 'reject', 'abstain'] as const;

/** A person's possible answers. A chosen option counts as approved. */
export function choicesOfBallot({ options }: BallotPaper): string[] {
  const [approve, ...others] = VOTE_CHOICES;
  return [...(options.length < 2 ? [approve] : options), ...others];
}

/** The most characters of a rationale or a condition. */
const MOST_RATIONALE = 4000;
export const MOST_CONDITION = 1000;
export const MOST_CONDITIONS = 20;

/** The JSON Schema of a vote. */
export const VOTE_SCHEMA = {
  type: 'object',
  required: ['proposalId', 'vote', 'rationale'],
  properties: {
    proposalId: { type: 'string', description: 'the id of the proposal' },
    vote: { enum: VOTE_WORDS },
    rationale: { type: 'string', pattern: '\\S', maxLength: MOST_RATIONALE, description: 'why you vote this way' },
    conditions: {
      type: 'array',
      items: { type: 'string', pattern: '\\S', maxLength: MOST_CONDITION },
      maxItems: MOST_CONDITIONS,
      description: 'what has to hold if the proposal passes',
    },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    blocking: { type: 'boolean', description: 'for a rejection: true if no majority may outweigh it' },
    option: { type: 'string', description: 'for an approval: the id of the option that you choose, if there are several' },
  },
} as const;

/** Paths of a vote that control and the journal read. */
export const VOTE_READS = Object.keys(VOTE_SCHEMA.properties).map((key) => [key]);

/** Whether a step's output is read as a vote. */
export function isVote({ reads = [] }: { reads?: readonly (readonly (string | number)[])[] }): boolean {
  const read = new Set(reads.map(([key]) => key));
  return VOTE_READS.every(([key]) => read.has(key));
}

/** Parses a vote, or says in words what is wrong with it. Its subject is not checked here. */
export function readVote(value: Json | undefined): Vote | { problem: string } {
  if (!isJsonObject(value)) return { problem: 'it is not a vote' };
  const [proposalId, word, rationale, confidence, option] = ['proposalId', 'vote', 'rationale', 'confidence', 'option'].map(
    (key) => field(value, key) ?? undefined,
  );
  const vote = VOTE_WORDS.find((known) => known === word);
  if (!vote) return { problem: `"vote" is one of ${VOTE_WORDS.join(', ')}` };
  if (typeof proposalId !== 'string') return { problem: '"proposalId" is missing' };
  if (typeof rationale !== 'string' || rationale.trim() === '') return { problem: 'it has no rationale' };
  if (confidence !== undefined && !isShare(confidence)) return { problem: '"confidence" is a number from 0 to 1' };
  if (option !== undefined && typeof option !== 'string') return { problem: '"option" is the id of an option' };
  const conditions = textsIn(field(value, 'conditions'));
  if (!conditions) return { problem: '"conditions" is a list of texts' };
  return {
    ...{ proposalId, vote, rationale },
    ...defined({
      conditions: unlessEmpty(conditions),
      confidence,
      option,
      blocking: field(value, 'blocking') === true && vote === 'REJECT' ? (true as const) : undefined,
    }),
  };
}

function isShare(value: Json): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function textsIn(value: Json | undefined): string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string')) return undefined;
  return value.filter((text) => text.trim() !== '');
}

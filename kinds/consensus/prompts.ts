import { given } from '../../compiler/lower/parts/part-steps';
import type { Template } from '../../plan/expressions/expression';

/**
 * The prompts of the participants. The engine enforces everything that can be enforced: these only say what is expected, and in which
 * shape.
 */

const HOW_TO_VOTE = `Vote APPROVE, REJECT or ABSTAIN, and say why in \`rationale\`. List in \`conditions\` what has to hold if the proposal passes. Set \`blocking\` with a rejection only if the proposal must not be carried out, however many want it. If the proposal has options, an approval names the id of one in \`option\`. \`confidence\` says from 0 to 1 how sure you are. \`proposalId\` is the \`id\` of the proposal.

Answer with the vote as JSON, and nothing else.`;

export const VOTER_PROMPT: Template = [
  'You are one of several who vote on a proposal. Each votes alone, and one vote counts, the first. The proposal:\n\n',
  given('proposal'),
  '\n\nWhat was said about an earlier version, if there was one:\n\n',
  given('earlier'),
  `\n\n${HOW_TO_VOTE}`,
];

export const DEFAULT_PROMPT: Template = [
  'Everybody who has voted on a proposal has abstained, so you decide in their place. The proposal:\n\n',
  given('proposal'),
  '\n\nHow they have voted:\n\n',
  given('report'),
  `\n\n${HOW_TO_VOTE}`,
];

export const REVISE_PROMPT: Template = [
  'A proposal has not passed its vote. The proposal:\n\n',
  given('proposal'),
  '\n\nHow they have voted, with what they object to and what they ask for:\n\n',
  given('report'),
  `

Revise it so that the objections are met, and keep what nobody objected to. Answer with the whole of the revised proposal as JSON, and nothing else: \`title\`, \`context\` with everything that voters have to know, in its present shape (a list of tasks stays a list of tasks, because it is carried out as it is), and \`options\` if there is something to choose from.`,
];

export const PERSON_QUESTION: Template = ['You are asked to vote. Say why in the comment.\n\n', given('proposal', 'title')];
export const DEFAULT_QUESTION: Template = [
  'Everybody who has voted has abstained: you decide in their place. Say why in the comment.\n\n',
  given('proposal', 'title'),
];
/** Shown in full with the question. */
export const PROPOSAL_PREVIEW: Template = [given('proposal')];

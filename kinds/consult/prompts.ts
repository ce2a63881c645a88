import { given } from '../../compiler/lower/parts/part-steps';
import type { Template } from '../../plan/expressions/expression';

/** The advisers' prompts. The engine enforces everything that can be enforced: this only says what is expected, and in which shape. */

const CONSULTATION: Template = ['\n\nThe question, with its context, and all answers so far:\n\n', given('consultation')];

const ANSWER = `Answer with JSON, and nothing else: \`recommendation\`, \`rationale\`, \`confidence\` from 0 to 1 and, if you have them, \`references\`, \`caveats\` and an \`alternative\`. If there are \`options\`, the recommendation is one of them, word for word. Write \`design_conflict\` only if your advice contradicts the design.`;

export const ADVISER_PROMPT: Template = [
  'You are asked for advice. Others do the work and decide whether to follow it, so say what to do and why, and how sure you are. If `answers` has one of your own, you were not sure, or recommended none of the options: look once more, and say so if you still are not.',
  ...CONSULTATION,
  `\n\n${ANSWER}`,
];

export const SECOND_OPINION_PROMPT: Template = [
  'You are asked for a second opinion, because the previous adviser is not sure. Make up your own mind first, then weigh the earlier answers.',
  ...CONSULTATION,
  `\n\n${ANSWER}`,
];

import { given } from '../../compiler/lower/parts/part-steps';
import type { Template } from '../../plan/expressions/expression';

/** The prompts of the levels. The engine enforces everything that can be enforced: these only say what is expected, and in which shape. */

const RECORD: Template = ['\n\nThe issue, with what every level before has found and tried:\n\n', given('record')];

const ANSWER = `Answer with JSON, and nothing else: \`solved\` says whether it is solved now, \`diagnosis\` what the cause is, and \`tried\` what you have tried.`;

export const FIRST_PROMPT: Template = [
  'An issue holds up the work, and you are the first who is asked to solve it. Try an approach that has not been tried: read more of the context, or take a simpler way.',
  ...RECORD,
  `\n\nIf \`task\` is set, it is your present task. ${ANSWER}`,
];

export const LEVEL_PROMPT: Template = [
  'An issue has come up to you, because nobody before you could solve it. Look at it with your own knowledge and from a wider angle.',
  ...RECORD,
  `\n\n${ANSWER} Solve it yourself if you can. Otherwise write in \`recommendation\` how the first agent can solve it, or in \`redefined_task\` what that agent’s task has to be. Write \`root_cause\` only if the plan itself is wrong. If you write none of these, the issue goes further up.`,
];

export const APPLY_PROMPT: Template = [
  'An issue that you could not solve has been diagnosed by others. Carry out the last recommendation in the chain, or the task as it was redefined.',
  ...RECORD,
  `\n\n${ANSWER}`,
];

export const WORKAROUND_PROMPT: Template = [
  'Nobody has solved an issue, and those who were asked last have not answered. Take the most conservative option with which the work can go on: change as little as possible, and nothing that cannot be undone.',
  ...RECORD,
  `\n\n${ANSWER} Say in \`recommendation\` what you have done, and what still has to be solved.`,
];

export const PERSON_QUESTION: Template = [
  'An issue is left to you: nobody below could solve it. Say what to do in the comment.\n\n',
  given('record', 'issue'),
];
/** Shown in full with the question. */
export const RECORD_PREVIEW: Template = [given('record')];

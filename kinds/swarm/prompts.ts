import { given } from '../../compiler/lower/parts/part-steps';
import type { Template } from '../../plan/expressions/expression';

/** The prompts of the agents. The engine enforces everything that can be enforced: these only say what is expected, and in which shape. */

const RECORD: Template = ['\n\nThe issue, with what was found and tried so far:\n\n', given('record')];

export function diagnosisPrompt(perspective: string): Template {
  return [
    `Something blocks the run, and all agents look for its cause at the same time, each from a perspective of its own. Yours is: ${perspective}.`,
    ...RECORD,
    `

Find the cause, and change nothing. Leave out everything under \`tried\`: it has not helped. Answer with JSON, and nothing else: \`root_cause\` says what the cause is, \`fix_suggestion\` what has to be changed, both with the paths of the files and the names in them, and \`confidence\` says from 0 to 1 how sure you are. The surest and most specific diagnosis is applied.`,
  ];
}

export const FIX_PROMPT: Template = [
  'Something blocks the run, and several agents have diagnosed it. Apply the diagnosis that was chosen, with what the others have found in the same places (`complements`), and change nothing else:\n\n',
  given('diagnosis'),
  ...RECORD,
  `

Afterwards a command checks whether it is solved. Answer with JSON, and nothing else: \`applied\` says whether you have applied it, \`summary\` what you have changed, or why you could not.`,
];

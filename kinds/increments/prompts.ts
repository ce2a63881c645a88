import { given } from '../../compiler/lower/parts/part-steps';
import type { Template } from '../../plan/expressions/expression';
import { INCREMENT_DOCUMENT } from './rules/assignment';

/**
 * The prompts of the participants. The engine enforces gates, rollbacks and limits: these only say what is expected, and in which shape.
 */

export const GATES_DOCUMENT = 'gates';

export const EXECUTOR_PROMPT: Template = [
  'You deliver one increment of a plan, in a git worktree that has all increments before it. The increment:\n\n',
  given(INCREMENT_DOCUMENT),
  `

Do all its \`tasks\`, and no others. Write the tests that show that they are done. What worked before must still work: gates check the syntax, the tests that were there, and the tests of the increment.

If it has \`fix\`, an earlier attempt did not pass: repair what \`failed_gates\`, \`suggestion\` and \`review\` name. If \`rolled_back\` is true, that attempt is gone from the worktree: do the tasks again without what it broke (\`git show EARLIER_COMMIT\` shows it).

What you leave in the worktree is committed for you. Answer with JSON, and nothing else: \`summary\` says in a few sentences what you have done, and \`blocked\` lists ids of tasks that cannot be done, if there are any.`,
];

export const VALIDATOR_PROMPT: Template = [
  'You validate one increment of a plan, in the git worktree that has it. Change nothing there. The increment:\n\n',
  given(INCREMENT_DOCUMENT),
  '\n\nThe gates that this increment has failed, if any:\n\n',
  given(GATES_DOCUMENT),
  `

Look at what was done (\`git diff BASE_COMMIT\`). If all its tasks are done, and nothing has failed, the verdict is \`pass\`; otherwise \`revise\`, with \`findings\` by severity ({file, line, description, suggestion}) and a \`suggestion\` of what to do first.

Answer with JSON, and nothing else.`,
];

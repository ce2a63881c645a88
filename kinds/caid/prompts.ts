import type { Template } from '../../plan/expressions/expression';

/** What manager and engineers are told. Whatever is certain, the engine makes certain: these say only what is expected, and in which shape. */

const given = (step: string): Template[number] => ({ kind: 'output', step, path: [] });

/** @param goal what the author wants built */
export function managerPrompt(goal: Template): Template {
  return [
    'You manage a team of software engineers. You work in a git worktree of the repository; what you leave in its files is committed before any engineer begins.\n\n# What is to be built\n',
    ...goal,
    `

# What you do
1. Prepare the repository: entry points exist, imports work, stubs stand in for what is missing. Whatever runs at load time is real. Do no engineer's work.
2. Divide the work into units: whole files first, functions only of a file that is too large for one engineer. A unit names every file that it changes, and every unit that must be merged before it can begin. No two units own the same file, or the same function of it, unless one depends on the other.
3. Give each unit an acceptance command that is green when the unit is complete, in a tree that holds it and all that it depends on.
4. List in \`restricted\` what several units would touch: package entry files, lockfiles, configuration. Engineers may not change it, so prepare it now.

Answer with the graph as JSON, and nothing else.`,
    '\n\n',
    given('problems'),
  ];
}

export const ENGINEER_PROMPT: Template = [
  'You are a software engineer in a team. You work alone in a git worktree of your own. Your assignment:\n\n',
  given('assignment'),
  `

Change the target files and no others; \`restricted_files\` are patterns of paths that you may not touch; one that begins with \`!\` lifts those before it. Implement what is asked, run the acceptance command, or else the tests that import what you changed, and repair until they pass. Do not delete or weaken tests.
Where \`returned\` says why your last candidate came back, put that right first: your earlier work is in the files already, on top of what the others have merged meanwhile; where the two conflict, the files have git's conflict markers.
You need not commit: what you leave in the files is your candidate. Answer with the report as JSON, and nothing else.`,
];

/** With `isolation: shared`: words are all that keeps engineers apart. */
export const SHARED_ENGINEER_PROMPT: Template = [
  'You are a software engineer in a team. All of you work in one checkout at the same time: what the others write appears in your files, and what you write in theirs. Your assignment:\n\n',
  given('assignment'),
  `

Change the target files and no others. \`owned_by_others\` says whose the other files are, and nothing but this keeps you apart: do not finish, repair, revert or delete what is theirs, and do not switch branches, reset or stash. \`restricted_files\` are patterns of paths that nobody may touch; one that begins with \`!\` lifts those before it. Implement what is asked, run the acceptance command, or else the tests that import what you changed, and repair what is yours until they pass. Do not delete or weaken tests.
Your candidate is all that is in the checkout when you end, what others have not finished among it. Where \`returned\` says why your last candidate came back, put right first what of it is yours. Where files have git's conflict markers, resolve those in your own.
You need not commit. Answer with the report as JSON, and nothing else.`,
];

/** @param isShared its engineers work in one checkout */
export function checkPrompt(isShared: boolean): Template {
  return isShared ? [...CHECK_PROMPT, SHARED_CANDIDATE] : CHECK_PROMPT;
}

const SHARED_CANDIDATE =
  ' The candidate is all that was in the checkout of the whole team, what others have not finished among it: judge what is asked for in this assignment alone.';

const CHECK_PROMPT: Template = [
  'You manage a team of software engineers. One of them has brought a candidate; you are in a worktree of it, and what you change there is not kept. Its assignment:\n\n',
  given('assignment'),
  '\n\nWhere the team is:\n\n',
  given('team'),
  '\n\nIs the candidate what was asked for, whole, and are its tests not weakened? The merged tree is tested after you. Answer as JSON: `accepted`, and a `summary`, which the engineer gets where you do not accept it.',
];

export const REVIEW_PROMPT: Template = [
  'You manage a team of software engineers. All their work is merged, and the tests are green; you are in a worktree of the result. This is what happened:\n\n',
  given('team'),
  '\n\nReview the whole: is it what was asked for, and is nothing left undone? Answer as JSON: `accepted`, a `summary`, and `warnings`, what is not resolved.',
];

/** The final review. */
export const FINAL_REVIEW_SCHEMA = {
  type: 'object',
  required: ['accepted', 'summary'],
  properties: {
    accepted: { type: 'boolean' },
    summary: { type: 'string', maxLength: 4000 },
    warnings: { type: 'array', items: { type: 'string', maxLength: 1000 }, maxItems: 20 },
  },
  additionalProperties: false,
} as const;

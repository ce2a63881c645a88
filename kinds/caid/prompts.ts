import type { Template } from '../../plan/expressions/expression';
import type { TaskType } from './rules/team';

/**
 * The prompts of manager and engineers. The engine enforces everything that can be enforced: these only say what is expected, and in which
 * shape.
 */

const given = (step: string): Template[number] => ({ kind: 'output', step, path: [] });

/** @param goal what the author wants built */
export function managerPrompt(goal: Template, type: TaskType): Template {
  return [
    'You manage a team of software engineers. You work in a git worktree of the repository; what you leave in its files is committed before any engineer begins.\n\n# What is to be built\n',
    ...goal,
    `

# What you do
1. Prepare the repository: its dependencies can be installed, entry points exist, imports work, stubs with the types that are known stand in for what is missing. Whatever runs at load time is real. Do not do the engineers' work.
2. Divide the work into units: whole files first; divide a file by its functions only if it is too large for one engineer. Files that have to change together belong to one unit. A unit names every file that it changes, and every unit that must be merged before it can begin. No two units own the same file, or the same function of it, unless one depends on the other.
3. Give each unit an acceptance command that is green when the unit is complete, in a tree that holds it and all that it depends on.
4. Say in \`priority\` what is to be done first: \`enables_tests\` if tests can run only once the unit is there, and \`complexity\` from 1 to 5, because simple units go before complex ones.
5. List in \`restricted\` what several units would touch: package entry files, lockfiles, configuration, constants. Engineers may not change it, so prepare it now.
`,
    STRUCTURE[type],
    `
Answer with the graph as JSON, and nothing else.`,
    '\n\n',
    given('problems'),
  ];
}

/** Where the graph comes from, by the type of task. */
const STRUCTURE: Readonly<Record<TaskType, string>> = {
  general: '',
  commit0: `
# How you find the units
The files are there, and their tests say what is missing.
1. Read the import statements of every file: they are the dependencies between files, and so between units.
2. Collect the tests that the repository can run, by its own test runner, and find for each of them which files it exercises.
3. Map tests to units: the acceptance command of a unit runs the tests that exercise it, and no others.
4. Find what has to be there first: what other files import, and what most tests need. Let the others depend on it.
5. Give out whole files first. Divide a file by its functions only if many of them are not implemented.
`,
  paperbench: `
# How you find the units
Nothing but the paper says what depends on what.
1. Read the whole paper, and name its main contribution: that is what has to be reproduced. Say it in the descriptions of the units, so that every engineer knows it.
2. Infer from the contribution in which order it is implemented: what it rests on first (data, models, baselines), then the method itself, then experiments, and last the tables and figures that compare results.
3. Let units depend on each other in this order. Make them few and clear: two engineers work at once at most.
`,
};

export const ENGINEER_PROMPT: Template = [
  'You are a software engineer in a team. You work alone in a git worktree of your own. Your assignment:\n\n',
  given('assignment'),
  `

Change the target files and no others; \`restricted_files\` are patterns of paths that you may not touch; one that begins with \`!\` lifts those before it. Implement what is asked, and verify it before you answer: run the acceptance command and the tests that import or mention what you changed; if there are none, \`default_test\`, or else the repository's own default test command. Work from error messages and tracebacks, and repair until no test fails and nothing throws. Do not delete or weaken tests.
If \`returned\` says why your last candidate came back, repair that first: your earlier work is in the files already, on top of what the others have merged since; if the two conflict, the files have git's conflict markers.
You need not commit: what you leave in the files is your candidate. Answer with the report as JSON, and nothing else.`,
];

/** For `isolation: shared`: only words keep engineers apart. */
export const SHARED_ENGINEER_PROMPT: Template = [
  'You are a software engineer in a team. All of you work in one checkout at the same time: what the others write appears in your files, and what you write in theirs. Your assignment:\n\n',
  given('assignment'),
  `

Change the target files and no others. \`owned_by_others\` lists the owners of the other files, and nothing else keeps your work apart: do not finish, repair, revert or delete what is theirs, and do not switch branches, reset or stash. \`restricted_files\` are patterns of paths that nobody may touch; one that begins with \`!\` lifts those before it. Implement what is asked, and verify it before you answer: run the acceptance command and the tests that import or mention what you changed; if there are none, \`default_test\`, or else the repository's own default test command. Work from error messages and tracebacks, and repair what is yours until it passes. Do not delete or weaken tests.
Your candidate is everything in the checkout when you end, including the unfinished work of others. If \`returned\` says why your last candidate came back, first repair the part that is yours. If files have git's conflict markers, resolve those in your own.
You need not commit. Answer with the report as JSON, and nothing else.`,
];

/** @param isShared its engineers work in one checkout */
export function checkPrompt(isShared: boolean): Template {
  return isShared ? [...CHECK_PROMPT, SHARED_CANDIDATE] : CHECK_PROMPT;
}

const SHARED_CANDIDATE =
  ' The candidate is everything that was in the checkout of the whole team, including the unfinished work of others: judge only what this assignment asks for.';

const CHECK_PROMPT: Template = [
  'You manage a team of software engineers. One of them has brought a candidate; you are in a worktree of it, and what you change there is not kept. Its assignment:\n\n',
  given('assignment'),
  '\n\nThe state of the team:\n\n',
  given('team'),
  '\n\nIs the candidate everything that was asked for, and are its tests not weakened? `git diff` from `base_commit` shows what it changes: look for tests that are removed, emptied, skipped or always pass, and for files that nobody asked for. The merged tree is tested after you. Answer as JSON: `accepted`, and a `summary`, which the engineer gets if you do not accept it.',
];

export const REVIEW_PROMPT: Template = [
  'You manage a team of software engineers. All their work is merged, and the tests are green; you are in a worktree of the result. This is what happened:\n\n',
  given('team'),
  '\n\nReview the whole: is it what was asked for, and is nothing left undone? `warnings` of the record list what the merge queue has pointed out, such as tests that were removed or files that no task names: look at each. Answer as JSON: `accepted`, a `summary`, and `warnings` with what is not resolved.',
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

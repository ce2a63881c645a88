import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WRITTEN_KINDS } from '../../compiler/language/kinds';
import { STEP_KINDS } from '../../kinds/traits';
import { ROOT, sourcesIn } from './sources';

/** A kind of step is a folder. All other code asks its traits, or looks at the fields of the step. */
const ROOMS = ['plan', 'compiler', 'workflows', 'activities', 'worker', 'client', 'cli'];
/** The table of the kinds' `run.ts`. */
const RUNS = ['workflows/kinds.ts'];

/** The number of questions in each file about the kind of something else that shares a word. */
const OTHER_UNIONS: Readonly<Record<string, number>> = {
  // Actions.
  'plan/steps/action.ts': 4,
  'plan/steps/opens-gate.ts': 1,
  'compiler/lower/action.ts': 3,
  'workflows/interpreter/steps/actions.ts': 3,
  'cli/testing/coverage/reached.ts': 1,
  // Targets of an escalation.
  'compiler/lower/people/escalation.ts': 2,
  'workflows/interpreter/steps/escalation.ts': 3,
  'cli/pipelines/agent-list.ts': 1,
  'cli/rendering/policy.ts': 1,
  // The form in which a Lobster step is written.
  'compiler/lobster/file/executor.ts': 1,
  'compiler/lobster/file/step.ts': 4,
  // Blocks in the compiler.
  'compiler/lower/path-to-step.ts': 1,
  // Pauses of an agent, and its requests to its run.
  'workflows/interpreter/agents/agent-call.ts': 1,
  'workflows/interpreter/agents/run-requests.ts': 3,
  // Gates and notices: the kind of answer that a person gives.
  'workflows/interpreter/gates/decisions.ts': 1,
  'workflows/interpreter/gates/gate-view.ts': 1,
  'workflows/interpreter/context/gate-call.ts': 1,
  'workflows/interpreter/gates/open-gate.ts': 1,
  'workflows/interpreter/rerun/memory-before.ts': 1,
  'workflows/interpreter/views/waits-for.ts': 1,
  'activities/gates/notice-text.ts': 2,
  'activities/adapters/notify/buttons.ts': 1,
  'client/callbacks/decide.ts': 1,
  'client/callbacks/gate-page.ts': 1,
  // Names of signals.
  'workflows/interpreter/inbound/inbound.ts': 2,
  // Calls in the log of a try.
  'workflows/interpreter/budget/budget-sharers.ts': 1,
  'workflows/interpreter/context/open-entries.ts': 3,
  'workflows/interpreter/cancellation/recover-results.ts': 1,
  // The ways to merge commits, and the actions of a merge queue.
  'activities/adapters/git/merges.ts': 1,
  'workflows/queue/calls.ts': 1,
  'client/decide-all.ts': 1,
  'cli/commands/decide.ts': 2,
  'cli/following/answer-gates.ts': 1,
  'cli/lobster/ask-at-terminal.ts': 1,
  'cli/lobster/conversation.ts': 2,
  'cli/rendering/answer.ts': 1,
  'cli/rendering/gate.ts': 1,
  // Reasons and progress, entries of the journal, names for completion, calls of a test.
  'cli/rendering/changes.ts': 2,
  'plan/graph/graph-shape.ts': 2,
  'client/step-reasons.ts': 1,
  'client/wait-reasons.ts': 1,
  'plan/patterns/execution.ts': 1,
  'cli/rendering/journal.ts': 3,
  'cli/completion/completions.ts': 2,
  'cli/testing/test-facts.ts': 1,
  'cli/testing/stand-in-commands.ts': 1,
};

test('nobody outside of the slices asks a step for its kind by name', () => {
  const names = STEP_KINDS.join('|');
  const question = new RegExp(`kind [!=]==? '(${names})'|case '(${names})':`, 'g');
  const found = Object.fromEntries(
    sourcesIn(ROOMS).flatMap(([file, text]) => {
      const count = [...text.matchAll(question)].length;
      return count === 0 || RUNS.some((run) => file.startsWith(run)) ? [] : [[file, count]];
    }),
  );
  expect(found).toEqual(OTHER_UNIONS);
});

/** Pipes of stages come from Lobster's files, which have a compiler of their own. */
const ROLES = ['model', 'traits', 'describe'];
const WRITTEN_ROLES = ['keys', 'lower'];

describe('every kind has its roles', () => {
  it.each(STEP_KINDS)('%s', (kind) => {
    const written = WRITTEN_KINDS.some((one) => one === kind);
    const missing = [...ROLES, ...(written ? WRITTEN_ROLES : [])].filter(
      (role) => !existsSync(join(ROOT, 'kinds', folderOf(kind), `${role}.ts`)),
    );
    expect(missing).toEqual([]);
  });
});

/** docs/internals/guides.md, "How to add a kind", lists them. */
const TABLES = [
  'compiler/language/kinds.ts',
  'compiler/lower/kinds.ts',
  'kinds/descriptions.ts',
  'kinds/traits.ts',
  'plan/steps/step.ts',
  'workflows/kinds.ts',
];

/** Tables of what only some kinds have: a reader of their own, rules, signals in the journal, replies, what they keep. */
const FURTHER_TABLES = [
  'compiler/shape/kinds.ts',
  'compiler/shape/source.ts',
  'kinds/replies.ts',
  'plan/patterns/feedback.ts',
  'plan/patterns/rule.ts',
  'workflows/interpreter/state/kept-by-kind.ts',
];

/** Who else knows a kind: kinds that are made of it, the mappings of a file, and the reports on teams. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  caid: [
    'cli/teams/final-tests.ts',
    'cli/teams/report.ts',
    'cli/teams/team-comparison.ts',
    'cli/teams/team-gantt.ts',
    'cli/teams/team-report-page.ts',
    'cli/teams/team-report.ts',
  ],
  consensus: ['kinds/consult/design-conflict.ts', 'kinds/parallel/fan-in.ts'],
  coordinate: ['kinds/post-mortem/read.ts'],
  post_mortem: ['compiler/language/mappings.ts'],
  review: ['kinds/agent/run.ts'],
};

describe('outside of its folder a kind is known to tables', () => {
  const all = sourcesIn(['kinds', ...ROOMS]);
  const tables = [...TABLES, ...FURTHER_TABLES];

  /** Files that import from the folder. `more`: that say this, too. */
  const knowing = (kind: string, more = ''): string[] => {
    const folder = folderOf(kind);
    const anywhere = new RegExp(`kinds/${folder}/${more}`, 'm');
    const amongKinds = new RegExp(`'(?:\\.{1,2}/)+${folder}/${more}`, 'm');
    return all.flatMap(([file, text]) => {
      if (file.startsWith(`kinds/${folder}/`)) return [];
      return (file.startsWith('kinds/') ? amongKinds : anywhere).test(text) ? [file] : [];
    });
  };

  it.each(STEP_KINDS)('%s', (kind) => {
    expect(knowing(kind).filter((file) => !tables.includes(file))).toEqual(OTHERS[kind] ?? []);
  });

  it.each([
    ['repeat', 'has a block and a gate'],
    ['swarm', 'has rules and parts, and an action calls it'],
    ['tracks', 'has rules and parts'],
  ])('%s, which %s, is named by at most 8 files, besides those of a kind that is made of it', (kind) => {
    const naming = knowing(kind, `|'${kind}'|^ +${kind}: `).filter((file) => !file.startsWith('kinds/coordinate/'));
    expect(naming.filter((file) => !tables.includes(file))).toEqual([]);
    expect(naming.length).toBeLessThanOrEqual(8);
  });

  it('the page lists the tables', () => {
    const page = readFileSync(join(ROOT, 'docs/internals/guides.md'), 'utf8');
    expect(tables.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
  });
});

function folderOf(kind: string): string {
  return kind.replaceAll('_', '-');
}

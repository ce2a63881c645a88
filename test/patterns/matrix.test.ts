import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS, type Column, matrixOf, patternTests } from './pattern-tests';

/**
 * `docs/evidence/patterns.md` has a list for each pattern with the names of its tests. `UPDATE=1 npx jest test/patterns/matrix` rewrites
 * the lists.
 */
const PAGE = join(__dirname, '../../docs/evidence/patterns.md');
const TESTS = patternTests();
const PATTERNS = [...new Set(TESTS.map(({ pattern }) => pattern))].sort();

/** Why a column of a pattern is empty. */
const EMPTY: Readonly<Record<string, Partial<Record<Column, string>>>> = {
  'CP-1': {
    'time-out': 'a pipeline has none; a stage has the time of its agent or command (test/interpreter/failures)',
    'late answer': 'a stage is asked once at a time, and an agent that is called off is nobody’s (test/interpreter/cancelled-work)',
    duplicate: 'a stage has one output',
    'silence/abstention': 'a stage that is silent runs into the time of its agent',
    budget: 'stages are steps, whose budgets have tests of their own (test/interpreter/budget)',
    'continue-as-new': 'stages are steps, carried over in test/interpreter/continue-as-new',
    'rerun from inside': 'a rerun begins at a stage as at any step (test/interpreter/rerun)',
  },
  'CP-2': {
    'time-out': 'a round has the times of its two steps',
    'late answer': 'nobody is asked but producer and reviewer, one after the other',
    duplicate: 'a round has one report',
    'silence/abstention':
      'a reviewer that is silent runs into its timeout, and one without a verdict is asked again (test/language, `reply.`)',
    'worker killed': 'the run of the main job is killed in its review rounds (test/durability/kill-worker, test/main-job)',
    pause: 'no step of a round starts in a paused run (test/interpreter/review)',
    budget: 'producer and reviewer are steps, whose budgets have tests of their own (test/interpreter/budget)',
    'rerun from inside': 'a rerun begins at the producer or the review as at any step (test/interpreter/rerun)',
  },
  'CP-3': {
    'late answer': 'a branch that is called off has no answer any more; what it cost counts (test/interpreter/cancelled-branches)',
    duplicate: 'a branch has one output',
    'silence/abstention': 'a branch that is silent runs into the time of the step',
    'worker killed': 'branches of a run are killed in test/durability/kill-worker and in the simulation of test/properties',
    pause: 'no branch starts in a paused run (test/interpreter/parallel)',
    budget: 'branches share the budget of the step (test/interpreter/budget-shares)',
    'rerun from inside': 'a rerun begins at a branch as at any step (test/interpreter/rerun-within)',
  },
  'CP-4': {},
  'CP-8': {
    duplicate: 'advisers are steps, whose results are recorded once (test/activities)',
  },
  'CP-6': {},
  'CP-11': {
    roles: 'producer and consumers are steps of the pipeline, with the agents that these name',
  },
};

test('a test of a pattern is named for a column of the matrix', () => {
  expect(TESTS.filter(({ column }) => !COLUMNS.some((known) => known === column))).toEqual([]);
});

test('no column of a pattern is empty without a reason', () => {
  const empty = PATTERNS.flatMap((pattern) =>
    COLUMNS.flatMap((column) =>
      TESTS.some((one) => one.pattern === pattern && one.column === column) || EMPTY[pattern]?.[column] !== undefined
        ? []
        : [`${pattern} ${column}`],
    ),
  );
  expect(empty).toEqual([]);
});

test.each(PATTERNS)('the page has what tests show of %s', (pattern) => {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [`<!-- part: tests ${pattern} -->\n`, '<!-- end -->'];
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end, from);
  expect(from).toBeGreaterThan(begin.length);
  const list = `${matrixOf(pattern, TESTS, EMPTY[pattern] ?? {})}\n`;
  if (process.env['UPDATE'] !== undefined) writeFileSync(PAGE, page.slice(0, from) + list + page.slice(to));
  else expect(page.slice(from, to)).toBe(list);
});

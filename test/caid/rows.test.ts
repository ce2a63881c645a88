import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, testRows } from '../support/rows';

/** For each rule of the method, the test that shows it. */
const ROWS: readonly Row[] = [
  ['1 pre-setup', 'interpreter/caid.test.ts', 'assigns what is ready, lands it, and then what waits for it'],
  ['2 dependency graph', 'caid/graph.test.ts', 'is refused with all that is wrong with it'],
  ['2 ready set', 'caid/machine.test.ts', 'a task begins when all that it waits for is merged, not when that is done'],
  [
    '3 priority',
    'caid/machine.test.ts',
    'what enables tests goes first, then what is upstream, simpler, and has the longest path after it',
  ],
  [
    '4 engineers',
    'interpreter/caid-graph.test.ts',
    'of as many units as there may be is done by as many engineers as there are, one of one unit by one',
  ],
  [
    '5 assignment',
    'interpreter/caid.test.ts',
    'sends what comes back to its engineer, with why, what it had left, and a base that is up to date',
  ],
  ['6 isolation', 'worktrees/worktree.test.ts', 'lies in no checkout, on a branch of its own, with ports of its own'],
  ['6 isolation by words, to compare', 'interpreter/caid-shared.test.ts', 'are at work in it at the same time, and it is made once'],
  ['6 dependencies of its own', 'worktrees/worktree.test.ts', 'come from the checkout, and lead back to nothing in it'],
  ['7 loop', 'caid/machine.test.ts', 'any completion is taken as it comes, and a slot is free once its candidate is submitted'],
  ['8 self-verification', 'interpreter/caid.test.ts', 'believes an engineer whose tests were %s, where that is how it is verified'],
  [
    '9 integration gate',
    'interpreter/caid.test.ts',
    'tests each merge by the acceptance of all that is merged and of the candidate, if the step has no test',
  ],
  ['10 conflicts', 'caid/machine.test.ts', 'what comes back goes to its author, before anything new'],
  ['10 a person', 'interpreter/caid.test.ts', 'asks a person about a task that keeps coming back, who may leave it out'],
  ['11 restricted files', 'caid/restricted.test.ts', 'lift the default set for a task’s own files, and for no other of the same name'],
  ['12 sync', 'interpreter/caid.test.ts', 'tells an engineer at work where the target has moved to, with its next try'],
  ['13 record', 'interpreter/caid.test.ts', 'gives its manager a record of bounded size, whatever engineers say'],
  ['14 termination', 'caid/machine.test.ts', 'once the busiest slot has used its rounds nothing is assigned any more'],
  ['15 final review', 'interpreter/caid.test.ts', 'does not end before its manager has accepted it'],
  ['16 clean-up', 'interpreter/caid-waits.test.ts', 'leaves nothing open if it is cancelled at %s'],
  ['17 verification', 'interpreter/caid.test.ts', 'asks a person about each candidate if that is how it is verified'],
  ['18 durability', 'interpreter/caid-waits.test.ts', 'comes to the same with a fresh execution at each, and after every few activities'],
  [
    '18 kills',
    'durability/team-proof.test.ts',
    'two engineers restore a part of it, one of whom is wrong, and the other rewrites history; worker, server and a git are killed',
  ],
];

testRows(ROWS);

test('row 19 use it from the outset: a team after one agent that failed has a warning', () => {
  expect(readFileSync(join(__dirname, '..', 'cases', 'caid.fallback.case'), 'utf8')).toContain('caid.fallback');
});

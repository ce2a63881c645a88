import { type Row, testRows } from '../support/rows';

/** What a worktree is for the writer of a pipeline: each row is a sentence about it and the test that shows it. */
const ROWS: readonly Row[] = [
  [
    'a worktree of its own, on a branch of its own',
    'worktrees/worktree.test.ts',
    'lies in no checkout, on a branch of its own, with ports of its own',
  ],
  ['from repo and base', 'worktrees/resolve.test.ts', 'has its base by any name, and what is to be copied and kept'],
  ['from the base of a remote', 'worktrees/resolve.test.ts', 'has the base, and the checkout the files outside git'],
  ['every attempt is committed and pushed', 'interpreter/worktrees.test.ts', 'leaves what it has done to the next try, even if it fails'],
  [
    '… to a ref of its run and epoch',
    'worktrees/worktree.test.ts',
    'is saved to the ref of its run and epoch, once or twice, and restored to any commit',
  ],
  [
    '… before its result is recorded',
    'activities/worktrees.test.ts',
    'begins from what was saved last, works in the worktree, and is recorded once its work is saved',
  ],
  ['copy', 'worktrees/resolve.test.ts', 'has its base by any name, and what is to be copied and kept'],
  ['setup', 'worktrees/worktree.test.ts', 'is set up once, is found as it was left, and is set up again if that did not complete'],
  ['setup that fails', 'activities/worktrees.test.ts', 'whose setup fails leaves nothing behind'],
  ['teardown and keep', 'worktrees/worktree.test.ts', 'is removed if its teardown fails, which is said; and stays if it is to be kept'],
  ['ports', 'worktrees/worktree.test.ts', 'lies in no checkout, on a branch of its own, with ports of its own'],
  ['dependencies: Node', 'worktrees/isolation.test.ts', 'does not resolve into the main checkout: Node'],
  ['dependencies: Python', 'worktrees/isolation.test.ts', 'does not resolve into the main checkout: Python'],
  ['sharing by name', 'interpreter/worktrees.test.ts', 'works on the host that has made it, from what the step before has left there'],
  ['two steps never share one at a time', 'interpreter/worktrees.test.ts', 'are there one after the other, and others next to them'],
  [
    'no fallback to the checkout',
    'activities/worktrees.test.ts',
    'is nothing for a worker without worktrees: it never falls back to the checkout',
  ],
  [
    'a dead host’s worktree goes to another',
    'interpreter/worktrees.test.ts',
    'loses it to another, which begins with what was pushed, and the journal says so',
  ],
  ['… on real processes', 'durability/worktrees.test.ts', 'another one goes on from the last pushed commit'],
  [
    'a lease with an epoch fences the old host out',
    'activities/worktrees.test.ts',
    'records nothing once another host has the worktree, whenever that was',
  ],
  [
    'list and prune',
    'cli/worktree.test.ts',
    'of a worktree: its run, step, state, repository, branch, epoch, host and folder, and why it is not in use',
  ],
  [
    'janitor: what a dead host left',
    'worktrees/care-janitor.test.ts',
    'removes what another host took over once that was known for the grace time',
  ],
  [
    'janitor: never what a run needs',
    'worktrees/care-janitor.test.ts',
    'removes folder, branch and record of an ended run, and nothing of one that goes on',
  ],
  [
    'janitor: never another run’s refs',
    'worktrees/care-janitor.test.ts',
    'go when the run ended long ago; those of open runs, of young ones and of others’ stay',
  ],
];

testRows(ROWS);

import { type Row, testRows } from '../support/rows';

/** For each rule of boards, the test that shows it. */
const ROWS: readonly Row[] = [
  ['1 members', 'board/messages.test.ts', 'a name that is idle, shut down or failed starts it again'],
  ['1 one that works', 'board/messages.test.ts', 'one that works'],
  [
    '2 WORK',
    'board/claims.test.ts',
    'a WORK that ends with its own task open is reminded once, then the task goes back and an attempt is used',
  ],
  ['2 the cap', 'activities/member-turn.test.ts', 'after so many replies as it may have: the cap is an end, and no failure'],
  ['2 idle', 'activities/member-turn.test.ts', 'with `idle`, and no further reply is paid'],
  [
    '2 the inbox before every turn',
    'activities/member-exchanges.test.ts',
    'a message that came is shown behind the result of a call, and is read with that turn',
  ],
  ['3 IDLE', 'board/seed.test.ts', 'after %s is %3$s'],
  ['3 inbox before the board', 'board/seed.test.ts', 'takes its inbox before the board'],
  ['3 anew after each WORK', 'board/seed.test.ts', 'takes what comes when it comes, and idles for as long again after each WORK'],
  ['4 claimable', 'board/seed.test.ts', 'a task with a role goes to a member with it, and one without to anybody'],
  ['4 by number', 'board/seed.test.ts', 'tasks go by priority, then by number: 10 comes after 2'],
  ['5 a claim', 'board/claims.test.ts', 'of 100 claims of one task one wins, and the other 99 learn who has it'],
  ['5 refusals', 'board/claims.test.ts', 'a claim is refused as a result that says why'],
  [
    '5 the words of a claim',
    'activities/board/board-work.test.ts',
    'a task that is claimed for a member has the words of the seed, and its description',
  ],
  ['6 identity, whatever a WORK begins with', 'activities/member-turn.test.ts', 'begins with who it is, and goes on in the next WORK'],
  ['6 after a summary', 'activities/member-turn.test.ts', 'begins anew, with who it is, at a summary'],
  ['7 tools', 'tools/board/members.test.ts', '%s comes with membership: agents do not list it, and nobody else has it'],
  ['7 completing', 'board/claims.test.ts', 'completing a task takes it out of each blocked_by'],
  ['8 messages', 'board/messages.test.ts', 'a message stays in the inbox until the turn with it is recorded'],
  ['8 shutting down', 'board/messages.test.ts', 'that is approved ends the member when its WORK ends'],
  ['8 for a bounded time', 'board/messages.test.ts', 'without an answer after %i ms'],
  ['8 plans', 'board/messages.test.ts', 'waits for the lead, whose answer (%s) is the answer of the call'],
  ['9 the board and the team', 'cli/board.test.ts', 'a board is a line for each task, and the team'],
  ['9 an inbox', 'interpreter/board-query.test.ts', 'shows the messages of the member that was asked for, and of nobody else'],
  ['10 failure', 'board/claims.test.ts', 'a member whose model fails for good is failed, and its task is tried by another'],
  [
    '11 a worktree of its own',
    'interpreter/board-worktrees.test.ts',
    'each task is done in a worktree of its own, and completed once it has landed: only then what waits for it begins',
  ],
  [
    '11 uncommitted work stays',
    'worktrees/spared.test.ts',
    'is kept, for the janitor too, if somebody has changed it since: until a person names its run',
  ],
  ['12 three tasks, two teammates', 'board/seed.test.ts', 'three tasks, two teammates: all are claimed without assignment'],
  ['12 one coder', 'board/seed.test.ts', 'one coder finds work by itself'],
  ['12 the blocked order', 'board/seed.test.ts', 'the blocked order holds'],
];

testRows(ROWS);

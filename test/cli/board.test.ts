import { renderLetters, renderTask } from '../../cli/rendering/board';
import { itemsWithin } from '../../cli/rendering/kind-words';
import type { TaskDetails } from '../../plan/board/board-details';
import { boardLines } from '../../plan/board/board-lines';
import type { StepView } from '../../plan/run/status';
import { fakeTerminal } from './fake-terminal';

const { colors } = fakeTerminal();
const AT = '2026-11-29T03:51:15.237Z';
const TASK: TaskDetails = { id: 3, subject: 'Write the parser', status: 'pending', created_by: '(board)', created_at: AT, attempts: 0 };

test('a task that nobody has claimed is its line and when it came', () => {
  expect(renderTask(TASK, {}, colors)).toMatch(/^\[ \] #3: Write the parser\ncreated: +2026-11-\d\d \d\d:\d\d:\d\d\n$/);
});

test('a task shows who has it, what it costs, who gave it back and why, and its texts in whole', () => {
  const task: TaskDetails = {
    ...TASK,
    ...{ status: 'completed', owner: 'alice', created_by: 'fran', claimed_at: AT, claim_source: 'manual', ended_at: AT, attempts: 2 },
    ...{ cost: 0.25, priority: 1, blocked_by: [1], returned: { by: 'bob', reason: 'no…' } },
  };
  const texts = { description: 'As the page says.\nIn two lines.', returned: 'no compiler here', result: 'It is written.\u001b[31m' };
  const lines = renderTask(task, texts, colors).split('\n');
  expect(lines[0]).toBe('[x] #3: Write the parser @alice (blocked by #1)');
  expect(lines.slice(1, 7).map((line) => line.replace(/ +/g, ' ').replace(/2026-11-\d\d \d\d:\d\d:\d\d/, 'AT'))).toEqual([
    'created: AT by fran',
    'claimed: AT by alice, itself',
    'ended: AT',
    'priority: 1',
    'attempts: 2',
    'cost: $0.2500',
  ]);
  expect(lines.slice(7).join('\n')).toBe(
    '\ndescription:\nAs the page says.\nIn two lines.\n\ncame back from bob:\nno compiler here\n\nresult:\nIt is written.\n',
  );
});

test('messages say from whom, what they are, when, and what they ask', () => {
  const message = { id: 'm1', type: 'message' as const, from: 'bob', to: 'alice', content: 'Hello\nthere', characters: 11, at: AT };
  const plan = { ...message, type: 'plan_approval' as const, content: 'First this.', requestId: 'plan-1' };
  expect(renderLetters([message, plan], colors).replace(/2026-11-\d\d \d\d:\d\d:\d\d/g, 'AT')).toBe(
    'bob  message, AT\nHello\nthere\n\nbob  plan_approval plan-1, AT\nFirst this.\n',
  );
});

test('in a tree a task is one line, also if a program has given it back with many', () => {
  const task = { number: 1, subject: 'a', status: 'pending' as const, blockedBy: [], attempt: 1, returned: 'exit code 2:\n\n  usage: x' };
  const board = { team: 'crew', tasks: [task], completed: 0, total: 1, members: [] };
  const step = { address: 'team', kind: 'board', state: 'running', board } as unknown as StepView;
  expect(itemsWithin(step).map(({ words }) => words)).toEqual(['a, waits for a free member, came back: exit code 2: usage: x']);
});

test('a board is a line for each task, and the team', () => {
  const board = {
    ...{ completed: 1, total: 4 },
    tasks: [
      { id: 1, subject: 'a', status: 'completed' as const, owner: 'alice', required_role: 'pilot' },
      { id: 2, subject: 'b', status: 'in_progress' as const, owner: 'bob' },
      { id: 3, subject: 'c', status: 'pending' as const, blocked_by: [2], required_role: 'critic', for_nobody: true as const },
      { id: 4, subject: 'd', status: 'pending' as const, required_role: 'coder' },
    ],
    members: [{ name: 'alice', role: 'coder', status: 'idle' as const }],
  };
  expect(boardLines(board)).toBe(
    [
      '[x] #1: a @alice (for pilot)',
      '[>] #2: b @bob',
      '[ ] #3: c (blocked by #2; for critic, which nobody here is)',
      '[ ] #4: d (for coder)',
      '1 of 4 completed',
      'Team: alice (coder): idle',
    ].join('\n'),
  );
});

import { boardBench } from './board-bench';

const LONG = 'x'.repeat(300);

test('a task is claimed by its number or name, in whatever way it is written', async () => {
  const { calls, asked } = boardBench();
  for (const task_id of [12, '12', '#12', ' lexer ']) await calls('claim_task', { task_id });
  expect(asked.map((request) => 'task' in request && request.task)).toEqual([12, '12', '#12', 'lexer']);
  expect(await calls('claim_task', { task_id: ' ' })).toMatchObject({ refused: true, text: expect.stringContaining('list_tasks') });
});

test('a task with a work of its own ends the work in which it is claimed', async () => {
  const { calls } = boardBench({ answer: () => ({ said: { claimed: { id: 2, subject: 'parse' }, begins_with_next_work: true } }) });
  expect(await calls('claim_task', { task_id: 2 })).toMatchObject({
    effect: { ends: 'claimed' },
    text: expect.stringContaining('"id":2'),
  });
});

test('what the board refuses is the result of the call', async () => {
  const { calls } = boardBench({ answer: () => ({ said: { refused: 'already_claimed', by: 'bob' }, refused: true }) });
  expect(await calls('claim_task', { task_id: 1 })).toEqual({ text: '{"refused":"already_claimed","by":"bob"}', refused: true });
});

test('a task that is completed without its number is the one that the member owns', async () => {
  const { calls, asked } = boardBench();
  await calls('complete_task');
  await calls('complete_task', { task_id: 2, result: 'done' });
  expect(asked).toEqual([{ kind: 'complete_task' }, { kind: 'complete_task', task: 2, result: { text: 'done' } }]);
});

test('a long result is in the store, and the request has its beginning', async () => {
  const { calls, asked, toolbox } = boardBench();
  await calls('complete_task', { result: LONG });
  const [request] = asked;
  if (request?.kind !== 'complete_task' || !request.result?.whole) throw new Error('it is not stored');
  expect(request.result.text).toHaveLength(200);
  expect((await toolbox.artifacts.get(request.result.whole)).toString()).toBe(LONG);
});

test('a task is failed with a reason', async () => {
  const { calls, asked } = boardBench();
  expect(await calls('fail_task', { reason: ' ' })).toMatchObject({ refused: true });
  await calls('fail_task', { reason: 'no compiler here' });
  expect(asked).toEqual([{ kind: 'fail_task', reason: 'no compiler here' }]);
});

test('a task is created with its text in the store', async () => {
  const { calls, asked, toolbox } = boardBench();
  await calls('create_task', {
    subject: ' Write ',
    description: 'All of it',
    name: 'w',
    blocked_by: ['#1', 2],
    required_role: 'coder',
    priority: 3,
    worktree: true,
  });
  const [request] = asked;
  if (request?.kind !== 'create_task' || !request.task.description) throw new Error('no description');
  const { description, ...task } = request.task;
  expect(task).toEqual({ subject: 'Write', name: 'w', blockedBy: ['#1', 2], requiredRole: 'coder', priority: 3, worktree: true });
  expect((await toolbox.artifacts.get(description)).toString()).toBe('All of it');
});

test.each([
  ['an empty subject', { subject: '  ' }, 'must say something'],
  ['a subject of several lines', { subject: 'a\nb' }, 'put what follows'],
  ['a subject with another end of a line', { subject: 'a\u2028b' }, 'has several lines'],
  ['a subject that a terminal obeys', { subject: 'a\u001b[31mb' }, 'has control characters'],
  ['a long subject', { subject: LONG }, 'put the rest into'],
  ['a task that blocks itself', { subject: 'a', name: 'a', blocked_by: ['a'] }, 'a → a'],
  ['a task of 1 MB', { subject: 'a', description: 'x'.repeat(1024 * 1024) }, 'at most 64 KiB'],
])('refuses %s, and asks the board nothing', async (_, args, says) => {
  const { calls, asked } = boardBench();
  expect(await calls('create_task', args)).toMatchObject({ refused: true, text: expect.stringContaining(says) });
  expect(asked).toEqual([]);
});

test('the board is shown with owners', async () => {
  const { calls } = boardBench();
  expect((await calls('list_tasks')).text.split('\n').slice(0, 3)).toEqual([
    '[>] #2: Write the parser @alice',
    '[x] #1: Write the lexer',
    '1 of 2 completed',
  ]);
});

test('idle ends the work', async () => {
  const { calls, asked } = boardBench();
  expect(await calls('idle')).toMatchObject({ effect: { ends: 'idle' } });
  expect(asked).toEqual([]);
});

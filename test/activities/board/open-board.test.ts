import { LocalSecrets } from '../../../activities/adapters/secrets';
import { openBoard } from '../../../activities/board/open-board';
import type { OpenedBoard } from '../../../plan/board/board-activities';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { BoardStep } from '../../../plan/steps/step';
import type { Json } from '../../../plan/text/json';
import { failureOf, KEY, literal, outputTemplate, type Workshop, workshop } from '../workshop';

const SECRET = 'abc+def/ghi=JKL';
const STEP = {
  ...{ id: 'team', kind: 'board', parts: [], team: 'crew', members: [], tasks: { list: [] }, spawns: [], mostMembers: 8 },
  ...{ idleMs: 60_000, shutdownMs: 300_000, maxTurns: 50, attempts: 3, until: 'idle' },
} as const satisfies BoardStep;

interface Scene extends Workshop {
  begin(step: Partial<BoardStep>, plan?: Json): Promise<OpenedBoard>;
  textOf(ref: ArtifactRef | undefined): Promise<string | undefined>;
}

function scene(): Scene {
  const at = workshop({ secrets: new LocalSecrets({ TOK: SECRET }) });
  return {
    ...at,
    async begin(step, plan = null) {
      await at.open([{ ...STEP, ...step }], { args: { tok: { secret: true } } }, undefined, { tok: 'secret://env/TOK' });
      const ref = await at.artifacts.put(JSON.stringify(plan), { mediaType: 'application/json' });
      return await openBoard(at.toolbox, at.call('team#1~1/open'), { run: KEY.run, inputs: { plan: ref } });
    },
    textOf: async (ref) => ref && (await at.artifacts.get(ref)).toString('utf8'),
  };
}

const FROM: Pick<BoardStep, 'tasks'> = { tasks: { from: { kind: 'output', step: 'plan', path: [] } } };
const listed = (plan: Json) => scene().begin(FROM, plan);

test('the texts of the file are rendered, masked and stored', async () => {
  const at = scene();
  const template = await at.blob([literal('Read '), ...outputTemplate('plan', 'page'), literal('.')]);
  const { members, tasks } = await at.begin(
    {
      members: [
        { name: 'alice', agent: 'bull', role: 'coder', prompt: template },
        { name: 'bob', agent: 'bull' },
      ],
      tasks: {
        list: [
          { name: 'read', subject: 'Read it', description: template },
          { subject: 'Ship', blockedBy: ['read'], priority: 2 },
        ],
      },
    },
    { page: `page ${SECRET}` },
  );
  expect(members).toEqual([
    { name: 'alice', agent: 'bull', role: 'coder', prompt: expect.objectContaining({ mediaType: 'text/plain' }) },
    { name: 'bob', agent: 'bull' },
  ]);
  expect(tasks).toMatchObject([
    { name: 'read', subject: 'Read it' },
    { subject: 'Ship', blockedBy: ['read'], priority: 2 },
  ]);
  for (const ref of [members[0]?.prompt, tasks[0]?.description]) {
    const text = await at.textOf(ref);
    expect(text).toMatch(/^Read page .+\.$/);
    expect(text).not.toContain(SECRET);
  }
});

test('a list of a planner is read in its own spelling, and its descriptions are stored', async () => {
  const at = scene();
  const { tasks } = await at.begin(FROM, {
    tasks: [
      { id: 1, title: ' Lex ', description: 'All of it' },
      { name: 'parse', subject: 'Parse', blocked_by: [1], required_role: 'coder', priority: 3 },
      { id: '#7', subject: 'Review', blockedBy: ['parse', '1'], requiredRole: null, priority: null },
      { subject: 'Ship', blocked_by: 7 },
    ],
  });
  const { description, ...first } = tasks[0] ?? { subject: '' };
  expect(first).toEqual({ name: 'task-1', subject: 'Lex' });
  await expect(at.textOf(description)).resolves.toBe('All of it');
  expect(tasks.slice(1)).toEqual([
    { name: 'parse', subject: 'Parse', blockedBy: ['task-1'], requiredRole: 'coder', priority: 3 },
    { name: 'task-7', subject: 'Review', blockedBy: ['parse', 'task-1'] },
    { subject: 'Ship', blockedBy: ['task-7'] },
  ]);
});

test('items say whether they have a worktree, and what it is called', async () => {
  const { tasks } = await listed([true, false, 'tree.1', null].map((worktree) => ({ subject: 'a', worktree })));
  expect(tasks.map(({ worktree }) => worktree)).toEqual([true, false, 'tree.1', undefined]);
});

test('without numbers of its own, a list means those of the board', async () => {
  const { tasks } = await listed([{ subject: 'a' }, { subject: 'b', blocked_by: ['#1', 1] }]);
  expect(tasks).toEqual([{ subject: 'a' }, { subject: 'b', blockedBy: [1, 1] }]);
});

test('secrets in a list are masked, in subjects as in descriptions', async () => {
  const at = scene();
  const { tasks } = await at.begin(FROM, [{ subject: `Use ${SECRET}`, description: `It is ${SECRET}`, name: SECRET }]);
  expect(JSON.stringify(tasks)).not.toContain(SECRET);
  await expect(at.textOf(tasks[0]?.description)).resolves.not.toContain(SECRET);
});

const KIB = 1024;

test.each<[string, Json, string]>([
  ['a text', 'Write the parser', 'tasks is a string, not a list'],
  ['nothing', null, 'tasks is null, not a list'],
  ['a mapping of something else', { todo: [] }, 'tasks is a mapping, not a list'],
  ['a number', { tasks: 3 }, 'tasks is a mapping, not a list'],
  ['more than can be meant', Array.from({ length: 1001 }, () => ({ subject: 'a' })), 'there are 1001 tasks; at most 1000 are allowed'],
  ['a text among tasks', [{ subject: 'a' }, 'b'], 'tasks[1] is a string, not a mapping with a subject'],
  ['a task without a subject', [{}], 'tasks[0].subject is missing'],
  ['a blank subject', [{ subject: ' ' }], 'tasks[0].subject is missing'],
  ['a subject that is a list', [{ subject: ['a'] }], 'tasks[0].subject is a list, not a text'],
  ['a subject of two lines', [{ subject: 'a\nb' }], 'tasks[0].subject has several lines: put what follows the first into its description'],
  ['a subject that a terminal obeys', [{ subject: 'a\u001b[2Jb' }], 'tasks[0].subject has control characters: leave them out'],
  ['a subject that is a book', [{ subject: 'x'.repeat(201) }], 'tasks[0].subject has 201 characters; at most 200 are allowed'],
  ['a description of a megabyte', [{ subject: 'a', description: 'x'.repeat(KIB * KIB) }], 'tasks[0].description is larger than 64 KiB'],
  ['a description in parts', [{ subject: 'a', description: {} }], 'tasks[0].description is a mapping, not a text'],
  ['a name that is a list', [{ subject: 'a', name: [] }], 'tasks[0].name is a list, not a text'],
  [
    'a blocker that is a mapping',
    [{ subject: 'a', blocked_by: [{}] }],
    'tasks[0].blocked_by has something that is no name or number of a task',
  ],
  ['a role that is a number', [{ subject: 'a', required_role: 1 }], 'tasks[0].required_role is a number, not a text'],
  ['a worktree with a slash', [{ subject: 'a', worktree: 'wt/a' }], 'tasks[0].worktree is neither true nor false'],
  ['a worktree that is a number', [{ subject: 'a', worktree: 7 }], 'tasks[0].worktree is neither true nor false'],
  ['a blocker under another name', [{ subject: 'a', depends_on: ['b'] }], 'tasks[0] has an unknown key "depends_on"; a task has subject'],
  ['a role with a typing error', [{ subject: 'a', requird_role: 'x' }], 'tasks[0] has an unknown key "requird_role"'],
  ['a priority in words', [{ subject: 'a', priority: 'high' }], 'tasks[0].priority is a string, not a number'],
])('a list that is, or has, %s is refused, with the place', async (_, plan, says) => {
  const { code, message } = await failureOf(listed(plan));
  expect(code).toBe('board.bad-tasks');
  expect(message).toContain(says);
});

test('all problems are there, ten of them in words', async () => {
  const failure = await failureOf(listed(Array.from({ length: 12 }, () => ({}))));
  expect(failure.message).toContain('tasks[9].subject is missing: say in one line what is to be done; and 2 more');
  expect(failure.details).toEqual({
    step: 'team',
    problems: Array.from({ length: 12 }, (_, i) => `tasks[${i}].subject is missing: say in one line what is to be done`),
  });
});

test('opening it again gives the same', async () => {
  const at = scene();
  const plan = [{ subject: 'a', description: 'b' }];
  expect(await at.begin(FROM, plan)).toEqual(await at.begin(FROM, plan));
});

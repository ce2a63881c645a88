import { BOARD_DESCRIPTION } from '../../kinds/board/describe';
import type { PlannedMember, PlannedTask } from '../../kinds/board/model';
import { BOARD_KEEPS } from '../../kinds/board/state';
import { BOARD_VIEW, type BoardView } from '../../kinds/board/view';
import { type BoardNote, boardNoteWords } from '../../plan/board/note';
import type { ControlOf } from '../../plan/steps/control';
import { member, type Opened, opened, task } from './board';

const { line, facts, inside } = BOARD_DESCRIPTION;

const LEAD: PlannedMember = { name: 'lead', agent: 'chief', isLead: true };
const people = (...names: string[]): PlannedMember[] => names.map((name) => ({ name, agent: 'coder', role: 'coder' }));

function shown(members: PlannedMember[], tasks: PlannedTask[] | string) {
  const limits = { mostMembers: 8, idleMs: 60_000, shutdownMs: 300_000, maxTurns: 50, attempts: 3, until: 'idle' as const };
  return { kind: 'board' as const, team: 'crew', spawns: [], members, tasks, ...limits };
}

describe('a board step in words', () => {
  test.each([
    ['one member', shown(people('alice'), '$plan.json.tasks'), 'alice claims tasks'],
    ['two members', shown(people('alice', 'bob'), [{ subject: 'Do it' }]), 'alice and bob claim tasks, 1 task at the beginning'],
    ['three members and a lead', shown([LEAD, ...people('alice', 'bob', 'carol')], []), 'alice, bob and carol claim tasks, led by chief'],
    ['a lead alone', shown([LEAD], []), 'members that are spawned claim tasks, led by chief'],
  ])('%s', (_, data, words) => {
    expect(line(data)).toBe(words);
  });

  test('a task says what it waits for, who may claim it, and below that what is to be done', () => {
    const parser = {
      name: 'parser',
      subject: 'Write it',
      blockedBy: ['lexer'],
      requiredRole: 'coder',
      priority: 2,
      description: 'By hand.\nNo tool.',
    };
    const found = facts(shown(people('alice'), [{ name: 'lexer', subject: 'Begin' }, parser]));
    expect(found.filter(({ name }) => name.startsWith('#'))).toEqual([
      { name: '#1 lexer', text: 'Begin' },
      { name: '#2 parser', text: 'Write it (after lexer, for the role coder, priority 2)\nBy hand.\nNo tool.' },
    ]);
  });
});

const STEP: ControlOf<'board'> & { parts: [] } = {
  ...{ id: 'team', kind: 'board', team: 'crew', members: [], spawns: [], mostMembers: 8, idleMs: 60_000, shutdownMs: 300_000 },
  ...{ maxTurns: 50, attempts: 3, until: 'idle', parts: [] },
};

const draw = (board?: BoardView) =>
  inside?.(STEP, 'team', {
    view: board && { id: 'team', address: 'team', kind: 'board', state: 'running', round: 1, try: 1, board },
    expanded: false,
  });

describe('the picture of a run', () => {
  test('has the tasks of the board, with their owners and what they wait for', () => {
    const { state } = opened([member('alice')], [task('lexer'), task('parser', { blockedBy: ['lexer'] })]);
    const picture = draw(BOARD_KEEPS.shown?.({ board: state }, STEP, true));
    expect(picture?.nodes).toMatchObject([
      { id: 'team/#1', name: '#1', state: 'running', depth: 0, label: 'alice: lexer' },
      { id: 'team/#2', name: '#2', state: 'pending', depth: 1, label: 'parser, waits for #1' },
    ]);
    expect(picture?.edges).toEqual([{ from: 'team/#1', to: 'team/#2', kind: 'order' }]);
  });

  test('has none before the board is open', () => {
    expect(draw()).toEqual({ nodes: [], edges: [] });
  });
});

describe('a board that is open says', () => {
  const viewOf = ({ state }: Opened): BoardView => {
    const view = BOARD_KEEPS.shown?.({ board: state }, STEP, true);
    if (!view) throw new Error('nothing is shown');
    return view;
  };
  const lines = (it: Opened) => BOARD_VIEW.items?.(viewOf(it), 'running').map(({ words }) => words);
  const waits = (it: Opened) => BOARD_VIEW.waits?.(viewOf(it)).map(({ text }) => text);

  test('of each task another thing before it is claimed, while it is worked on, and when it is done', () => {
    const it = opened([member('alice')], [task('lexer'), task('parser')]);
    expect(lines(it)).toEqual(['lexer', 'parser, waits for a free member']);
    it.complete('alice', 1);
    it.end('alice');
    expect(lines(it)).toEqual(['lexer, done', 'parser']);
  });

  test('what would wake a member that is idle, and what a task waits for', () => {
    const it = opened(
      [member('alice', { role: 'coder' }), member('bob', { role: 'critic' })],
      [task('lexer', { requiredRole: 'coder' }), task('parser', { requiredRole: 'coder' }), task('look', { blockedBy: ['parser'] })],
    );
    expect(waits(it)).toEqual([
      'bob is idle: a message or a task that it may claim wakes it, else it shuts down',
      '#2 parser, waits for a free member with the role coder',
      '#3 look, waits for #2',
    ]);
  });

  test('who has failed, and why', () => {
    const it = opened([member('alice')], [task('lexer')]);
    it.crash('alice');
    expect(waits(it)).toEqual([
      'alice has failed, and does nothing until it is started again: model.refused: overdrawn',
      expect.stringContaining('#1 lexer'),
    ]);
  });

  test('of very many tasks the first alone, so that the answer to a query stays small, and how many more wait', () => {
    const subjects = Array.from({ length: 10_000 }, (_, i) => ({ subject: `${i} ${'x'.repeat(190)}`, blockedBy: i === 0 ? [10_000] : [] }));
    const it = opened([member('alice')], subjects);
    const view = viewOf(it);
    expect(view).toMatchObject({ total: 10_000, completed: 0, more: 9500 });
    expect(view.tasks.map(({ number }) => number)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
    expect(JSON.stringify(view).length).toBeLessThan(300_000);
    expect(waits(it)?.at(-1)).toBe('9979 more tasks wait');
    const picture = draw(view);
    expect(picture?.nodes).toHaveLength(500);
    expect(picture?.edges).toEqual([]);
  });

  test('until when an idle member stays; in a standing team it stays until it is asked to go', () => {
    const idle = (limits: Parameters<typeof opened>[2]) => BOARD_VIEW.waits?.(viewOf(opened([member('alice')], [], limits)));
    const since = new Date(0).toISOString();
    expect(idle({})).toEqual([{ text: expect.stringMatching(/else it shuts down$/), since, until: new Date(60_000).toISOString() }]);
    expect(idle({ until: 'stopped' })).toEqual([{ text: expect.stringMatching(/wakes it$/), since }]);
  });

  test('that a task waits for one that was left out', () => {
    const it = opened([member('alice')], [task('lexer'), task('parser', { blockedBy: ['lexer'] })], { attempts: 1 });
    it.fail('alice', 1);
    it.tell({ kind: 'decided', task: 1, choice: 'drop' });
    expect(lines(it)).toEqual(['lexer, left out', 'parser, waits for #1 (left out)']);
  });

  test('that nobody has a role only if nobody would start again for it', () => {
    const board = () =>
      opened(
        [member('alice', { role: 'coder' }), member('bob', { role: 'critic' })],
        [task('a'), task('b', { blockedBy: ['a'], requiredRole: 'critic' })],
      );
    const asleep = board().wait(60_000);
    asleep.idleOver('bob');
    expect(lines(asleep)).toEqual(['a', 'b, waits for #1']);
    const gone = board();
    gone.askToEnd('bob');
    gone.respond('bob', 'end-bob', true);
    gone.end('bob');
    expect(lines(gone)).toEqual(['a', 'b, waits for #1, nobody here has the role critic']);
  });
});

test.each<[BoardNote, string]>([
  [{ event: 'created', task: 1, subject: 'Lex', by: '(board)' }, 'created #1: Lex'],
  [{ event: 'created', task: 4, subject: 'Parse', by: 'alice' }, 'created #4: Parse by alice'],
  [{ event: 'claimed', task: 1, by: 'alice', source: 'auto' }, 'claimed #1 by alice auto'],
  [{ event: 'shutdown', member: 'bob', reason: 'nothing came for it' }, 'shut down bob nothing came for it'],
])('the journal says: %j', (note, words) => {
  expect(
    boardNoteWords(note)
      .filter((word) => word !== undefined)
      .join(' '),
  ).toBe(words);
});

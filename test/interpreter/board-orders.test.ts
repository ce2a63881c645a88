import { MEMBER_NAME } from '../../plan/board/member';
import { askingRun, WEB_HOOK } from '../../plan/board/message';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { sweepCount } from '../support/sweep';
import { artifact } from '../support/world';
import { coder, completes, type Member, notes, type PlayedBoard, playBoard, rows } from './board-play';
import { freshly } from './program';

/** What people send to a board that runs: tasks, members, and that it drains. */

const task = (subject: string, more = {}) => ({ subject, ...more });
const TEAM = { members: [coder('alice'), coder('bob')] };
/** Each task takes ten minutes. */
const slow: Member = async (work) => {
  if (work.text.includes('Task')) await work.takes(600_000);
  return completes(work);
};

const playing = async (more: Parameters<typeof playBoard>[0] = {}): Promise<PlayedBoard> => {
  const played = playBoard({ tasks: [task('one'), task('two')], member: slow, step: TEAM, ...more });
  await played.world.settle();
  return played;
};
const signals = ({ world }: PlayedBoard, name: string) =>
  world.journal().filter((entry) => entry.kind === 'signal' && entry.name === name) as { outcome: string; reason?: string; by?: string }[];
const shown = ({ world }: PlayedBoard) => world.step('team').board;

it('a team that is drained with everybody idle ends at once, and no reply is paid for', async () => {
  const played = await playing({ tasks: [], step: { ...TEAM, until: 'stopped' } });
  await played.world.update('drain', { by: 'fran' });
  await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  expect(played.works).toEqual([]);
  expect(notes(played, 'shutdown')).toHaveLength(2);
});

describe('a task from a person', () => {
  it('gets a number, and is claimed like any other', async () => {
    const played = await playing();
    await expect(played.world.update('task', { subject: 'three', by: 'fran' })).resolves.toEqual({
      outcome: 'applied',
      step: 'team',
      task: 3,
    });
    expect(signals(played, 'task')).toMatchObject([{ outcome: 'applied', by: 'fran', reason: 'it is #3 of team' }]);
    await played.world.completes();
    expect(rows(played, 'tasks')[2]).toMatchObject({ number: 3, subject: 'three', status: 'completed', created_by: 'fran' });
  });

  it('has its description in the store before it is on the board', async () => {
    const fresh = freshly();
    const played = await playing({ historyIsFull: fresh.historyIsFull });
    const description = 'What is to be done.'.repeat(1000);
    await expect(played.world.update('task', { subject: 'three', description })).resolves.toMatchObject({ task: 3 });
    await fresh.toTheEnd(played.world);
    expect(played.world.states.length).toBeGreaterThan(0);
    expect(JSON.stringify(played.world.states)).not.toContain(description);
    expect(played.world.resultOf(artifact('description').sha256)).toBe(description);
    expect(rows(played, 'tasks')[2]).toMatchObject({ status: 'completed' });
  });

  it('may wait for the one that was sent just before, whose description is being stored', async () => {
    const played = await playing();
    played.world.signal('task', { subject: 'three', name: 'c', description: 'long' });
    played.world.signal('task', { subject: 'four', blocked_by: 'c' });
    await played.world.settle();
    expect(signals(played, 'task')).toMatchObject([{ outcome: 'applied' }, { outcome: 'applied', reason: 'it is #4 of team' }]);
    expect(shown(played)?.tasks[3]).toMatchObject({ number: 4, blockedBy: [3] });
  });

  it.each<[string, Json, string]>([
    ['that waits for itself', { subject: 'x', name: 'x', blocked_by: 'x' }, 'cycle (chain: x → x): a task cannot wait for itself'],
    ['with an unknown blocker', { subject: 'x', blocked_by: 'y' }, 'unknown_blocker (task: x, blocked_by: y)'],
    ['with an unknown role', { subject: 'x', required_role: 'painter' }, 'unknown_role (task: x, role: painter)'],
    ['with a name that is taken', { subject: 'x', name: 'first' }, 'name_taken'],
    ['without a subject', { description: 'x' }, '"subject" is missing'],
    ['that is nothing', '', 'task takes an object'],
    ['for another step', { subject: 'x', step: 'other' }, 'no board is open in "other"; open: team'],
    ['by a member', { subject: 'x', by: 'alice' }, '"alice" is a name of the team'],
    ['by the board', { subject: 'x', by: '(board)' }, '"(board)" is a name of the team'],
    ['by the lead', { subject: 'x', by: 'lead' }, '"lead" is a name of the team'],
    ['with a long name of its sender', { subject: 'x', by: 'x'.repeat(201) }, '"by" has at most 200 characters'],
    ['with a proof', { subject: 'x', proof: { channel: 'console', at: 'b', mac: 'c' } }, '"task" takes no proof'],
  ])('%s is refused, and nothing is added', async (_, payload, reason) => {
    const played = await playing({ tasks: [task('one', { name: 'first' }), task('two')] });
    await expect(played.world.update('task', payload)).rejects.toMatchObject({ message: expect.stringContaining(reason) });
    played.world.signal('task', payload);
    await played.world.settle();
    expect(signals(played, 'task').at(-1)?.reason).toContain(reason);
    expect(shown(played)?.total).toBe(2);
  });

  it('of a program is taken, whatever the members are called', async () => {
    const played = await playing({ step: { members: [coder('webhook'), coder('web.hook')] } });
    await expect(played.world.update('task', { subject: 'three', by: WEB_HOOK })).resolves.toMatchObject({ task: 3 });
    for (const name of [WEB_HOOK, askingRun('webhook')]) {
      expect(MEMBER_NAME.test(name)).toBe(false);
      await expect(played.world.update('spawn', { name, agent: 'coder' })).rejects.toBeDefined();
    }
  });

  it('that comes when everybody has shut down starts one of them again', async () => {
    const member: Member = async (work) => {
      if (work.text.includes('#1')) await work.ask({ kind: 'fail_task', task: 1, reason: 'no luck' });
      else if (work.text.includes('#2')) await completes(work);
      return undefined;
    };
    const played = await playing({ tasks: [task('one')], member, step: { ...TEAM, attempts: 1 } });
    // A person is asked about the task, and the team has nothing to do.
    await played.world.elapse(() => shown(played)?.members.every(({ status }) => status === 'shutdown') === true);
    await expect(played.world.update('task', 'late')).resolves.toMatchObject({ task: 2 });
    await played.world.elapse(() => shown(played)?.completed === 1);
    expect(played.works.at(-1)).toBe('alice: <auto-claimed>Task #2: late</auto-claimed>');
    expect(shown(played)?.tasks).toMatchObject([{ status: 'held' }, { status: 'completed', owner: 'alice' }]);
  });

  it('with a key is one task, however often and in which execution it is sent', async () => {
    const fresh = freshly();
    const played = await playing({ historyIsFull: fresh.historyIsFull });
    const payload = { subject: 'three', description: 'long', key: 'issue-17' };
    await expect(played.world.update('task', payload)).resolves.toMatchObject({ outcome: 'applied', task: 3 });
    await expect(played.world.update('task', payload)).resolves.toMatchObject({ outcome: 'duplicate', task: 3 });
    await fresh.again(played.world);
    await expect(played.world.update('task', payload)).resolves.toMatchObject({ outcome: 'duplicate', task: 3 });
    await fresh.toTheEnd(played.world);
    expect(played.world.executions).toBeGreaterThan(1);
    expect(rows(played, 'tasks')).toHaveLength(3);
  });

  it('with the same key at once is one task, too', async () => {
    const played = await playing();
    for (let i = 0; i < 3; i++) played.world.signal('task', { subject: 'three', description: 'long', key: 1 });
    await played.world.settle();
    expect(signals(played, 'task').map(({ outcome }) => outcome)).toEqual(['applied', 'duplicate', 'duplicate']);
    expect(shown(played)?.total).toBe(3);
  });

  it('that cannot be stored now is no task that the board refuses: it may be sent again', async () => {
    let isFull = true;
    const whileKeeping = async (): Promise<void> => {
      if (isFull) throw new ThermidorFailure('store.unavailable', 'no space is left');
    };
    const played = await playing({ whileKeeping });
    const payload = { subject: 'three', description: 'long', key: 'issue-17' };
    await expect(played.world.update('task', payload)).rejects.toMatchObject({ outcome: 'unavailable' });
    isFull = false;
    await expect(played.world.update('task', payload)).resolves.toMatchObject({ outcome: 'applied', task: 3 });
  });

  it('may be sent again if too many are being stored', async () => {
    const played = await playing({ whileKeeping: () => new Promise(() => undefined) });
    for (let i = 0; i < 4097; i++) played.world.signal('task', { subject: 'x', description: 'y' });
    await played.world.settle();
    expect(signals(played, 'task')).toMatchObject([{ outcome: 'unavailable' }]);
  });

  it('is stored by few activities, and gets the numbers in order, when many come', async () => {
    let stored = 0;
    const whileKeeping = async (): Promise<void> => {
      stored += 1;
    };
    const played = await playing({ whileKeeping });
    const orders = sweepCount(700, 2000);
    for (let i = 0; i < orders; i++) played.world.signal('task', { subject: `task ${i}`, ...(i % 2 ? { description: 'what to do' } : {}) });
    await played.world.settle();
    expect(stored).toBeLessThan(orders / 60);
    expect(signals(played, 'task').every(({ outcome }) => outcome === 'applied')).toBe(true);
    expect(shown(played)?.total).toBe(orders + 2);
    expect(signals(played, 'task').at(-1)).toMatchObject({ reason: expect.stringContaining(`#${orders + 2} of team`) });
  });
});

describe('a board that drains', () => {
  it('claims nothing any more, and asks those who work to end', async () => {
    const played = await playing({ tasks: [task('one'), task('two'), task('three')] });
    await expect(played.world.update('drain', { by: 'fran', reason: 'release' })).resolves.toEqual({ outcome: 'applied', step: 'team' });
    await expect(played.world.update('drain', { by: 'fran' })).rejects.toMatchObject({ outcome: 'duplicate' });
    await expect(played.world.update('task', 'four')).rejects.toMatchObject({ message: expect.stringContaining('draining') });
    expect(shown(played)).toMatchObject({ isDraining: true });
    await played.world.elapse();
    await expect(played.world.result).rejects.toMatchObject({ code: 'board.unfinished' });
    expect(notes(played, 'claimed')).toHaveLength(2);
    // Nobody has answered in time.
    expect(notes(played, 'request')).toMatchObject([
      { from: '(board)', to: 'alice', state: 'pending' },
      { from: '(board)', to: 'bob', state: 'pending' },
      { state: 'expired' },
      { state: 'expired' },
    ]);
  });

  it('begins nothing that was cut off while the run was paused', async () => {
    const played = await playing({ tasks: [], step: { ...TEAM, until: 'stopped' } });
    await played.world.update('pause', {});
    await played.world.update('task', 'one');
    await played.world.update('drain', { by: 'fran' });
    await played.world.elapse();
    expect(shown(played)?.members).toMatchObject([{ status: 'shutdown' }, { status: 'shutdown' }]);
    await played.world.update('unpause', {});
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.works).toEqual([]);
    expect(rows(played, 'tasks')).toMatchObject([{ status: 'pending', attempts: 0 }]);
  });

  it.each([{ by: 7 }, [], 7, null, { who: 'fran' }, { by: 'alice' }, { step: 'other' }])('is not drained by %j', async (payload) => {
    const played = await playing();
    await expect(played.world.update('drain', payload)).rejects.toBeDefined();
    played.world.signal('drain', payload);
    await played.world.settle();
    expect(shown(played)?.isDraining).toBeUndefined();
    expect(signals(played, 'drain')).toMatchObject([{ outcome: expect.not.stringMatching(/applied/) }]);
  });
});

describe('a member that a person adds', () => {
  it('claims what is there', async () => {
    const played = await playing({ tasks: [task('one'), task('two'), task('three')] });
    await expect(played.world.update('spawn', { name: 'carol', agent: 'coder', by: 'fran' })).resolves.toMatchObject({
      outcome: 'applied',
    });
    await played.world.settle();
    expect(played.works.at(-1)).toBe('carol: <auto-claimed>Task #3: three</auto-claimed>');
    expect(notes(played, 'spawned').at(-1)).toMatchObject({ member: 'carol', reason: 'by fran' });
  });

  it('begins with its prompt', async () => {
    const played = await playing();
    await played.world.update('spawn', { name: 'carol', agent: 'coder', prompt: 'Look around.' });
    await played.world.settle();
    expect(notes(played, 'working').at(-1)).toMatchObject({ member: 'carol', begins: 'spawn' });
  });

  it.each([
    [{ name: 'alice', agent: 'coder' }, 'working'],
    [{ name: 'carol', agent: 'painter' }, 'unknown_agent'],
    [{ name: 'lead', agent: 'coder' }, '"lead"'],
    [{ name: 'carol', agent: 'coder', by: 'bob' }, '"bob" is a name of the team'],
  ])('%j is refused', async (payload, reason) => {
    const played = await playing();
    await expect(played.world.update('spawn', payload)).rejects.toMatchObject({ message: expect.stringContaining(reason) });
    expect(shown(played)?.members).toHaveLength(2);
  });

  it('is refused when there is no slot left', async () => {
    const played = await playing({ step: { ...TEAM, mostMembers: 2 } });
    await expect(played.world.update('spawn', { name: 'carol', agent: 'coder' })).rejects.toMatchObject({
      message: expect.stringContaining('no_free_slot'),
    });
  });
});

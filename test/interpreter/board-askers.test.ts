import { TASK_SIGNAL, type TaskOutcome } from '../../plan/board/asked-task';
import type { NewTask } from '../../plan/board/task';
import type { AskedBy } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import { readTaken, readTaskOutcome, recordAsked, recordWithdrawal } from '../../records/asked-tasks';
import { type BoardOptions, coder, completes, notes, type PlayedBoard, playBoard, rows, type Work } from './board-play';
import { freshly } from './program';

/** Runs give tasks to a team: what is in their ledgers counts, and signals only make the team look there. */

const from = (name: string): AskedBy => ({ workflowId: `asker-${name}`, run: 'r1', name: 'ask#1~1/task' });
const HOURS_MS = 3_600_000;

async function asks({ world }: PlayedBoard, name: string, task: Partial<NewTask> = {}, team = 'research'): Promise<AskedBy> {
  const asked = from(name);
  await recordAsked(world.ledger, asked, { team, task: { subject: `for ${name}`, ...task } });
  world.signal(TASK_SIGNAL, asked);
  return asked;
}

const outcome = ({ world }: PlayedBoard, name: string): Promise<TaskOutcome | undefined> => readTaskOutcome(world.ledger, from(name));
const taken = ({ world }: PlayedBoard, name: string) => readTaken(world.ledger, from(name));
const subjects = (played: PlayedBoard) => rows(played, 'tasks').map((row) => (row as { subject: string }).subject);

const slow = async (work: Work) => {
  await work.takes(60_000);
  return completes(work);
};

/** A team that is there for an hour without work. */
function play(more: BoardOptions = {}): PlayedBoard & { woken: string[] } {
  const woken: string[] = [];
  const played = playBoard({
    ...more,
    step: { members: [coder('alice')], idleMs: HOURS_MS, ...more.step },
    wakesAsker: ({ workflowId }) => void woken.push(workflowId),
  });
  return { ...played, woken };
}

describe('a task that a run has asked for', () => {
  it('is on the board once, however often it is asked for, and its result is in the ledger of the run', async () => {
    const played = play();
    await played.world.settle();
    const asked = await asks(played, 'cron');
    played.world.signal(TASK_SIGNAL, asked);
    await played.world.settle();
    played.world.signal(TASK_SIGNAL, asked);
    await played.world.settle();
    expect(await taken(played, 'cron')).toBe(1);
    await played.world.elapse(() => played.woken.length > 2);
    expect(await outcome(played, 'cron')).toEqual({ kind: 'completed', id: 1, attempts: 1, owner: 'alice', result: { text: 'done 1' } });
    played.world.signal(TASK_SIGNAL, asked);
    await played.world.completes();
    expect(subjects(played)).toEqual(['for cron']);
    expect(rows(played, 'tasks')).toMatchObject([{ created_by: 'run asker-cron' }]);
    expect(new Set(played.woken)).toEqual(new Set(['asker-cron']));
  });

  it('of two runs at once is two tasks', async () => {
    const played = play();
    await played.world.settle();
    await asks(played, 'one', { priority: 2 });
    await asks(played, 'two', { priority: 1 });
    await played.world.elapse();
    expect(subjects(played)).toEqual(['for one', 'for two']);
    expect(await outcome(played, 'one')).toMatchObject({ kind: 'completed' });
    expect(await outcome(played, 'two')).toMatchObject({ kind: 'completed' });
  });

  it('is none for a forged signal, and none for another team', async () => {
    const played = play();
    await played.world.settle();
    played.world.signal(TASK_SIGNAL, from('nobody'));
    played.world.signal(TASK_SIGNAL, { ...from('nobody'), task: { subject: 'steal' } });
    played.world.signal(TASK_SIGNAL, 'x'.repeat(100_000));
    await asks(played, 'stranger', {}, 'support');
    for (let i = 0; i < 300; i++) played.world.signal(TASK_SIGNAL, from(`flood-${i}`));
    await played.world.settle();
    await asks(played, 'cron');
    await played.world.completes();
    expect(subjects(played)).toEqual(['for cron']);
    expect(await outcome(played, 'stranger')).toBeUndefined();
    expect(await taken(played, 'stranger')).toBeUndefined();
  });

  it('is refused with the reason of the board', async () => {
    const played = play();
    await played.world.settle();
    await asks(played, 'cron', { requiredRole: 'singer' });
    await asks(played, 'late', { blockedBy: ['nothing'] });
    await played.world.elapse();
    expect(await outcome(played, 'cron')).toMatchObject({ kind: 'refused', message: expect.stringMatching(/^unknown_role \(task: /) });
    expect(await outcome(played, 'late')).toMatchObject({ kind: 'refused', message: expect.stringContaining('unknown_blocker') });
    expect(subjects(played)).toEqual([]);
  });

  it('that is completed while it is read once more is not taken again', async () => {
    const played: PlayedBoard & { woken: string[] } = play({
      // Its member ends while the ledger is read, which does not have the outcome yet.
      whileReadingTasks: () => (reads++ === 0 ? undefined : played.world.elapse(() => isDone)),
      async member(work) {
        await completes(work);
        isDone = true;
        return undefined;
      },
    });
    let reads = 0;
    let isDone = false;
    await played.world.settle();
    const asked = await asks(played, 'cron');
    await played.world.settle();
    played.world.signal(TASK_SIGNAL, asked);
    await played.world.elapse(() => isDone);
    for (let i = 0; i < 4; i++) await played.world.settle();
    await played.world.elapse();
    expect(reads).toBe(2);
    expect(subjects(played)).toEqual(['for cron']);
  });

  it('that its run withdraws is left out if nobody has begun it; who works on one ends it, and reports to nobody', async () => {
    const played = play({ member: slow });
    await played.world.settle();
    await asks(played, 'first');
    await asks(played, 'second');
    await played.world.settle();
    for (const name of ['first', 'second']) {
      await recordWithdrawal(played.world.ledger, from(name));
      played.world.signal(TASK_SIGNAL, from(name));
    }
    await played.world.completes();
    expect(rows(played, 'tasks')).toMatchObject([
      { subject: 'for first', status: 'completed' },
      { subject: 'for second', status: 'dropped' },
    ]);
    expect(await outcome(played, 'first')).toBeUndefined();
    expect(await outcome(played, 'second')).toBeUndefined();
  });

  it('that goes back after it was withdrawn is tried by nobody else', async () => {
    const played = play({
      async member({ text, takes, ask }) {
        if (!text.includes('Task')) return undefined;
        await takes(60_000);
        await ask({ kind: 'fail_task', reason: 'cannot' });
        return undefined;
      },
    });
    await played.world.settle();
    await asks(played, 'cron');
    await played.world.settle();
    await recordWithdrawal(played.world.ledger, from('cron'));
    played.world.signal(TASK_SIGNAL, from('cron'));
    await played.world.elapse();
    expect(notes(played, 'claimed')).toHaveLength(1);
    expect(rows(played, 'tasks')).toMatchObject([{ status: 'dropped', attempts: 1 }]);
  });

  it('that is open when the team has ended is reported as left', async () => {
    const played = play({
      member: () => {
        throw new ThermidorFailure('model.refused', 'no');
      },
    });
    await played.world.settle();
    await asks(played, 'cron');
    await played.world.elapse();
    await expect(played.world.result).rejects.toMatchObject({ code: 'board.unfinished' });
    expect(await outcome(played, 'cron')).toEqual({ kind: 'left', id: 1 });
    expect(played.woken).toContain('asker-cron');
  });

  it('goes on over executions', async () => {
    const fresh = freshly();
    const played = play({ historyIsFull: fresh.historyIsFull, member: slow });
    const { world } = played;
    await world.settle();
    await asks(played, 'cron');
    await fresh.again(world);
    await fresh.again(world);
    expect(await taken(played, 'cron')).toBe(1);
    await asks(played, 'second');
    await fresh.again(world);
    await fresh.toTheEnd(world);
    expect(await outcome(played, 'cron')).toMatchObject({ kind: 'completed', id: 1 });
    expect(await outcome(played, 'second')).toMatchObject({ kind: 'completed', id: 2 });
    expect(subjects(played)).toEqual(['for cron', 'for second']);
  });
});

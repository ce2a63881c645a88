import { execFileSync } from 'node:child_process';
import { Client, Connection } from '@temporalio/client';
import { takeTicket } from '../../activities/queue/take-ticket';
import { queuesOn } from '../../activities/queue/temporal-queues';
import type { QueueView } from '../../plan/queue/queue-view';
import type { AskedBy, Submission, TicketOutcome } from '../../plan/queue/ticket';
import { TASK_QUEUE } from '../../plan/run/contract';
import { openRecords } from '../../records/open-records';
import { queueId } from '../../records/queues/queue-id';
import { readOutcome } from '../../records/queues/queue-ledger';
import { inSweep } from '../support/sweep';
import type { Program } from './support/program';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** A merge queue on a real server, with real git and a worker that is killed in the middle of a test. */
let scratch: Scratch;
let connection: Connection;

beforeAll(async () => {
  scratch = await Scratch.make();
  const address = await scratch.keepServer();
  connection = await Connection.connect({ address });
}, SET_UP_MS);
afterAll(async () => {
  await connection.close();
  await scratch.close();
});

function git(...args: string[]): string {
  return execFileSync('git', ['-C', scratch.path('lib'), '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
    encoding: 'utf8',
  }).trim();
}

/** Its test is red if a file contains `bad`. The first time it runs it does not end. */
function repository(): void {
  scratch.write('lib/a.txt', 'a\n');
  scratch.write(
    'lib/test.sh',
    `echo t >> '${scratch.path('tests')}'
if [ $(wc -l < '${scratch.path('tests')}') = 1 ]; then sleep 600; fi
! grep -l bad *.txt`,
  );
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  scratch.write('thermidor.yaml', 'queues:\n  lib: {repo: lib, branch: main, test: sh test.sh}\n');
}

function candidate(name: string, file: string, text: string): string {
  git('checkout', '-q', '--detach', 'main');
  scratch.write(`lib/${file}`, text);
  git('add', '-A');
  git('commit', '-q', '-m', name);
  const commit = git('rev-parse', 'HEAD');
  git('update-ref', `refs/thermidor/${name}`, commit);
  git('checkout', '-q', 'main');
  return commit;
}

const worker = (): Program => scratch.thermidorWith({ THERMIDOR_WORKTREES: scratch.path('trees') }, 'up');

inSweep.test(
  'two runs submit six candidates; the worker is killed in mid-test; the branch is green whenever it moves, and each bad one goes back',
  async () => {
    repository();
    const target = { repository: scratch.path('lib'), refsIn: 'repository', branch: 'main' } as const;
    const { ledger } = openRecords({ stateDir: scratch.path('.thermidor') });
    const queueAsker = queuesOn(new Client({ connection }).workflow, TASK_QUEUE, (work) => work());
    const commits = new Map<string, string>();
    for (let i = 0; i < 6; i++) {
      const name = `c${i}`;
      // 2 changes what 1 has changed before it; 4 is red.
      const [file, text] = i === 2 ? ['c1.txt', 'other\n'] : [`${name}.txt`, i === 4 ? 'bad\n' : `${name}\n`];
      commits.set(name, candidate(name, file, text));
    }
    const asked = [...commits.keys()].map((name, i): AskedBy => ({ workflowId: `run-${i % 2}`, run: `r-${i % 2}`, name }));
    const first = worker();
    for (const one of asked) {
      const submission: Submission = { target, candidate: commits.get(one.name)!, title: one.name, author: one.workflowId, priority: 3 };
      const [ticket, again] = [
        await takeTicket({ ledger, queueAsker }, one, submission),
        await takeTicket({ ledger, queueAsker }, one, submission),
      ];
      expect(again).toEqual(ticket);
    }
    await first.until('a test is at work', () => scratch.lines('tests').length > 0);
    await first.kill();
    const second = worker();
    const outcomes = async (): Promise<(TicketOutcome | undefined)[]> =>
      await Promise.all(asked.map((one) => readOutcome(ledger, queueId(target), one)));
    await until('every candidate has its outcome', async () => (await outcomes()).every((outcome) => outcome !== undefined), 60_000);
    const kinds = (await outcomes()).map((outcome) => outcome?.kind);
    expect(kinds).toEqual(['merged', 'merged', 'conflict', 'merged', 'red', 'merged']);
    const advances = git('reflog', 'main', '--format=%H').split('\n');
    expect(advances).toHaveLength(5);
    expect(advances.filter((commit) => git('ls-tree', '--name-only', commit).includes('c4'))).toEqual([]);
    for (const [i, { name }] of asked.entries()) {
      const isIn = git('branch', '--format=%(refname:short)', '--contains', commits.get(name)!).split('\n').includes('main');
      expect([name, isIn]).toEqual([name, kinds[i] === 'merged']);
    }
    // The folder that has the branch checked out has moved with it.
    expect(git('status', '--porcelain')).toBe('');
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
    await until('no ref of the queue is left', () => !git('for-each-ref', '--format=%(refname)', 'refs/thermidor/').includes('/queue/'));
    const { queues } = await scratch.json<{ queues: (QueueView & { queue: string })[] }>('queue', '--json');
    expect(queues).toMatchObject([{ queue: queueId(target), line: [], waiting: [] }]);
    expect(await scratch.json('list', '--json')).toEqual({ runs: [] });
    await second.kill();
  },
  120_000,
);

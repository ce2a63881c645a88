import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { takeTicket } from '../../activities/queue/take-ticket';
import { queuesOn } from '../../activities/queue/temporal-queues';
import { ASKERS, COUNT, type PlannedCandidate, plannedCandidates } from '../../bench/queue/candidates';
import { git, makeRepository } from '../../bench/queue/repository';
import type { QueueView } from '../../plan/queue/queue-view';
import type { AskedBy, QueueTarget, TicketOutcome } from '../../plan/queue/ticket';
import { TASK_QUEUE } from '../../plan/run/contract';
import { openRecords } from '../../records/open-records';
import { queueId } from '../../records/queues/queue-id';
import { readOutcome } from '../../records/queues/queue-ledger';
import { Scratch, SET_UP_MS } from '../durability/support/scratch';
import { until } from '../durability/support/until';

/**
 * A merge queue under load, on a real server with real git: `npm run prove-queue`, a quarter of an hour or less. On a machine without other
 * work, two queues get the same 200 candidates of 20 runs, first one queue, then the other. One takes them in batches of four, the other
 * one by one.
 */
const MOST_MS = 3_600_000;
const BATCHES = [4, 1] as const;

let scratch: Scratch;
let connection: Connection;

beforeAll(async () => {
  scratch = await Scratch.make();
  connection = await Connection.connect({ address: await scratch.keepServer() });
}, SET_UP_MS);
afterAll(async () => {
  await connection.close();
  await scratch.close();
});

interface Candidate extends PlannedCandidate {
  commit: string;
  asked: AskedBy;
}

/** A repository with its queue and the commit of each candidate. */
function newQueue(batch: number) {
  const planned = plannedCandidates();
  const repository = scratch.path(`batch-${batch}.git`);
  const commits = makeRepository(repository, planned);
  // The reflog has every earlier value of a branch. Bare repositories do not keep it by default.
  git(repository, ['config', 'core.logAllRefUpdates', 'always']);
  const target: QueueTarget = { repository, refsIn: 'repository', branch: 'main' };
  const candidates = planned.map((one): Candidate => {
    const commit = commits.get(one.name);
    if (commit === undefined) throw new Error(`${one.name} has no commit`);
    return { ...one, commit, asked: { workflowId: one.asker, run: `r-${one.asker}`, name: `${batch}/${one.name}` } };
  });
  return { batch, repository, target, candidates, first: git(repository, ['rev-parse', 'main']) };
}

type Queue = ReturnType<typeof newQueue>;

/** Tests the files of a commit as the queue does, without the time that its tests take. */
function isGreen({ repository, batch }: Queue, commit: string): boolean {
  const folder = scratch.path(`checked-${batch}/${commit}`);
  mkdirSync(folder, { recursive: true });
  git(repository, ['--work-tree', folder, 'checkout', '--force', commit, '--', '.']);
  try {
    execFileSync('sh', ['-c', 'sleep() { :; }; . ./test.sh'], { cwd: folder, stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as { status?: number }).status === 1) return false;
    throw error;
  }
}

const isIn = ({ repository }: Queue, commit: string): boolean => git(repository, ['rev-list', '--count', `main..${commit}`]) === '0';

/** Whether the outcome names the candidate's own file, which its author needs to repair it. */
function isAbout({ file, fate }: Candidate, outcome: TicketOutcome | undefined): boolean {
  if (fate === 'conflict') return outcome?.kind === 'conflict' && outcome.paths.length === 1 && outcome.paths[0] === file;
  return outcome?.kind === 'red' && outcome.of === 'queue' && outcome.tail.trim() === file;
}

test(
  'the branch is green at each advance; every good candidate lands; every bad one comes back to its author; batches pay',
  async () => {
    const rules = BATCHES.map((batch) => `  b${batch}: {repo: batch-${batch}.git, branch: main, test: sh test.sh, batch: ${batch}}\n`);
    scratch.write('thermidor.yaml', `queues:\n${rules.join('')}`);
    const queues = BATCHES.map(newQueue);
    const { ledger } = openRecords({ stateDir: scratch.path('.thermidor') });
    const queueAsker = queuesOn(new Client({ connection }).workflow, TASK_QUEUE, (work) => work());
    const worker = scratch.thermidorWith({ THERMIDOR_WORKTREES: scratch.path('trees') }, 'up');

    const outcomesOf = ({ target, candidates }: Queue) =>
      Promise.all(candidates.map(({ asked }) => readOutcome(ledger, queueId(target), asked)));
    const submitTo = async ({ target, candidates }: Queue): Promise<void> => {
      for (const { asked, commit, name } of candidates) {
        const submission = { target, candidate: commit, title: name, author: asked.workflowId, priority: 3 } as const;
        await takeTicket({ ledger, queueAsker }, asked, submission);
      }
    };
    /** Seconds from the first submission to the last outcome. */
    const work = async (queue: Queue): Promise<number> => {
      const began = performance.now();
      await submitTo(queue);
      const ended = async () => (await outcomesOf(queue)).every((outcome) => outcome !== undefined);
      await until(`each of ${COUNT} candidates has its outcome`, ended, MOST_MS);
      return (performance.now() - began) / 1000;
    };
    const took: number[] = [];
    for (const queue of queues) took.push(await work(queue));
    const [inBatches = 0, oneByOne = 0] = took;

    for (const queue of queues) {
      const { repository, candidates, first, batch } = queue;
      const outcomes = await outcomesOf(queue);
      const wrong = candidates.filter(({ fate, commit }, i) => outcomes[i]?.kind !== fate || isIn(queue, commit) !== (fate === 'merged'));
      expect([batch, wrong.map(({ name }) => name)]).toEqual([batch, []]);
      const bad = candidates.map((one, i) => ({ one, outcome: outcomes[i] })).filter(({ one }) => one.fate !== 'merged');
      expect(bad).toHaveLength((COUNT * 17) / 100);
      expect(bad.filter(({ one, outcome }) => !isAbout(one, outcome))).toEqual([]);

      const advances = git(repository, ['reflog', 'show', '--format=%H', 'main']).split('\n').reverse();
      expect(advances.at(-1)).toBe(git(repository, ['rev-parse', 'main']));
      expect(advances.filter((commit) => !isGreen(queue, commit))).toEqual([]);
      // Each advance follows from the one before it, so nothing that has landed is lost.
      let before = first;
      for (const advance of advances) {
        expect(git(repository, ['rev-list', '--count', `${advance}..${before}`])).toBe('0');
        before = advance;
      }
      process.stderr.write(`batch ${batch}: ${candidates.length - bad.length} of ${COUNT} landed in ${advances.length} advances\n`);
    }
    process.stderr.write(`${ASKERS} runs: ${oneByOne.toFixed(0)} s one by one, ${inBatches.toFixed(0)} s in batches\n`);

    const views = await scratch.json<{ queues: QueueView[] }>('queue', '--json');
    expect(views.queues.map(({ line, waiting }) => [...line, ...waiting])).toEqual([[], []]);
    await until('no ref of a queue is left', () =>
      queues.every(({ repository }) => !git(repository, ['for-each-ref', '--format=%(refname)', 'refs/thermidor/']).includes('/queue/')),
    );
    expect(worker.ended).toBe(false);
    expect(oneByOne / inBatches).toBeGreaterThanOrEqual(1.6);
  },
  MOST_MS,
);

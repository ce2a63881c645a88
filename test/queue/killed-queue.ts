import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { QueueActivityName } from '../../plan/queue/queue-activities';
import type { KilledAt } from '../worktrees/killed-host';

const DIST = join(__dirname, '../../dist');

export interface QueueCall {
  name: QueueActivityName;
  /** Of the queue. */
  workflowId: string;
  input: unknown;
}

/**
 * An activity of a queue in a process of its own, which is killed by SIGKILL. Answers with how many calls of git's it has made where it came to its end
 * before.
 */
export async function killedQueue(
  folders: { root: string; stateDir: string; workFolder: string },
  call: QueueCall,
  killed: KilledAt,
): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e', PROGRAM, JSON.stringify({ ...folders, call, killed, DIST })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code, signal] = await once(child, 'close');
  if (signal === 'SIGKILL') return undefined;
  if (code !== 0) throw new Error(`it ended with ${code}`);
  return Number(Buffer.concat(chunks).toString('utf8'));
}

const PROGRAM = `
const given = JSON.parse(process.argv[1]);
const of = (path) => require(given.DIST + '/' + path + '.js');
const { createGit } = of('activities/adapters/git/git');
const { GroupProcessRunner } = of('activities/adapters/processes/process-runner');
const { PERFORM_QUEUE } = of('activities/queue/perform-queue');
const { openRecords } = of('records/open-records');
const { createMergeHost } = of('worker/queues/merge-host');
const { createHostWorktrees } = of('worker/worktrees/host-worktrees');
const { hostId } = of('worker/worktrees/host-id');
const { DEFAULT_QUEUE_SETTINGS } = of('plan/queue/queue-settings');
let calls = 0;
const die = () => process.kill(process.pid, 'SIGKILL');
const counted = (room) => Object.fromEntries(Object.entries(room).map(([name, method]) => [name, (...args) => {
  if (name === 'identity') return method(...args);
  const mine = calls++;
  if (mine !== given.killed.call) return method(...args);
  if (!given.killed.during) { die(); return new Promise(() => {}); }
  const work = method(...args);
  setImmediate(die);
  return work;
}]));
const git = createGit({ environment: process.env });
const options = {
  git: Object.fromEntries(Object.entries(git).map(([name, room]) => [name, counted(room)])),
  settings: { folder: given.root },
  presence: { isAlive: async () => true, announce: async () => async () => undefined },
  id: () => hostId(given.root),
  stateDir: async () => given.stateDir,
  namespace: 'default', taskQueue: 'thermidor',
  workFolder: given.workFolder, environment: process.env,
};
const { ledger, artifacts } = openRecords(given.stateDir);
const toolbox = {
  ledger, artifacts, processes: new GroupProcessRunner(), secrets: {}, log: () => undefined,
  worktrees: createHostWorktrees(options),
  mergeHost: createMergeHost({ ...options, rules: () => DEFAULT_QUEUE_SETTINGS }),
};
const { name, workflowId, input } = given.call;
const call = { key: { workflowId, run: 'q1' }, id: 'x', attempt: 1, signal: new AbortController().signal, heartbeat: () => undefined };
PERFORM_QUEUE[name](toolbox, call, input).then(() => process.stdout.write(String(calls)), (error) => { console.error(error); process.exit(1); });
`;

import type { QueueActivityName } from '../../plan/queue/queue-activities';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import { type KilledAt, killedProgram } from '../git/killed-program';

export interface QueueCall {
  name: QueueActivityName;
  /** The id of the queue's workflow. */
  workflowId: string;
  input: unknown;
}

/** Runs an activity of a queue in a process of its own, which is killed. */
export function killedQueue(
  folders: { root: string; stateDir: string; workFolder: string; rules: QueueSettings },
  call: QueueCall,
  killed: KilledAt,
): Promise<number | undefined> {
  return killedProgram(PROGRAM, { ...folders, call, killed });
}

const PROGRAM = `
const { GroupProcessRunner } = of('activities/adapters/processes/process-runner');
const { PERFORM_QUEUE } = of('activities/queue/perform-queue');
const { openRecords } = of('records/open-records');
const { createMergeHost } = of('worker/queues/merge-host');
const { createHostWorktrees } = of('worker/worktrees/host-worktrees');
const { hostId } = of('worker/worktrees/host-id');
const options = {
  git,
  settings: { folder: given.root },
  presence: { workers: async () => [], isAlive: async () => true, announce: async () => async () => undefined },
  id: () => hostId(given.root),
  storeId: async () => given.stateDir,
  namespace: 'default', taskQueue: 'thermidor',
  workFolder: given.workFolder, environment: process.env,
};
const { ledger, artifacts } = openRecords({ stateDir: given.stateDir });
const toolbox = {
  ledger, artifacts, processes: new GroupProcessRunner(), secrets: {}, log: () => undefined,
  worktrees: createHostWorktrees(options),
  mergeHost: createMergeHost({ ...options, rules: () => given.rules }),
};
const { name, workflowId, input } = given.call;
const call = { key: { workflowId, run: 'q1' }, id: 'x', attempt: 1, signal: new AbortController().signal, heartbeat: () => undefined };
PERFORM_QUEUE[name](toolbox, call, input).then(end, (error) => { console.error(error); process.exit(1); });
`;

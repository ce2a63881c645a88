import type { WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import { type KilledAt, killedProgram } from '../git/killed-program';
import { KEY, PORTS, SAVE } from './host-scene';

export interface Call {
  name: 'open' | 'save' | 'close';
  /** The setup or teardown of the worktree, as a line of shell. */
  setup: string;
}

/** Runs a call of a host in a process of its own, which is killed. */
export function killedHost(
  { root, workFolder }: { root: string; workFolder: string },
  at: WorktreePlace,
  plan: WorktreePlan,
  call: Call,
  killed: KilledAt,
): Promise<number | undefined> {
  return killedProgram(PROGRAM, { root, workFolder, at, plan, call, killed, KEY, PORTS, SAVE });
}

const PROGRAM = `
const { createHostWorktrees } = of('worker/worktrees/host-worktrees');
const { hostId } = of('worker/worktrees/host-id');
const { execFileSync } = require('node:child_process');
const worktrees = createHostWorktrees({
  git,
  settings: { folder: given.root, ports: given.PORTS },
  presence: { isAlive: async () => true },
  id: () => hostId(given.root),
  storeId: async () => '/state',
  namespace: 'default', taskQueue: 'thermidor',
  workFolder: given.workFolder, environment: process.env,
});
const { at, plan, call, SAVE } = given;
const signal = new AbortController().signal;
const setup = async (cwd, env) => void execFileSync('sh', ['-c', call.setup], { cwd, env: { ...process.env, ...env } });
const work = {
  open: () => worktrees.open(at, plan, plan.base, setup, signal),
  save: () => worktrees.save(at, plan, SAVE, signal),
  close: () => worktrees.close(at, plan, setup, signal),
}[call.name];
work().then(end);
`;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import { KEY, PORTS, SAVE } from './host-scene';

const DIST = join(__dirname, '../../dist');

export interface Call {
  name: 'open' | 'save' | 'close';
  /** The worktree's setup, or teardown: a line of shell. */
  setup: string;
}

export interface KilledAt {
  /** At which call of git's, from 0. */
  call: number;
  /** Else just before it begins. */
  during: boolean;
}

/**
 * A call of a host in a process of its own, which is killed by SIGKILL. Answers with how many calls of git's it has made where it came to its end before.
 */
export async function killedHost(
  folders: { root: string; workFolder: string },
  at: WorktreePlace,
  plan: WorktreePlan,
  call: Call,
  killed: KilledAt,
): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e', PROGRAM, JSON.stringify({ ...folders, at, plan, call, killed, KEY, PORTS, SAVE, DIST })], {
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
const { createGit } = require(given.DIST + '/activities/adapters/git/git.js');
const { createHostWorktrees } = require(given.DIST + '/worker/worktrees/host-worktrees.js');
const { hostId } = require(given.DIST + '/worker/worktrees/host-id.js');
const { execFileSync } = require('node:child_process');
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
const worktrees = createHostWorktrees({
  git: Object.fromEntries(Object.entries(git).map(([name, room]) => [name, counted(room)])),
  settings: { folder: given.root, ports: given.PORTS },
  presence: { isAlive: async () => true },
  id: () => hostId(given.root),
  stateDir: async () => '/state',
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
work().then(() => process.stdout.write(String(calls)));
`;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import { sweepStep } from '../support/sweep';
import { never, newGit } from './scene';

export interface KilledAt {
  /** The number of the git call, from 0. */
  call: number;
  /** Else just before it begins. */
  during: boolean;
}

/**
 * A program in a process of its own, which is killed by SIGKILL. Answers with how many calls of git's it has made where it came to its end before.
 *
 * @param program has `given`; `of`, which loads a module of ours; and `git`, which dies where it is to. It calls `end` when its work is done.
 */
export async function killedProgram(program: string, given: { killed: KilledAt; [name: string]: unknown }): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e', `${BEGIN}${program}`, JSON.stringify({ ...given, DIST: join(__dirname, '../../dist') })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code, signal] = await once(child, 'close');
  if (signal === 'SIGKILL') return undefined;
  if (code !== 0) throw new Error(`it ended with ${code}`);
  return Number(Buffer.concat(chunks).toString('utf8'));
}

const BEGIN = `
const given = JSON.parse(process.argv[1]);
const of = (path) => require(given.DIST + '/' + path + '.js');
let calls = 0;
const end = () => process.stdout.write(String(calls));
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
const rooms = of('activities/adapters/git/git').createGit({ environment: process.env });
const git = Object.fromEntries(Object.entries(rooms).map(([name, room]) => [name, counted(room)]));
`;

/**
 * A scene of its own for each place at which the work may be killed, three at a time: before a call of git's, and in the middle of it. Of these
 * `npm test` tries some, both kinds by turns. The last one is past the end of the work. Answers with how many calls the work makes.
 *
 * @param one sets the scene, has the work killed there, and checks what comes of it; its answer is that of `killedProgram`
 */
export async function killedAtEachCall(one: (killed: KilledAt) => Promise<number | undefined>): Promise<number> {
  let count: number | undefined;
  let next = 0;
  const places = async (): Promise<void> => {
    while (count === undefined) {
      const at = next;
      next += sweepStep(STEP);
      // Two places a call.
      const made = await one({ call: Math.floor(at / 2), during: at % 2 === 1 });
      count ??= made;
    }
  };
  await Promise.all([places(), places(), places()]);
  return count ?? 0;
}

/** Odd: so it is before one call, and in the middle of the next that is tried. */
const STEP = 11;

/** Repeats the work as Temporal does: locks that a killed git has left are nobody's after a while. */
export async function pastLocks<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ThermidorFailure) || error.code !== 'repository.locked') throw error;
    const git = newGit();
    const locks = await git.locks.list(await git.repositories.open(folder, never));
    for (const { path } of locks) utimesSync(path, new Date(0), new Date(0));
    return await work();
  }
}

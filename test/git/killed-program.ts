import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import { sweepStep } from '../support/sweep';
import { never, newGit } from './scene';

export interface KilledAt {
  /** The number of the git call, counted from 0. */
  call: number;
  /** If false, it is killed just before the call begins. */
  during: boolean;
}

/**
 * Runs a program in a process of its own that kills itself by SIGKILL. Resolves with the number of its git calls if it reached its end
 * before that.
 *
 * @param program has `given`; `of`, which loads a module of ours; and `git`, which kills the process at the given call. The program calls
 * `end` when its work is done.
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
 * Sets a fresh scene for each point at which the work may be killed, three at a time: before a git call, and in the middle of it.
 * `npm test` tries some of these points, the two kinds in turn. The last point is past the end of the work. Resolves with the number of
 * calls that the work makes.
 *
 * @param one sets the scene, has the work killed at that point, and checks the outcome; it returns what `killedProgram` returned
 */
export async function killedAtEachCall(one: (killed: KilledAt) => Promise<number | undefined>): Promise<number> {
  let count: number | undefined;
  let next = 0;
  const places = async (): Promise<void> => {
    while (count === undefined) {
      const at = next;
      next += sweepStep(STEP);
      // Each call has two points.
      const made = await one({ call: Math.floor(at / 2), during: at % 2 === 1 });
      count ??= made;
    }
  };
  await Promise.all([places(), places(), places()]);
  return count ?? 0;
}

/** It is odd, so the points that are tried are in turn before a call and in the middle of one. */
const STEP = 11;

/** Repeats the work as Temporal does. After a while no process owns the locks that a killed git has left. */
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

import { execFileSync } from 'node:child_process';
import type { Why } from '../../client/why';
import type { RunView } from '../../plan/run/status';
import { inSweep } from '../support/sweep';
import { type Build, end, otherBuild, thisBuild, untilVersion, workOn } from './support/builds';
import type { Program } from './support/program';
import { startDetached, untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { startSuggestingServer } from './support/suggesting-server';
import { until } from './support/until';

/**
 * Runs while the program is replaced, by two builds on a server that tells them apart. The server suggests to continue as new after 60
 * events.
 */
let scratch: Scratch;
let old: Build;
let next: Build;
const settings: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  scratch = await Scratch.make(settings);
  settings['TEMPORAL_ADDRESS'] = await startSuggestingServer(scratch, 60);
  settings['THERMIDOR_WORKTREES'] = scratch.path('trees');
  old = thisBuild();
  next = otherBuild(scratch.path('next'));
  scratch.write('lib/main.txt', 'main\n');
  git('init', '-q', '-b', 'main');
  git('add', 'main.txt');
  git('commit', '-q', '-m', 'first');
  git('branch', 'landing');
  writePipelines();
}, SET_UP_MS);
afterAll(() => scratch.close());

function git(...args: string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  return execFileSync('git', ['-C', scratch.path('lib'), ...who, ...args], { encoding: 'utf8' }).trim();
}

const effect = (what: string): string => `echo ${what} >> '${scratch.path('effects')}'`;
/** Enough for several executions. */
const MANY = Array.from({ length: 16 }, (_, n) => `many-${n}`);

function writePipelines(): void {
  const sequence = MANY.map((id) => ({ id, run: effect(id), retry: { max: 1 }, worktree: 'build' }));
  const steps = [
    { id: 'first', run: effect('first') },
    { id: 'build', run: 'echo built > built.txt', worktree: { repo: 'lib', base: 'landing' } },
    { id: 'kid', pipeline: 'kid.yaml' },
    { id: 'special', run: effect('special'), queue: 'gpu' },
    ...sequence,
    { id: 'land', type: 'merge', from: ['build'], into: 'landing' },
    { id: 'last', run: effect('last') },
  ];
  scratch.write('pipelines/whole.yaml', JSON.stringify({ name: 'whole', steps }));
  const kid = [
    { id: 'begun', run: effect('begun') },
    { id: 'ask', type: 'approval', approvers: ['ann'] },
    { id: 'over', run: effect('over') },
  ];
  scratch.write('pipelines/kid.yaml', JSON.stringify({ name: 'kid', steps: kid }));
}

const work = (build: Build): Program => workOn(scratch, build);

/** Starts a run and waits for the gate of its child. */
async function beginWhole(): Promise<string> {
  const run = await startDetached(scratch, 'whole');
  const asks = ({ state, gates }: RunView): boolean => state === 'failed' || gates.length > 0;
  expect((await untilStatus(scratch, run, 'its child asks', asks)).state).toBe('waiting');
  return run;
}

const approve = (run: string) => scratch.ask('approve', run, '--by', 'ann');

async function untilEnd(run: string): Promise<RunView> {
  const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state !== 'running' && state !== 'waiting');
  expect(view).toMatchObject({ state: 'completed' });
  return view;
}

const EFFECTS = ['first', 'begun', 'over', 'special', ...MANY, 'last'];

let worker: Program;

test('a run with a child, a worktree, a merge and several executions continues on the version that is promoted; each effect is there once', async () => {
  const before = work(old);
  await untilVersion(scratch, old, 'current');
  const run = await beginWhole();
  worker = work(next);
  await untilVersion(scratch, next, 'waiting');
  const waits = `version ${next.version} waits, and its workers take no work`;
  for (const command of [['status', run], ['why', run], ['fleet']]) {
    const { out, err } = await scratch.ask(...command);
    expect(out + err).toContain(waits);
    expect(out + err).toContain(`thermidor fleet promote ${next.version}`);
  }
  expect((await scratch.ask('doctor')).out).toContain(waits);
  expect(await scratch.ask('fleet', 'promote', next.version)).toMatchObject({ code: 0, out: `✓ ${next.version} is current\n`, err: '' });
  await end(before);
  await approve(run);
  const { firstRunId, runId } = await untilEnd(run);
  expect(runId).not.toBe(firstRunId);
  expect(scratch.lines('effects')).toEqual(EFFECTS);
  expect(git('show', 'landing:built.txt')).toBe('built');
});

test('what cannot be promoted is refused, with the versions that there are', async () => {
  const refused = async (...words: string[]) => {
    const { code, out } = await scratch.ask('fleet', ...words, '--json');
    const { error } = readJson<{ error: { code: string; hint?: string } }>({ code, out, err: '' });
    return [code, error.code, error.hint ?? ''];
  };
  const known = expect.stringContaining(next.version);
  expect(await refused('promote', 'nobody')).toEqual([1, 'fleet.no-version', known]);
  expect(await refused('promote', old.version)).toEqual([1, 'fleet.no-worker', known]);
  expect(await refused('move', next.version, old.version)).toEqual([1, 'fleet.no-worker', known]);
  expect(await refused('move', 'nobody')).toEqual([1, 'fleet.no-version', known]);
  for (const percent of ['0', '101', '1.5', '-3'])
    expect((await refused('promote', `--percent=${percent}`)).slice(0, 2)).toEqual([2, 'usage']);
  expect((await refused('promote', next.version, '--percent', '5')).slice(0, 2)).toEqual([2, 'usage']);
  expect((await refused('move', next.version)).slice(0, 2)).toEqual([2, 'usage']);
});

test('the only worker is replaced: its successor becomes current by itself, and continues the run', async () => {
  const run = await beginWhole();
  await end(worker);
  worker = work(old);
  await approve(run);
  await untilEnd(run);
  await untilVersion(scratch, old, 'current');
});

inSweep.test('a run that a later version began is left to it, and pinned before an older one is promoted', async () => {
  const later = otherBuild(scratch.path('later'), 2);
  const newest = work(later);
  await untilVersion(scratch, later, 'waiting');
  await scratch.ask('fleet', 'promote', later.version);
  const run = await beginWhole();
  const back = await scratch.json<{ pinned: string[] }>('fleet', 'promote', old.version);
  expect(back.pinned.sort()).toEqual([run, `${run}.kid`]);
  expect((await scratch.ask('fleet', 'move', later.version)).code).toBe(1);
  const others = await startDetached(scratch, 'kid');
  await untilStatus(scratch, others, 'the older version works', ({ gates }) => gates.length > 0);
  await end(newest);
  const { reasons } = await until('somebody misses the version', async () => {
    const why = await scratch.json<Why>('why', run);
    return why.reasons.some(({ text }) => text.startsWith(`needs a worker of version ${later.version}`)) && why;
  });
  expect(reasons).toContainEqual(expect.objectContaining({ kind: 'no-worker' }));
  work(later);
  await approve(run);
  await untilEnd(run);
});

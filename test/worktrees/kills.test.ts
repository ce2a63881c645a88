import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Setup } from '../../activities/worktree-port';
import { runRef } from '../../plan/run/run-ref';
import { type KilledAt, killedAtEachCall, pastLocks } from '../git/killed-program';
import { never, newRepository, scratchFolder, sh, write } from '../git/scene';
import { KEY, newHost, noSetup, place, SAVE } from './host-scene';
import { type Call, killedHost } from './killed-host';

const REF = runRef(KEY.run, 'build', 1);
const AT = place();
const FILES = { 'a.txt': 'a\n', '.gitignore': '.env\nset-up\n' };

const TO_ITS_END: KilledAt = { call: Number.MAX_SAFE_INTEGER, during: false };

async function scene(call: Call) {
  const workFolder = newRepository(FILES);
  writeFileSync(join(workFolder, '.env'), 'A=1\n');
  const root = join(scratchFolder(), 'worktrees');
  const host = newHost(workFolder, { settings: { folder: root } });
  const plan = await host.worktrees.resolve({ copy: ['.env'] }, never);
  const open = (setup: Setup) => host.worktrees.open(AT, plan, plan.base, setup, never);
  const tree = call.name === 'open' ? undefined : await open(noSetup);
  if (tree) write(tree.folder, { 'b.txt': 'b' });
  return { ...host, workFolder, plan, tree, open };
}

/** The number of whole clones. The janitor removes unfinished ones. */
function wholeClones(root: string): number {
  return readdirSync(join(root, 'clones')).filter((name) => name.endsWith('.git')).length;
}

async function atEachCall(call: Call, check: (of: Awaited<ReturnType<typeof scene>>) => Promise<void>): Promise<number> {
  return await killedAtEachCall(async (killed) => {
    const of = await scene(call);
    const calls = await killedHost(of, AT, of.plan, call, killed);
    await check(of);
    return calls;
  });
}

test('a worktree that was being made is made', async () => {
  const setup = 'echo once >> set-up';
  const calls = await atEachCall({ name: 'open', setup }, async ({ workFolder, plan, open, records, root }) => {
    const tree = await pastLocks(workFolder, () => open(async (cwd) => void execFileSync('sh', ['-c', setup], { cwd })));
    expect(tree.commit).toBe(plan.base);
    expect(['.env', 'set-up', 'a.txt'].map((name) => readFileSync(join(tree.folder, name), 'utf8'))).toEqual(['A=1\n', 'once\n', 'a\n']);
    expect([sh(tree.folder, 'status', '--porcelain'), sh(tree.folder, 'symbolic-ref', '--short', 'HEAD')]).toEqual(['', tree.branch]);
    expect((await records.list()).records).toMatchObject([{ ready: true, portBase: Number(tree.env['THERMIDOR_PORT_BASE']) }]);
    expect([sh(workFolder, 'worktree', 'list', '--porcelain').match(/^worktree /gm)?.length, wholeClones(root)]).toEqual([1, 1]);
    expect(sh(workFolder, 'rev-parse', 'main')).toBe(plan.base);
  });
  expect(calls).toBeGreaterThan(5);
});

test('a setup that was killed begins again, with nothing of before', async () => {
  const call: Call = { name: 'open', setup: 'echo once >> set-up; echo changed > a.txt; kill -9 $PPID' };
  const { open, workFolder, ...of } = await scene(call);
  expect(await killedHost({ ...of, workFolder }, AT, of.plan, call, TO_ITS_END)).toBeUndefined();
  const setup = 'cat a.txt >> set-up; echo once >> set-up';
  const tree = await open(async (cwd) => void execFileSync('sh', ['-c', setup], { cwd }));
  expect(readFileSync(join(tree.folder, 'set-up'), 'utf8')).toBe('a\nonce\n');
  expect((await of.records.list()).records).toHaveLength(1);
});

test('work that was being saved is saved, once', async () => {
  const calls = await atEachCall({ name: 'save', setup: 'true' }, async ({ workFolder, plan, tree, worktrees }) => {
    const made = await pastLocks(workFolder, () => worktrees.save(AT, plan, SAVE, never));
    expect(sh(workFolder, 'rev-parse', REF, `${made}^`)).toBe(`${made}\n${plan.base}`);
    expect(sh(workFolder, 'show', '--name-only', '--format=', made)).toBe('b.txt');
    expect(sh(tree?.folder ?? '', 'status', '--porcelain')).toBe('');
  });
  expect(calls).toBeGreaterThan(4);
});

test('a worktree that was being closed leaves nothing', async () => {
  const calls = await atEachCall({ name: 'close', setup: 'true' }, async ({ workFolder, plan, tree, worktrees, root, records }) => {
    await pastLocks(workFolder, () => worktrees.close(AT, plan, noSetup, never));
    const left = ['trees', 'repositories', 'views'].map((name) => readdirSync(join(root, name)));
    expect([existsSync(tree?.folder ?? ''), ...left, (await records.list()).records]).toEqual([false, [], [], [], []]);
    expect(sh(workFolder, 'for-each-ref', 'refs/heads/thermidor')).toBe('');
    expect(sh(workFolder, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
  });
  expect(calls).toBeGreaterThan(1);
});

test('two processes that open one worktree at once make it once', async () => {
  const call: Call = { name: 'open', setup: 'echo once >> set-up' };
  const of = await scene(call);
  const counts = await Promise.all([1, 2, 3].map(() => killedHost(of, AT, of.plan, call, TO_ITS_END)));
  const tree = await of.open(noSetup);
  expect(readFileSync(join(tree.folder, 'set-up'), 'utf8')).toBe('once\n');
  expect(new Set(counts).size).toBe(2);
});

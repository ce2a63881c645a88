import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_QUEUE_SETTINGS } from '../../plan/queue/queue-settings';
import type { QueueTarget } from '../../plan/queue/ticket';
import { FAILURES, ThermidorFailure } from '../../plan/run/failure';
import { createMergeHost } from '../../worker/queues/merge-host';
import { commitOn, never, newGit, newRepository, scratchFolder, sh, write } from '../git/scene';
import { sweep } from '../support/sweep';
import { hostOptions, newHost, noSetup, opened, PORTS, place, SAVE } from './host-scene';

/**
 * The disk of the folder of worktrees vanishes while a worker uses it. Nothing of that is the fault of the step or of its repository, so
 * whatever fails has a code that is tried again, and the next try makes all of it anew.
 */
const MOMENTS = ['before', 'after'] as const;
/** More than the git commands of one call. */
const COMMANDS = Array.from({ length: 24 }, (_, n) => n + 1);

/** A git in front of the real one: its n-th command takes the folder away, before or after its work. */
function thiefOf(root: string, nth: number, moment: (typeof MOMENTS)[number]): { PATH: string; begin(): void } {
  const bin = scratchFolder();
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const steal = `if [ -e '${bin}/armed' ]; then echo >> '${bin}/count'; if [ $(wc -l < '${bin}/count') = ${nth} ]; then mv '${root}' '${root}.gone'; fi; fi`;
  const [before, after] = moment === 'before' ? [steal, ':'] : [':', steal];
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${before}\n'${real}' "$@"\ncode=$?\n${after}\nexit $code\n`);
  chmodSync(join(bin, 'git'), 0o755);
  return { PATH: `${bin}:${process.env['PATH']}`, begin: () => writeFileSync(join(bin, 'armed'), '') };
}

async function isTriedAgain(work: Promise<unknown>): Promise<boolean> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (error === undefined) return false;
  if (!(error instanceof ThermidorFailure)) throw error;
  expect([error.code, error.message, FAILURES[error.code].retried]).toEqual([error.code, error.message, 'temporal']);
  return true;
}

describe.each(MOMENTS)('%s one of its git commands', (moment) => {
  it.each(sweep(COMMANDS, 6))('opening is tried again, and makes all anew: command %i', async (nth) => {
    const folder = newRepository();
    const root = join(scratchFolder(), 'worktrees');
    const { PATH, begin } = thiefOf(root, nth, moment);
    const git = newGit({ environment: { ...process.env, PATH } });
    const host = newHost(folder, { settings: { folder: root, ports: PORTS }, git });
    const plan = await host.worktrees.resolve({}, never);
    const open = () => host.worktrees.open(place(), plan, plan.base, noSetup, never);
    begin();
    await isTriedAgain(open());
    const { folder: tree, commit } = await open();
    expect([commit, sh(tree, 'status', '--porcelain')]).toEqual([plan.base, '']);
  });

  it.each(sweep(COMMANDS, 6))('saving is tried again, and its step begins from what was saved last: command %i', async (nth) => {
    const folder = newRepository();
    const root = join(scratchFolder(), 'worktrees');
    const { PATH, begin } = thiefOf(root, nth, moment);
    const git = newGit({ environment: { ...process.env, PATH } });
    const host = newHost(folder, { settings: { folder: root, ports: PORTS }, git });
    const { tree, save, open } = await opened({}, { folder, host });
    write(tree.folder, { 'a.txt': 'b' });
    begin();
    const failed = await isTriedAgain(save());
    const again = await open();
    expect(sh(again.folder, 'show', 'HEAD:a.txt')).toBe(failed && again.commit === tree.commit ? 'a' : 'b');
  });

  it.each(sweep(COMMANDS, 6))('landing is tried again until the candidate has landed: command %i', async (nth) => {
    const bare = join(scratchFolder(), 'origin.git');
    execFileSync('git', ['clone', '--quiet', '--bare', newRepository({ 'a.txt': 'a\n' }), bare]);
    const candidate = commitOn(bare, 'refs/heads/main', { 'b.txt': 'b\n' }, 'work', 'refs/heads/work');
    const root = join(scratchFolder(), 'worktrees');
    const { PATH, begin } = thiefOf(root, nth, moment);
    const host = createMergeHost({
      ...hostOptions(root, bare),
      git: newGit({ environment: { ...process.env, PATH } }),
      rules: () => DEFAULT_QUEUE_SETTINGS,
    });
    const target: QueueTarget = { repository: `file://${bare}`, refsIn: 'remote', branch: 'main' };
    const land = async (): Promise<void> => {
      const asked = { candidate, ...SAVE, restricted: [], judged: { commands: [] } };
      const { onto, result } = await host.merge({ target, strategy: 'merge', candidates: [asked] }, never);
      await host.keep(target, 'r1', result, never);
      expect(await host.advance(target, { from: onto, to: result }, never)).toEqual({ kind: 'moved' });
    };
    begin();
    while (await isTriedAgain(land()));
    expect(sh(bare, 'show', 'main:b.txt')).toBe('b');
  });
});

it('is noticed when the folder is gone before a step is saved', async () => {
  const { root, save } = await opened();
  renameSync(root, `${root}.gone`);
  expect(await isTriedAgain(save())).toBe(true);
  expect(existsSync(join(root, 'trees'))).toBe(false);
});

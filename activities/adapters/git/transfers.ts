import type { ObjectId, Repository, Swap, Swapped } from '../../git-model';
import type { Transfers } from '../../git-transfers-port';
import { repositoryFailure } from './failures';
import type { GitTools } from './git-tools';
import { checkedId, checkedRef } from './names';
import { lendRepository, lentRepository, returnRepository } from './own-repository';
import { readRef, swapRef } from './refs';
import { pushSwap } from './remotes';
import { settingsCopier } from './settings';

/** Transfers between repositories of this host, by git's own protocol. */
export function transfersOf(tools: GitTools): Transfers {
  return {
    settings: settingsCopier(tools),
    bring: (source, to, wanted, signal) => bring(tools, source, to, wanted, signal),
    deliver: (from, to, swap, signal) => deliver(tools, from, to, swap, signal),
    lend: (lender, lending) => lendRepository(lender, lending),
    lent: (view) => lentRepository(view),
    giveBack: (lending) => returnRepository(lending),
  };
}

/**
 * The other side is a git of its own, which does not see our environment. Its repository is somebody's, whose settings for other people's
 * pushes do not count: no hook, no rule, no maintenance.
 */
const THEIRS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'receive.autogc=false',
  'receive.updateServerInfo=false',
  'receive.fsckObjects=false',
  'receive.maxInputSize=0',
  'receive.denyNonFastForwards=false',
  'receive.denyDeletes=false',
  'receive.hideRefs=!refs/thermidor',
  'uploadpack.hideRefs=!refs',
];

function theirs(program: 'upload-pack' | 'receive-pack'): string {
  return `git ${THEIRS.map((setting) => `-c '${setting}'`).join(' ')} ${program}`;
}

async function bring(
  { run }: GitTools,
  source: Repository,
  { gitDir }: Repository,
  { commits, tags }: { commits: readonly ObjectId[]; tags: boolean },
  signal: AbortSignal,
): Promise<void> {
  const specs = [...commits.map((commit) => `+${checkedId(commit)}:${keptRef(commit)}`), ...(tags ? ['+refs/tags/*:refs/tags/*'] : [])];
  await run({ at: { gitDir }, argv: fetchFrom(source, specs) }, signal).catch((error: unknown) => {
    if (!(error instanceof Error) || !/not our ref|bad object/.test(error.message)) throw error;
    throw repositoryFailure('base-missing', `there is no commit ${commits.join(' or ')} in ${source.identity}`);
  });
}

/** A ref by which the next call knows what is already here. */
function keptRef(commit: ObjectId): string {
  return `refs/kept/${commit}`;
}

function fetchFrom({ gitDir }: Repository, specs: readonly string[]): string[] {
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance', '--refmap='];
  return ['fetch', ...options, `--upload-pack=${theirs('upload-pack')}`, '--', gitDir, ...specs];
}

async function deliver(tools: GitTools, from: Repository, to: Repository, swap: Swap, signal: AbortSignal): Promise<Swapped> {
  const actual = async () => await readRef(tools, to, checkedRef(swap.ref), signal);
  const push = { to: to.gitDir, options: [`--receive-pack=${theirs('receive-pack')}`], actual };
  try {
    return await pushSwap(tools, from, push, swap, signal);
  } catch (error) {
    if (swap.to === undefined || !(error instanceof Error) || !/proc-receive/.test(error.message)) throw error;
    // A hook of theirs takes all pushes below a prefix, which no setting of ours undoes: it is brought there without a push.
    await tools.run({ at: { gitDir: to.gitDir }, argv: fetchFrom(from, [checkedId(swap.to)]) }, signal);
    return await swapRef(tools, to, swap, signal);
  }
}

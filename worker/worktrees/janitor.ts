import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../../activities/git-port';
import { STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { unlessGone } from '../../records/directory/durable-file';
import { withFileLock } from '../../records/locks/file-lock';
import { removeWorktree } from './close-worktree';
import { type JudgeFacts, type Judgement, type JudgePolicy, judgeWorktree, type Whose } from './judge-worktree';
import type { AskRunLife, RunLife } from './run-life';
import { sweepKept } from './sweep-kept';
import { sweepClones, sweepScratchFolders } from './sweep-leftovers';
import { sweepRefs } from './sweep-refs';
import type { Swept } from './swept';
import { uncommittedIn } from './uncommitted';
import { inSlot } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';
import { type ListedRecords, worktreeRecords } from './worktree-records';
import { worktreesLayout } from './worktrees-layout';

/**
 * Removes what runs have left on a host: worktrees with their branches, ports and records, run refs, clones, scratch. `judge-worktree.ts`
 * decides what happens to a worktree.
 *
 * Invariants: 1. at most one sweep of a folder at a time; 2. a failure is reported and left for the next sweep, and the rest is done.
 */
export interface JanitorPorts extends Whose {
  /** The folder of worktrees. */
  root: string;
  git: Git;
  lifeOf: AskRunLife;
  /** Whether no host has taken a worktree over since, as the run's ledger says. */
  isNewest(record: WorktreeRecord): Promise<boolean>;
  /** Whether a store is there no more. */
  isGone(storeId: string): Promise<boolean>;
  /** Since when worktrees are known to have been taken over, from one sweep to the next. */
  takenSince: Map<string, number>;
}

export interface SweepOrder extends JudgePolicy {
  keepRefsMs: number;
  /** Reports what the janitor would do, and changes nothing. */
  dryRun?: boolean;
  /** What is kept is removed with the uncommitted work that it has, too. */
  force?: boolean;
  /** Limits the work to worktrees for which this holds. */
  of?(record: WorktreeRecord): boolean;
}

/** How long to wait for a process that works on a worktree. */
const BUSY_MS = 10_000;

export interface JudgedWorktree extends Judgement {
  record: WorktreeRecord;
}

export interface SweepReport {
  swept: Swept[];
  /** Folders that belong to no record. */
  nobodys: string[];
  unreadable: ListedRecords['unreadable'];
}

/** Fails with `LockHeld` if another process sweeps for longer than the patience. */
export async function sweepWorktrees(ports: JanitorPorts, order: SweepOrder, signal: AbortSignal, patienceMs = 0): Promise<SweepReport> {
  const { locks } = worktreesLayout(ports.root);
  mkdirSync(locks, { recursive: true, mode: STATE_FOLDER_MODE });
  return await withFileLock(join(locks, 'janitor'), () => sweep(ports, order, signal), { patienceMs, signal });
}

/** The existing worktrees, and what would happen to each. */
export async function judgeWorktrees(ports: JanitorPorts, policy: JudgePolicy, listed: ListedRecords): Promise<JudgedWorktree[]> {
  const lifeOf = askedOnce(ports.lifeOf);
  return await Promise.all(
    listed.records.map(async (record) => {
      const facts = await factsOf(ports, record, lifeOf, policy.nowMs);
      return { record, ...judgeWorktree(record, ports, facts, policy) };
    }),
  );
}

/** Folders that belong to no record. If there are records that cannot be read, the folders may belong to those. */
export async function nobodysFolders(root: string, { records }: ListedRecords): Promise<string[]> {
  const { trees } = worktreesLayout(root);
  const owned = new Set(records.map(({ folder }) => folder));
  const names = (await unlessGone(() => readdir(trees))) ?? [];
  return names.map((name) => join(trees, name)).filter((folder) => !owned.has(folder));
}

async function sweep(ports: JanitorPorts, order: SweepOrder, signal: AbortSignal): Promise<SweepReport> {
  const { root } = ports;
  const records = worktreeRecords(root);
  const listed = await records.list();
  const meant = { ...listed, records: listed.records.filter((record) => order.of?.(record) ?? true) };
  const swept: Swept[] = [];
  for (const judged of await judgeWorktrees(ports, order, meant)) {
    signal.throwIfAborted();
    swept.push(await sweepOne(ports, judged, order, signal));
  }
  if (order.of === undefined) {
    swept.push(...(await sweepRefs(ports, order, signal)));
    swept.push(...(await sweepScratchFolders(root, order)), ...(await sweepClones(root, await records.list(), order, signal)));
    swept.push(...(await sweepKept(ports, order, signal)));
  }
  return { swept, unreadable: listed.unreadable, nobodys: await nobodysFolders(root, await records.list()) };
}

async function sweepOne(
  { git, root }: JanitorPorts,
  { record, remove, why }: JudgedWorktree,
  { dryRun, force }: SweepOrder,
  signal: AbortSignal,
): Promise<Swept> {
  const { folder: what, workflowId, run, slot, epoch } = record;
  const swept = { kind: 'worktree', what, workflowId, run, slot, epoch } as const;
  if (!remove) return { ...swept, done: 'kept', why };
  try {
    const layout = worktreesLayout(root);
    const lost = record.keep && !force ? await uncommittedIn({ git, layout }, record, signal) : undefined;
    if (lost !== undefined) return { ...swept, done: 'kept', why: `${lost}; --force removes it all the same` };
    if (!dryRun) await removeInSlot({ git, root }, record, signal);
    return { ...swept, done: 'removed', why };
  } catch (error) {
    signal.throwIfAborted();
    return { ...swept, done: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}

async function removeInSlot({ git, root }: Pick<JanitorPorts, 'git' | 'root'>, record: WorktreeRecord, signal: AbortSignal): Promise<void> {
  const [layout, records] = [worktreesLayout(root), worktreeRecords(root)];
  const patience = AbortSignal.timeout(BUSY_MS);
  let entered = false;
  const remove = async (): Promise<void> => {
    entered = true;
    await removeWorktree({ git, records, layout }, record);
  };
  await inSlot({ root, layout }, record, AbortSignal.any([signal, patience]), remove).catch((error: unknown) => {
    throw entered || signal.aborted ? error : new Error('another process is at work on it');
  });
}

async function factsOf(
  ports: JanitorPorts,
  record: WorktreeRecord,
  lifeOf: (record: WorktreeRecord) => Promise<RunLife | undefined>,
  nowMs: number,
): Promise<JudgeFacts> {
  if (record.storeId !== ports.storeId) return (await ports.isGone(record.storeId)) ? { storeGone: true } : {};
  if (record.host !== ports.host || record.namespace !== ports.namespace) return {};
  const life = await lifeOf(record);
  if (life?.kind !== 'open') return life === undefined ? {} : { life };
  // If the store does not say, the worktree is kept until the next look.
  const isNewest = await ports.isNewest(record).catch(() => undefined);
  if (isNewest === undefined) return {};
  if (isNewest) return { life };
  const key = `${record.run}~${record.epoch}~${record.slot}`;
  const takenMs = ports.takenSince.get(key) ?? nowMs;
  ports.takenSince.set(key, takenMs);
  return { life, takenMs };
}

/** Asks once about a run of many worktrees. Undefined if the server does not answer. */
function askedOnce(lifeOf: AskRunLife): (record: WorktreeRecord) => Promise<RunLife | undefined> {
  const asked = new Map<string, Promise<RunLife | undefined>>();
  return ({ workflowId, run }) => {
    const key = `${run} ${workflowId}`;
    const answer = asked.get(key) ?? lifeOf({ workflowId, run }).catch(() => undefined);
    asked.set(key, answer);
    return answer;
  };
}

import { defined } from '../../plan/defined';
import { bug } from '../../plan/run/failure';
import type { ClaimWorktreeInput } from '../../plan/run/worktree-activities';
import { parseAddress, stepIdOf } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import type { Readable } from '../../plan/steps/step-activity';
import type { WorktreeSpec } from '../../plan/steps/step-base';
import { isJsonObject } from '../../plan/text/json';
import type { Ledger, RunKey } from '../../records/ledger';
import { asJson } from '../../records/stored-json';
import type { LoadedRun } from '../run/loaded-run';
import type { WorktreePlan } from '../worktree-port';

/** What the first claim of a worktree settles in its run, so that every host and every epoch makes the same. */
export interface SlotRecord {
  plan: WorktreePlan;
  /** The references that templates of `setup` and `teardown` read, because their rendered values may be secret. */
  reads: Readable;
}

type Records = Pick<Ledger, 'get' | 'putIfAbsent'>;

function slotName(slot: string): string {
  return `worktree/${slot}`;
}

/** Undefined before the first claim. */
export async function readSlot(ledger: Pick<Ledger, 'get'>, key: RunKey, slot: string): Promise<SlotRecord | undefined> {
  const found: unknown = await ledger.get(key, slotName(slot));
  return isSlotRecord(found) ? found : undefined;
}

/** The first that is recorded stays. */
export async function recordSlot(ledger: Records, key: RunKey, slot: string, record: SlotRecord): Promise<SlotRecord> {
  const kept: unknown = await ledger.putIfAbsent(key, slotName(slot), asJson(record));
  return isSlotRecord(kept) ? kept : record;
}

/** Fails with `internal` if nothing was claimed. */
export async function requireSlot(ledger: Pick<Ledger, 'get'>, key: RunKey, slot: string): Promise<SlotRecord> {
  const found = await readSlot(ledger, key, slot);
  if (found) return found;
  throw bug(`nothing is recorded of the worktree of "${slot}"`);
}

/** Written by this module alone. */
function isSlotRecord(value: unknown): value is SlotRecord {
  return isJsonObject(value) && isJsonObject(value['plan']) && isJsonObject(value['reads']);
}

export function readsOf({ inputs, records, loops, end, with: replaced }: ClaimWorktreeInput): Readable {
  return {
    ...defined({ inputs, records, loops, end, with: replaced }),
  };
}

export type OwnWorktree = Exclude<WorktreeSpec, { of: string }>;
export type WorktreeOwner = Step & { readonly worktree: OwnWorktree };

/** The step that owns a slot's worktree. */
export function ownerOf({ steps, plan }: LoadedRun, slot: string): WorktreeOwner {
  const address = parseAddress(slot);
  const step = address && steps.get(stepIdOf(address));
  if (step && isOwner(step)) return step;
  throw bug(`plan "${plan.name}" has no step with the worktree of "${slot}"`);
}

function isOwner(step: Step): step is WorktreeOwner {
  return step.worktree !== undefined && !('of' in step.worktree);
}

import { defined, unlessEmpty } from '../../../plan/defined';
import { type ControlRef, readArtifactRef, readControlRef } from '../../../plan/run/artifact';
import type { Carry } from '../../../plan/run/carry';
import { ThermidorFailure } from '../../../plan/run/failure';
import { STEP_STATES } from '../../../plan/run/step-state';
import { isCarriedWorktree } from '../../../plan/run/worktree';
import { isJsonObject, type Json } from '../../../plan/text/json';
import type { RunContext } from '../../run-context';
import { ownerContextOf } from '../agents/owner-context';
import type { Run } from '../run';
import { loadState } from './load';
import { emptyState, type InterpreterState } from './state';
import { freshRecord, type StepRecord } from './step-record';

/** The records that the earlier run carried over, with which a rerun begins. Fails with `input.invalid` if they cannot be read. */
export async function carriedState(ctx: RunContext, ref: ControlRef<'carry'>, version: number): Promise<InterpreterState> {
  const stored = await loadState(ctx, ref);
  if (!isCarry(stored)) throw new ThermidorFailure('input.invalid', `artifact ${ref.sha256} is not what a run carried over`);
  const records: Record<string, StepRecord> = { ...stored.records };
  for (const [path, child] of Object.entries(stored.children ?? {})) {
    records[path] = { ...(records[path] ?? freshRecord(1)), carried: { run: stored.run, child } };
  }
  const ownContext = ownerContextOf(Object.values(records));
  const worktrees = Object.entries(stored.worktrees ?? {}).map(([slot, carried]) => [slot, { carried }]);
  return {
    ...{ ...emptyState(version), records },
    ...defined({ ownContext: unlessEmpty(ownContext), worktrees: unlessEmpty(Object.fromEntries(worktrees)) }),
  };
}

/** The journal says of each step that was carried where it was done. */
export function noteCarried(run: Run): void {
  for (const [path, { state, carried, output }] of Object.entries(run.state.records)) {
    if (!carried || carried.child) continue;
    const reason = `carried over from ${carried.run}`;
    run.journal.add({ kind: 'step', step: run.name(path), state, reason, ...defined({ artifact: output?.artifact }) });
  }
}

function isCarry(stored: Json): stored is Json & Carry {
  if (!isJsonObject(stored) || typeof stored['run'] !== 'string' || !isJsonObject(stored['records'])) return false;
  const { children, worktrees } = stored;
  if (worktrees !== undefined && !(isJsonObject(worktrees) && Object.values(worktrees).every(isCarriedWorktree))) return false;
  const refs = children === undefined || (isJsonObject(children) && Object.values(children).every(isCarryRef));
  return refs && Object.values(stored['records']).every(isRecord);
}

function isCarryRef(value: Json): boolean {
  return readControlRef(value, 'carry') !== undefined;
}

function isRecord(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { state, round, try: again, artifact } = value;
  const numbers = [round, again].every((number) => Number.isSafeInteger(number) && Number(number) >= 1);
  return numbers && STEP_STATES.some((known) => known === state) && (artifact === undefined || readArtifactRef(artifact) !== undefined);
}

import type { AskedTask, TaskOutcome } from '../plan/board/asked-task';
import type { TaskNumber } from '../plan/board/task';
import type { AskedBy } from '../plan/queue/ticket';
import { isJsonObject } from '../plan/text/json';
import type { Ledger } from './ledger';
import { asJson } from './stored-json';

/**
 * Tasks that a run gives to teams: what is asked and what comes of it are in the ledger of the run that asks. Each is recorded once, and
 * the first stays.
 */
type Reads = Pick<Ledger, 'get'>;
type Records = Pick<Ledger, 'get' | 'putIfAbsent'>;
type About = 'taken' | 'withdrawn' | 'outcome';

/** Undefined if it was withdrawn before. */
export async function recordAsked(ledger: Records, asked: AskedBy, task: AskedTask): Promise<AskedTask | undefined> {
  const kept: unknown = await ledger.putIfAbsent(keyOf(asked), nameOf(asked), asJson(task));
  return isAsked(kept) ? kept : undefined;
}

export async function readAsked(ledger: Reads, asked: AskedBy): Promise<AskedTask | undefined> {
  const found: unknown = await ledger.get(keyOf(asked), nameOf(asked));
  return isAsked(found) ? found : undefined;
}

/**
 * If nothing was asked yet, nothing asked later counts; else returns what was asked, and says next to it that nobody waits for it any more.
 */
export async function recordWithdrawal(ledger: Records, asked: AskedBy): Promise<AskedTask | undefined> {
  const kept: unknown = await ledger.putIfAbsent(keyOf(asked), nameOf(asked), { withdrawn: true });
  if (!isAsked(kept)) return undefined;
  await ledger.putIfAbsent(keyOf(asked), nameOf(asked, 'withdrawn'), { withdrawn: true });
  return kept;
}

export async function wasWithdrawn(ledger: Reads, asked: AskedBy): Promise<boolean> {
  return (await ledger.get(keyOf(asked), nameOf(asked, 'withdrawn'))) !== undefined;
}

/** It is on the board, under this number. */
export async function recordTaken(ledger: Records, asked: AskedBy, id: TaskNumber): Promise<void> {
  await ledger.putIfAbsent(keyOf(asked), nameOf(asked, 'taken'), { id });
}

export async function readTaken(ledger: Reads, asked: AskedBy): Promise<TaskNumber | undefined> {
  const found: unknown = await ledger.get(keyOf(asked), nameOf(asked, 'taken'));
  return isJsonObject(found) && typeof found['id'] === 'number' ? found['id'] : undefined;
}

export async function recordTaskOutcome(ledger: Records, asked: AskedBy, outcome: TaskOutcome): Promise<void> {
  await ledger.putIfAbsent(keyOf(asked), nameOf(asked, 'outcome'), asJson(outcome));
}

export async function readTaskOutcome(ledger: Reads, asked: AskedBy): Promise<TaskOutcome | undefined> {
  const found: unknown = await ledger.get(keyOf(asked), nameOf(asked, 'outcome'));
  return isOutcome(found) ? found : undefined;
}

function keyOf({ workflowId, run }: AskedBy) {
  return { workflowId, run };
}

function nameOf({ name }: AskedBy, about?: About): string {
  return about === undefined ? `asked-task/${name}` : `asked-task-${about}/${name}`;
}

/** Written by this module alone. */
function isAsked(value: unknown): value is AskedTask {
  return isJsonObject(value) && typeof value['team'] === 'string' && isJsonObject(value['task']);
}

function isOutcome(value: unknown): value is TaskOutcome {
  return isJsonObject(value) && typeof value['kind'] === 'string';
}

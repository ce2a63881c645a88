import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { settledUsages } from '../../plan/usage';
import { wholeLines } from '../directory/log-lines';
import { standingLines } from '../log-claims';
import type { LedgerRun } from '../runs/list-runs';
import { type PaidEntry, readAccountEntry } from './account-log';

/** Folders that are read at once. */
const AT_ONCE = 16;

/**
 * What was paid for in some runs, from the ledger alone: neither server nor worker is asked. Invariant: each line is read once.
 *
 * @param sinceMs only what is not older; logs that were not written to since are not opened
 */
export async function readPaid(runs: readonly LedgerRun[], sinceMs = 0): Promise<PaidEntry[]> {
  const paid: PaidEntry[] = [];
  for (let i = 0; i < runs.length; i += AT_ONCE) {
    const read = await Promise.all(runs.slice(i, i + AT_ONCE).map(({ folder }) => paidIn(folder, sinceMs)));
    for (const entries of read) paid.push(...entries);
  }
  return paid.sort((a, b) => a.at.localeCompare(b.at));
}

/** `…/account`, and whatever has a shortened name: its lines say what they are. */
const ACCOUNTS = /(?:%2Faccount|%h[0-9a-f]{64})\.jsonl$/;

async function paidIn(folder: string, sinceMs: number): Promise<PaidEntry[]> {
  const paid: PaidEntry[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!ACCOUNTS.test(name) || (sinceMs > 0 && (await lastWritten(path)) < sinceMs)) continue;
    const entries = standingLines(wholeLines(await textOf(path))).map(readAccountEntry);
    paid.push(...settledEntries(entries.filter((entry) => entry?.kind === 'paid')).filter(({ at }) => Date.parse(at) >= sinceMs));
  }
  return paid;
}

/** Of one call, oldest first. */
function settledEntries(entries: readonly PaidEntry[]): PaidEntry[] {
  const replies = entries.filter(({ unanswered }) => !unanswered);
  const usages = settledUsages(replies.map(({ usage }) => usage));
  const settled = new Map(replies.map((entry, at) => [entry, usages[at]]));
  return entries.map((entry) => ({ ...entry, usage: settled.get(entry) ?? entry.usage }));
}

async function lastWritten(path: string): Promise<number> {
  return await stat(path).then(({ mtimeMs }) => mtimeMs, gone(0));
}

async function textOf(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(gone(''));
}

/** Somebody may have cleared the run away while it was read. */
function gone<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (errorCode(error) === 'ENOENT') return instead;
    throw error;
  };
}

import { accountLog, type FailedEntry, readAccountEntry } from '../accounts/account-log';
import type { Ledger, RunKey } from '../ledger';
import { readRecordedConversation } from './recorded-conversation';
import type { ToolEffect } from './transcript-log';
import type { Turn } from './turn';

/** What was said in one call of an agent, request by request. */
export interface RecordedCall {
  id: string;
  /** From the first, which is the task; of each its turns, the prompt first. */
  asks: readonly (readonly Turn[])[];
  effects: readonly ToolEffect[];
  /** What it failed with the last time that it failed. */
  failed?: FailedEntry;
}

/** As the ledger has it, where secrets are masked. Turns that a try has from the one before it are in both. */
export async function readRecordedCall(ledger: Ledger, key: RunKey, id: string): Promise<RecordedCall> {
  const transcript = await readRecordedConversation(ledger, key, id);
  const asks: (readonly Turn[])[] = [];
  for (let ask = 1; transcript.of(ask).length > 0; ask++) asks.push(transcript.of(ask));
  const account = (await ledger.lines(key, accountLog(id))).map(readAccountEntry);
  const failed = account.findLast((entry) => entry?.kind === 'failed');
  return { id, asks, effects: transcript.effects(), ...(failed?.kind === 'failed' ? { failed } : {}) };
}

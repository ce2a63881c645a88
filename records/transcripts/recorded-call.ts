import { accountLog, type FailedEntry, readAccountEntry } from '../accounts/account-log';
import type { Ledger, RunKey } from '../ledger';
import { readRecordedConversation } from './recorded-conversation';
import type { ToolEffect } from './transcript-log';
import type { Turn } from './turn';

/** The content of one call of an agent, request by request. */
export interface RecordedCall {
  id: string;
  /** Requests from the first, which is the task; each with its turns, the prompt first. */
  asks: readonly (readonly Turn[])[];
  effects: readonly ToolEffect[];
  /** Its last failure. */
  failed?: FailedEntry;
}

/** Reads a call from the ledger, where secrets are masked. Turns that a try took over from an earlier one are in both. */
export async function readRecordedCall(ledger: Ledger, key: RunKey, id: string): Promise<RecordedCall> {
  const transcript = await readRecordedConversation(ledger, key, id);
  const asks: (readonly Turn[])[] = [];
  for (let ask = 1; transcript.of(ask).length > 0; ask++) asks.push(transcript.of(ask));
  const account = (await ledger.lines(key, accountLog(id))).map(readAccountEntry);
  const failed = account.findLast((entry) => entry?.kind === 'failed');
  return { id, asks, effects: transcript.effects(), ...(failed?.kind === 'failed' ? { failed } : {}) };
}

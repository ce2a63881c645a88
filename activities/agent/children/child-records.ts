import type { AnnounceInput, SpawnedInput, SpawnedOutput, SpawnRequest, SpawnResult } from '../../../plan/agents/spawned-agent';
import { field, isJsonObject, type Json } from '../../../plan/text/json';
import type { Ledger, RunKey } from '../../../records/ledger';
import { asJson } from '../../../records/stored-json';
import { readRecordedConversation } from '../../../records/transcripts/recorded-conversation';

/**
 * What the ledger tells a run and its agents' activities of spawned children. A child is spawned by its request in its parent's transcript,
 * which the run reads; it has ended when its result is in a record of its own, which the parent reads.
 *
 * Invariants: 1. a request is recorded before the run gets it; 2. a result is recorded before its parent is called with it, and never
 * changes.
 */

/** A payload over 2 MiB wedges a run forever. In characters of JSON, each of which takes up to three bytes. */
const PAGE_CHARACTERS = 400_000;

export async function readSpawned(
  { ledger }: { ledger: Pick<Ledger, 'lines'> },
  key: RunKey,
  { call, after }: SpawnedInput,
): Promise<SpawnedOutput> {
  const children: SpawnRequest[] = [];
  let characters = 0;
  for (const child of (await readRecordedConversation(ledger, key, call)).spawned().slice(after)) {
    characters += JSON.stringify(child).length;
    if (children.length > 0 && characters > PAGE_CHARACTERS) return { children, more: true };
    children.push(child);
  }
  return { children };
}

export async function announceResults(
  { ledger }: { ledger: Pick<Ledger, 'putIfAbsent'> },
  key: RunKey,
  { result }: AnnounceInput,
): Promise<void> {
  await ledger.putIfAbsent(key, resultName(result.id), asJson(result));
}

/** The ends of children so far; running ones are left out. */
export async function resultsOfChildren(
  ledger: Pick<Ledger, 'get'>,
  key: RunKey,
  children: readonly SpawnRequest[],
): Promise<SpawnResult[]> {
  const found = await Promise.all(children.map(({ id }) => ledger.get(key, resultName(id))));
  return found.flatMap((result) => (isResult(result) ? [result] : []));
}

function resultName(id: string): string {
  return `${id}/result`;
}

/** The ledger is Thermidor's own: `announceResults` wrote its content. */
function isResult(value: Json | undefined): value is Json & SpawnResult {
  return isJsonObject(value) && typeof field(value, 'id') === 'string' && typeof field(value, 'agent') === 'string';
}

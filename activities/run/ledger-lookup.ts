import { traitsOf } from '../../kinds/traits';
import type { LedgerLookupInput, LedgerLookupOutput, LookedUpCall } from '../../plan/run/ledger-lookup';
import type { StepOutput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json } from '../../plan/text/json';
import type { ArtifactStore } from '../../records/artifact-store';
import type { Ledger, RecordLog, RunKey } from '../../records/ledger';
import { requireAddress } from '../activity-call';
import { readChained, restore } from '../commands/chain-record';
import { begunSoFar, effectLog } from '../intents';

/** A payload over 2 MiB wedges a run forever. In characters of JSON, each of which takes up to three bytes. */
const ANSWER_CHARACTERS = 400_000;

/** The part of a toolbox that finds finished work. */
export interface LookupStores {
  ledger: Pick<Ledger, 'get' | 'recordLog'>;
  artifacts: Pick<ArtifactStore, 'put'>;
}

/** Looks up which of some calls are done. Neither does work nor prevents it. Fails with `store.unavailable`. */
export async function lookUpRecorded(
  stores: LookupStores,
  key: RunKey,
  { calls }: Pick<LedgerLookupInput, 'calls'>,
  limitCharacters = ANSWER_CHARACTERS,
): Promise<LedgerLookupOutput> {
  const logs = new Map<string, Promise<RecordLog>>();
  const logOf = (name: string): Promise<RecordLog> => {
    const log = logs.get(name) ?? stores.ledger.recordLog(key, name);
    logs.set(name, log);
    return log;
  };
  const done: LedgerLookupOutput['done'] = {};
  const begun: NonNullable<LedgerLookupOutput['begun']> = {};
  let looked = 0;
  let characters = 0;
  try {
    for (const call of calls) {
      const output = await outputOf(stores, key, call, logOf);
      characters += output ? JSON.stringify(output).length : 0;
      if (looked > 0 && characters > limitCharacters) break;
      if (output) done[call.call] = output;
      else await noteBegun(call, logOf, begun);
      looked += 1;
    }
    return { done, looked, ...(Object.keys(begun).length > 0 ? { begun } : {}) };
  } finally {
    for (const log of logs.values()) await (await log).close();
  }
}

async function outputOf(
  { ledger, artifacts }: LookupStores,
  key: RunKey,
  { call, kind }: LookedUpCall,
  logOf: (name: string) => Promise<RecordLog>,
): Promise<StepOutput | undefined> {
  const { ledger: recorded, chains, asksWithin } = traitsOf(kind);
  // The work of any other kind is done within it, by people, or in a run of its own.
  if (recorded === undefined) return undefined;
  const end = await ledger.get(key, call);
  if (recorded === 'effect') return end === undefined ? undefined : {};
  // A pipe that asks has not ended.
  if (asksWithin) return isJsonObject(end) && end['kind'] === 'done' ? asOutput(end['output']) : undefined;
  const alone = asOutput(end);
  if (alone || !chains) return alone;
  const chained = readChained((await logOf(effectLog(requireAddress({ id: call })))).get(call));
  if (chained) await restore(artifacts, chained);
  return chained?.output;
}

async function noteBegun({ call, kind }: LookedUpCall, logOf: (name: string) => Promise<RecordLog>, begun: Record<string, number[]>) {
  if (traitsOf(kind).ledger !== 'output') return;
  const times = await begunSoFar(call, requireAddress({ id: call }), logOf);
  if (times.length > 0) begun[call] = [...times];
}

function asOutput(record: Json | undefined): StepOutput | undefined {
  const known: unknown = record;
  return isJsonObject(record) ? (known as StepOutput) : undefined;
}

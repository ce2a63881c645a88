import { isJsonObject, type Json } from '../../plan/json';
import type { RecordedCall, RecordedInput, RecordedOutput } from '../../plan/recorded';
import type { StepOutput } from '../../plan/step-work';
import { unreachable } from '../../plan/unreachable';
import type { ArtifactStore } from '../../records/artifact-store';
import type { Ledger, RecordLog, RunKey } from '../../records/ledger';
import { requireAddress } from '../call';
import { readChained, restore } from '../commands/chain-record';
import { effectLog } from '../intents';

/** A payload over 2 MiB wedges a run for ever. In characters of JSON, each of which takes up to three bytes. */
const ANSWER_CHARACTERS = 400_000;

/** As much of a toolbox as finds what was done. */
export interface RecordedStores {
  ledger: Pick<Ledger, 'get' | 'recordLog'>;
  artifacts: Pick<ArtifactStore, 'put'>;
}

/** Looks up which of some calls are done. Nothing is done here, and nobody is kept from doing it. Fails with `store.unavailable`. */
export async function recorded(
  stores: RecordedStores,
  key: RunKey,
  { calls }: Pick<RecordedInput, 'calls'>,
  limitCharacters = ANSWER_CHARACTERS,
): Promise<RecordedOutput> {
  const logs = new Map<string, Promise<RecordLog>>();
  const logOf = (name: string): Promise<RecordLog> => {
    const log = logs.get(name) ?? stores.ledger.recordLog(key, name);
    logs.set(name, log);
    return log;
  };
  const done: RecordedOutput['done'] = {};
  let looked = 0;
  let characters = 0;
  try {
    for (const call of calls) {
      const output = await outputOf(stores, key, call, logOf);
      characters += output ? JSON.stringify(output).length : 0;
      if (looked > 0 && characters > limitCharacters) break;
      if (output) done[call.call] = output;
      looked += 1;
    }
    return { done, looked };
  } finally {
    for (const log of logs.values()) await (await log).close();
  }
}

async function outputOf(
  { ledger, artifacts }: RecordedStores,
  key: RunKey,
  { call, kind }: RecordedCall,
  logOf: (name: string) => Promise<RecordLog>,
): Promise<StepOutput | undefined> {
  switch (kind) {
    case 'agent':
    case 'review':
      return asOutput(await ledger.get(key, call));
    case 'command': {
      const alone = asOutput(await ledger.get(key, call));
      if (alone) return alone;
      const chained = readChained((await logOf(effectLog(requireAddress({ id: call })))).get(call));
      if (chained) await restore(artifacts, chained);
      return chained?.output;
    }
    case 'stages': {
      const end = await ledger.get(key, call);
      // A pipe that asks has not ended.
      return isJsonObject(end) && end['kind'] === 'done' ? asOutput(end['output']) : undefined;
    }
    case 'notify':
      return (await ledger.get(key, call)) === undefined ? undefined : {};
    // Their work is done within them, by people, or in a run of its own.
    case 'parallel':
    case 'group':
    case 'for_each':
    case 'pipeline':
    case 'approval':
    case 'input':
    case 'wait':
      return undefined;
    default:
      return unreachable(kind);
  }
}

function asOutput(record: Json | undefined): StepOutput | undefined {
  const known: unknown = record;
  return isJsonObject(record) ? (known as StepOutput) : undefined;
}

import { readStarter, type Starter } from '../../plan/people/starter';
import { type ArtifactRef, type ControlRef, isArtifactRef, readControlRef } from '../../plan/run/artifact';
import type { EndContent } from '../../plan/run/end-content';
import { RUN_END_STATES, type RunEndState } from '../../plan/run/run-end';
import type { ErrorView } from '../../plan/run/status';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import type { ArtifactStore } from '../artifact-store';
import type { Ledger, RunKey } from '../ledger';
import { getJson } from '../stored-json';
import { readEndContent } from './read-end-content';

/**
 * The record of an ended run, which is read once the server has forgotten the run: a line in the log `ENDED_LOG` for each time that it
 * ended. A run that was reset ends again; the last end counts. Lists read the line alone, so what is large is in the store, by digest.
 *
 * It is believed as everything in the ledger is: only workers write there, and tools of agents do not enter the state folder.
 */
export interface EndedRun {
  run: string;
  /** The id of the execution that ended. */
  execution: string;
  pipeline: string;
  state: RunEndState;
  /** ISO 8601, as all times here. */
  startedAt: string;
  endedAt: string;
  plan: ControlRef<'plan'>;
  owner?: string;
  /** For a child pipeline: its parent's run. */
  parent?: string;
  startedBy?: Starter;
  error?: ErrorView;
  reason?: string;
  /** Absent: no worker could replay a run that the server ended. */
  content?: ArtifactRef;
}

export const ENDED_LOG = 'ended';
/** Says where the record is, and what is wrong with it. */
export class InvalidRecord extends Error {
  override readonly name = 'InvalidRecord';
}

/** Undefined if the run has no record. Fails with `InvalidRecord`. */
export async function readEndedRun(ledger: Pick<Ledger, 'lines'>, key: RunKey): Promise<EndedRun | undefined> {
  let last: EndedRun | undefined;
  for (const line of await ledger.lines(key, ENDED_LOG)) {
    const ended = asEndedRun(line, key);
    if (ended === undefined) throw invalid(key, `a line of the log "${ENDED_LOG}" is not the end of a run`);
    if (last === undefined || ended.endedAt >= last.endedAt) last = ended;
  }
  return last;
}

/** Undefined if there is none. Fails with `InvalidRecord`, and as `ArtifactStore.get`. */
export async function storedEndContent(artifacts: ArtifactStore, key: RunKey, { content }: EndedRun): Promise<EndContent | undefined> {
  if (content === undefined) return undefined;
  const stored = readEndContent(await getJson<Json>(artifacts, content, `the record of ${key.workflowId}`), key);
  if (stored === undefined) throw invalid(key, `artifact ${content.sha256} is not what the run left`);
  return stored;
}

function asEndedRun(line: Json, key: RunKey): EndedRun | undefined {
  if (!isJsonObject(line)) return undefined;
  const { run, execution, pipeline, state, startedAt, endedAt, owner, parent, startedBy, error, reason, content } = line;
  const known = RUN_END_STATES.find((one) => one === state);
  const plan = readControlRef(line['plan'], 'plan');
  if (run !== key.workflowId || typeof execution !== 'string' || typeof pipeline !== 'string' || !known || !plan) return undefined;
  if (!isMoment(startedAt) || !isMoment(endedAt) || (content !== undefined && !isArtifactRef(content))) return undefined;
  const starter = readStarter(startedBy);
  const [code, message] = [field(error, 'code'), field(error, 'message')];
  return {
    ...{ run, execution, pipeline, state: known, startedAt, endedAt, plan },
    ...(typeof owner === 'string' ? { owner } : {}),
    ...(typeof parent === 'string' ? { parent } : {}),
    ...(starter === undefined ? {} : { startedBy: starter }),
    ...(typeof code === 'string' && typeof message === 'string' ? { error: { code, message } } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(content === undefined ? {} : { content }),
  };
}

export function isMoment(value: Json | undefined): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value));
}

function invalid({ workflowId, run }: RunKey, what: string): InvalidRecord {
  return new InvalidRecord(`the record of ${workflowId} (${run}) in the ledger cannot be read: ${what}`);
}

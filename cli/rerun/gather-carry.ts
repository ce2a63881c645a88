import type { ThermidorClient } from '../../client/connect';
import { readCarry } from '../../client/read-run';
import { defined } from '../../plan/defined';
import { type ArtifactRef, type ControlRef, isArtifactRef, STATE_LIMIT_BYTES } from '../../plan/run/artifact';
import type { CarriedGates, Carry, CarryAnswer, CarryProblem, CarryQuery } from '../../plan/run/carry';
import type { ArtifactStore } from '../../records/artifact-store';
import type { Records } from '../../records/records';
import { TAKEN_OVER } from '../../records/run-retention';
import { newestRun } from '../../records/runs/list-runs';
import { CommandFailure, EXIT } from '../exit';
import { unreportedOf } from './unreported-work';

/** What a rerun carries over, stored so that its workers can read it. */
export interface GatheredCarry {
  ref: ControlRef<'carry'>;
  /** Addresses without round and try, of children with the way to them. */
  carried: string[];
  again: string[];
  /** Which decisions of people hold in the new run, and which are asked again. */
  gates: CarriedGates;
  notes: string[];
}

/**
 * Asks a run, and the child pipelines around the step, what a rerun carries over. Nothing is stored unless every carried output is in the
 * store. `begins`: the run that may begin with it. Fails with `rerun.impossible`, `rerun.missing-output`, `rerun.too-large`.
 */
export async function gatherCarry(
  client: ThermidorClient,
  stores: Records,
  run: string,
  query: CarryQuery,
  begins?: Carry['begins'],
): Promise<GatheredCarry> {
  const from = await newestRun(stores, run);
  // From here on it is young, and no prune removes it.
  if (from) await stores.ledger.note(from, TAKEN_OVER, { at: new Date().toISOString() });
  const answer = await carryWithLedger(client, stores, run, query);
  if ('problem' in answer) throw new CommandFailure(EXIT.usage, 'rerun.impossible', `${run}: ${answer.problem}`);
  const { carry, child, gates } = answer;
  for (const [path, record] of Object.entries(carry.records)) await checkOutputs(stores.artifacts, run, path, record);
  const within = child && (await gatherCarry(client, stores, child.run, queryOfChild(child, query)));
  const whole: Carry = {
    ...carry,
    ...defined({ begins, children: child && within ? { [child.path]: within.ref } : undefined }),
  };
  const text = JSON.stringify(whole);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > STATE_LIMIT_BYTES) {
    throw new CommandFailure(EXIT.failed, 'rerun.too-large', `the results that ${run} would carry over have ${sizeBytes} bytes`, {
      hint: `at most ${STATE_LIMIT_BYTES} bytes can be carried over; start a new run, or rerun from an earlier step`,
    });
  }
  const ref = await stores.control.put('carry', text, 'carried.json');
  if (from && !(await stores.runs.runsOf(run)).some((one) => one.run === from.run)) {
    throw new CommandFailure(EXIT.failed, 'rerun.impossible', `${run} was removed from the store while it was read`);
  }
  const inChild = (paths: readonly string[]): string[] => paths.map((path) => `${child?.path}/${path}`);
  return {
    ref,
    carried: [...carriedIn(carry), ...inChild(within?.carried ?? [])],
    again: [...answer.again, ...inChild(within?.again ?? [])],
    gates: {
      carried: [...gates.carried, ...(within?.gates.carried ?? []).map((gate) => ({ ...gate, gate: `${child?.path}/${gate.gate}` }))],
      again: [...gates.again, ...(within?.gates.again ?? []).map((gate) => ({ ...gate, gate: `${child?.path}/${gate.gate}` }))],
    },
    notes: [...answer.notes, ...(within?.notes ?? [])],
  };
}

/** The ledger has work that a failed run has no news of. */
async function carryWithLedger(
  client: ThermidorClient,
  stores: Records,
  run: string,
  query: CarryQuery,
): Promise<CarryAnswer | CarryProblem> {
  const answer = await readCarry(client, run, query);
  if ('problem' in answer || !answer.unreported) return answer;
  const recorded = await unreportedOf(stores, { workflowId: run, run: answer.unreported.run }, answer.unreported.calls);
  return Object.keys(recorded).length === 0 ? answer : await readCarry(client, run, { ...query, recorded });
}

/** A child pipeline is answered for by its parent's script, and has its parent's starter; its args are its own. */
function queryOfChild(
  { from, behind }: { from: string; behind?: string },
  { otherScript, startedBy, provenStarter }: CarryQuery,
): CarryQuery {
  return {
    from,
    ...defined({ behind, otherScript, startedBy, provenStarter }),
  };
}

/** For a loop that continues, only what it has done is carried; the step itself runs again. */
function carriedIn({ records }: Carry): string[] {
  return Object.entries(records).flatMap(([path, { state }]) => (state === 'pending' ? [] : [path]));
}

/** References wherever they are in a record: its output, a critic's, the parts of a loop. */
async function checkOutputs(store: ArtifactStore, run: string, path: string, record: unknown): Promise<void> {
  for (const ref of referencesIn(record)) {
    if (await store.has(ref)) continue;
    throw new CommandFailure(EXIT.failed, 'rerun.missing-output', `${run}: ${ref.name ?? 'the output'} of ${path} is not in the store`, {
      hint: `rerun from ${path}, so that it is made again, or use the store of the host that ran it (--state-dir, store)`,
      details: { step: path, artifact: ref },
    });
  }
}

function* referencesIn(value: unknown): Generator<ArtifactRef> {
  if (isArtifactRef(value)) yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* referencesIn(part);
}

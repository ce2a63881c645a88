import type { ThermidorClient } from '../../client/connect';
import { describeRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { readStatus } from '../../client/read-run';
import { type ControlRef, readControlRef } from '../../plan/run/artifact';
import type { Carry } from '../../plan/run/carry';
import type { Records } from '../../records/records';
import { isImported } from '../../records/runs/imported-run';
import { newestRun } from '../../records/runs/list-runs';
import { asJson, asStored } from '../../records/stored-json';
import { CommandFailure, EXIT } from '../exit';
import { gatherCarry } from '../rerun/gather-carry';
import { alreadyRuns } from './already-runs';

/**
 * The board that the last run of a team has left. It is asked of the run, and kept in the run's ledger: that outlives the history of the
 * run, and a later run of the team that never opened.
 */
const LOG = 'kept-boards';

/** The step of a team, with its board. */
const TEAM_STEP = 'team';

type Begins = NonNullable<Carry['begins']>;

/**
 * Keeps the board of the last run, which has ended, and returns where; undefined if the server does not have it, or if it never opened.
 * Fails as `gatherCarry`, and with `team.running` if the next run has begun.
 */
export async function keepBoard(client: ThermidorClient, stores: Records, run: string): Promise<ControlRef<'carry'> | undefined> {
  const last = await describeRun(client, run);
  // A team that was imported has left its board elsewhere.
  if (!last || last.imported) return undefined;
  const { runId, pipeline, state, startedAt } = last;
  if (!hasEnded(state)) throw alreadyRuns(pipeline, run, startedAt);
  const { plan, firstRunId } = await readStatus(client, run);
  const gathered = plan && (await gatherCarry(client, stores, run, { from: TEAM_STEP }));
  // The newest run answers for the id.
  const now = await describeRun(client, run);
  if (now?.runId !== runId) throw alreadyRuns(pipeline, run);
  if (gathered) await stores.ledger.append({ workflowId: run, run: firstRunId }, LOG, asJson(gathered.ref));
  return gathered?.ref;
}

/** What the next run of a team begins with; undefined if it has never run. */
export async function keptBoard(
  client: ThermidorClient,
  stores: Records,
  run: string,
  begins: Begins,
): Promise<ControlRef<'carry'> | undefined> {
  const ref = (await keepBoard(client, stores, run)) ?? (await lastKept(stores, run));
  if (!ref) return undefined;
  const carry = asStored<Carry>(await stores.control.get(ref), ref.sha256, 'the board of a team');
  return await stores.control.put('carry', JSON.stringify({ ...carry, begins }), 'carried.json');
}

/** As the ledger of the last run that opened has it. */
async function lastKept(stores: Records, run: string): Promise<ControlRef<'carry'> | undefined> {
  const key = await newestRun(stores, run);
  if (!key || isImported(key.run)) return undefined;
  const ref = readControlRef((await stores.ledger.lines(key, LOG)).at(-1), 'carry');
  if (ref) return ref;
  throw new CommandFailure(EXIT.failed, 'team.board-lost', `the server no longer has the last run of ${run}, and its board was not kept`, {
    hint: 'begin with an empty board: thermidor team start --anew',
  });
}

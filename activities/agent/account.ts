import { accountLog, type FailedEntry, type PaidEntry, readAccountEntry } from '../../plan/account';
import { ThermidorFailure } from '../../plan/failure';
import type { Turn } from '../agent-port';
import type { ActivityCall } from '../call';
import { masked } from '../masked';
import { type LoadedRun, parentIdOf } from '../run/run-record';
import { asJson } from '../stored/stored-json';
import { SCRIPTED, type Toolbox } from '../toolbox';
import type { Seat, TryScope } from './seat';

/**
 * Keeps account of what agents cost and of what they fail with (`plan/account.ts`), and counts both.
 *
 * Invariants: 1. an account has a line for each reply of its transcript that was paid for there, in their order; 2. a reply is in the
 * transcript before it is in the account, so that nothing delays its record: what a crash kept from the account is added when the call goes
 * on; 3. each log has one writer at a time, its call; 4. that a failure cannot be noted hides it from nobody.
 */
export async function settleAccount(scope: TryScope, seat: Seat): Promise<void> {
  const { toolbox, call, run, stepId } = scope;
  const { agent, adapter } = seat;
  // What a try has from the one before is in that one's account, and has no usage here.
  const paid = seat.transcript.turns().filter(({ usage }) => usage !== undefined);
  if (paid.length === 0) return;
  const log = accountLog(seat.id);
  const parent = parentIdOf(run.record);
  const known = (await toolbox.ledger.lines(call.key, log)).filter((line) => readAccountEntry(line)?.kind === 'paid').length;
  const missing = paid.slice(known);
  if (missing.length > 0) await seat.transcript.requireOwn();
  for (const { usage, model = agent.model } of missing) {
    if (!usage) continue;
    const named = model === undefined ? {} : { model };
    const entry: PaidEntry = {
      ...{ kind: 'paid', at: new Date().toISOString(), run: call.key.workflowId, pipeline: run.plan.name, step: stepId, call: seat.id },
      ...{ agent: agent.id, adapter: adapter.name, usage, ...named },
      ...(parent === undefined ? {} : { parent }),
    };
    await toolbox.ledger.append(call.key, log, asJson(entry));
    // A script's replies cost nobody anything.
    if (adapter.name !== SCRIPTED) toolbox.metrics?.replied({ pipeline: run.plan.name, agent: agent.id, usage, ...named });
  }
}

/** Counts a call of a tool of the agent's own program; the runner's own are counted where they are called. */
export function countOwnTool({ toolbox, run }: TryScope, { agent }: Seat, { role, call, refused }: Turn): void {
  if (role !== 'tool' || !call) return;
  toolbox.metrics?.called({ pipeline: run.plan.name, agent: agent.id, tool: call.tool, refused: refused === true });
}

/** Does a call's work, and notes what it fails with; one that is called off or handed over to another worker has not failed. */
export async function accounted<T>(
  toolbox: Toolbox,
  call: ActivityCall,
  run: LoadedRun,
  agent: string,
  work: () => Promise<T>,
): Promise<T> {
  const end = (outcome: string) => toolbox.metrics?.tried({ pipeline: run.plan.name, agent, outcome });
  try {
    const result = await masked(toolbox, call.key, work);
    end('done');
    return result;
  } catch (error) {
    if (error instanceof ThermidorFailure && !call.signal.aborted) {
      end(error.code);
      await note(toolbox, call, error);
    }
    throw error;
  }
}

async function note({ ledger, log }: Toolbox, call: ActivityCall, { code, message, retryAfterMs }: ThermidorFailure): Promise<void> {
  const entry: FailedEntry = { kind: 'failed', at: new Date().toISOString(), call: call.id, code, message };
  if (retryAfterMs !== undefined) entry.retryAfterMs = retryAfterMs;
  try {
    await ledger.append(call.key, accountLog(call.id), asJson(entry));
  } catch (error) {
    log('warn', 'a failure could not be noted in the ledger', { call: call.id, code, error: String(error) });
  }
}

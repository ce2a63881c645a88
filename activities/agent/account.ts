import { ThermidorFailure } from '../../plan/failure';
import { UNSAID, type Usage } from '../../plan/usage';
import { accountLog, type FailedEntry, type PaidEntry, readAccountEntry } from '../../records/accounts/account-log';
import type { ClaimedLog } from '../../records/ledger';
import { parentIdOf } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import { transcriptLog } from '../../records/transcripts/transcript-log';
import type { Turn } from '../../records/transcripts/turn';
import type { ActivityCall } from '../call';
import { masked } from '../masked';
import type { LoadedRun } from '../run/loaded-run';
import { SCRIPTED, type Toolbox } from '../toolbox';
import type { Seat, TryScope } from './seat';

/**
 * Keeps account of what agents cost and of what they fail with (`plan/account.ts`), and counts both.
 *
 * Invariants: 1. an account has a line for each reply of its transcript that was paid for there, in their order, and one for each request of
 * which nothing was heard again, with what was reserved for it: what its lines come to is what the budget counts; 2. a reply is in the
 * transcript before it is in the account, so that nothing delays its record: what a crash kept from the account is added when the call goes
 * on; 3. each log has one writer at a time, the attempt that was scheduled last; 4. that a failure cannot be noted hides it from nobody.
 *
 * To be called while no reply is under way.
 */
export async function settleAccount(scope: TryScope, seat: Seat): Promise<void> {
  const { toolbox, call } = scope;
  const { agent, adapter, transcript } = seat;
  // What a try has from the one before is in that one's account, and has no usage here.
  const paid = transcript.turns().flatMap(({ usage, model = agent.model }) => (usage ? [{ usage, model }] : []));
  const lost = transcript.unsettled();
  if (paid.length + lost.length === 0) return;
  const log = await accountOf(scope, seat);
  const known = (await toolbox.ledger.lines(call.key, accountLog(seat.id))).map(readAccountEntry).filter((entry) => entry?.kind === 'paid');
  const unanswered = known.filter((entry) => entry.unanswered).length;
  for (const atMostMicroUsd of lost.slice(unanswered)) {
    const usage = { ...UNSAID, atMostMicroUsd };
    await log.append(asJson({ ...entryOf(scope, seat, { usage, model: agent.model }), unanswered: true } satisfies PaidEntry));
  }
  for (const { usage, model } of paid.slice(known.length - unanswered)) {
    await log.append(asJson(entryOf(scope, seat, { usage, model })));
    const named = model === undefined ? {} : { model };
    // A script's replies cost nobody anything.
    if (adapter.name !== SCRIPTED) toolbox.metrics?.replied({ pipeline: scope.run.plan.name, agent: agent.id, usage, ...named });
  }
}

/** Claimed once per try, by the holder of the transcript. */
async function accountOf({ toolbox, call, accounts }: TryScope, { id, transcript }: Seat): Promise<ClaimedLog> {
  const known = accounts.get(id);
  if (known) return known;
  await transcript.requireOwn();
  const log = await toolbox.ledger.claim(call.key, accountLog(id), call.scheduledAtMs);
  accounts.set(id, log);
  return log;
}

function entryOf(
  { call, run, stepId }: TryScope,
  { id, agent, adapter }: Seat,
  { usage, model }: { usage: Usage; model: string | undefined },
): PaidEntry {
  const parent = parentIdOf(run.record);
  return {
    ...{ kind: 'paid', at: new Date().toISOString(), run: call.key.workflowId, pipeline: run.plan.name, step: stepId, call: id },
    ...{ agent: agent.id, adapter: adapter.name, usage, ...(model === undefined ? {} : { model }) },
    ...(parent === undefined ? {} : { parent }),
  };
}

/** The same where a request has ended in an error, which nothing that goes wrong here may hide. */
export async function settleBroken(scope: TryScope, seat: Seat): Promise<void> {
  try {
    await settleAccount(scope, seat);
  } catch (error) {
    scope.toolbox.log('warn', 'what a request may have cost could not be noted in the ledger', { call: seat.id, error: String(error) });
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
    // Of one that another attempt has taken over nobody hears what became of it.
    if (error instanceof ThermidorFailure && error.code !== 'worker.lost' && !call.signal.aborted) {
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
    // Fails where an attempt that was scheduled later has it.
    await ledger.claim(call.key, transcriptLog(call.id), call.scheduledAtMs);
    const account = await ledger.claim(call.key, accountLog(call.id), call.scheduledAtMs);
    await account.append(asJson(entry));
  } catch (error) {
    log('warn', 'a failure could not be noted in the ledger', { call: call.id, code, error: String(error) });
  }
}

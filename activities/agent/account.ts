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
 * Keeps account of what agents cost and of what they fail with (`records/accounts/account-log.ts`), and counts both.
 *
 * Invariants: 1. an account has a line for each reply of its transcript that was paid for there, in their order, and one for each request of
 * which never got an answer, with what was reserved for it: the sum of its lines is what the budget counts; 2. a reply is in the
 * transcript before it is in the account, so that nothing delays its record: what a crash kept from the account is added when the call goes
 * on; 3. each log has one writer at a time, the attempt that was scheduled last; 4. that a failure cannot be noted hides it from nobody;
 * 5. an account is read once, when it is claimed, and is durable before its call ends or pauses.
 */

/** The account of a seat as far as this try knows it: what it has, and up to where the transcript is in it. */
export interface OpenAccount {
  log: ClaimedLog;
  /** Turns of the transcript that were looked at, and replies among them that were in the account when it was claimed. */
  turns: number;
  known: number;
  /** Requests without a reply that are in it. */
  unanswered: number;
}

/** To be called while no reply is in progress. */
export async function settleAccount(scope: TryScope, seat: Seat): Promise<void> {
  const { toolbox } = scope;
  const { agent, adapter, transcript } = seat;
  const turns = transcript.turns();
  const lost = transcript.unsettled();
  if (!scope.accounts.has(seat.id) && lost.length === 0 && !turns.some(({ usage }) => usage)) return;
  const account = await accountOf(scope, seat);
  for (const atMostMicroUsd of lost.slice(account.unanswered)) {
    const usage = { ...UNSAID, atMostMicroUsd };
    await account.log.note(asJson({ ...entryOf(scope, seat, { usage, model: agent.model }), unanswered: true } satisfies PaidEntry));
    account.unanswered += 1;
  }
  for (; account.turns < turns.length; account.turns += 1) {
    // What a try has from the one before is in that one's account, and has no usage here.
    const { usage, model = agent.model } = turns[account.turns] ?? {};
    if (!usage) continue;
    if (account.known > 0) {
      account.known -= 1;
      continue;
    }
    await account.log.note(asJson(entryOf(scope, seat, { usage, model })));
    const named = model === undefined ? {} : { model };
    // A script's replies cost nobody anything.
    if (adapter.name !== SCRIPTED) toolbox.metrics?.replied({ pipeline: scope.run.plan.name, agent: agent.id, usage, ...named });
  }
}

/** Claimed and read once per try, by the holder of the transcript. */
async function accountOf({ toolbox, call, accounts }: TryScope, { id, transcript }: Seat): Promise<OpenAccount> {
  const known = accounts.get(id);
  if (known) return known;
  await transcript.requireOwn();
  const log = await toolbox.ledger.claim(call.key, accountLog(id), call.scheduledAtMs);
  const paid = log.before.map(readAccountEntry).filter((entry) => entry?.kind === 'paid');
  const unanswered = paid.filter((entry) => entry.unanswered).length;
  const account = { log, turns: 0, known: paid.length - unanswered, unanswered };
  accounts.set(id, account);
  return account;
}

/** Before the call ends or pauses: nobody adds to an account behind that. */
export async function keepAccounts({ accounts }: TryScope): Promise<void> {
  for (const { log } of accounts.values()) await log.sync();
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

/** As `settleAccount`, where a request has ended in an error, which nothing that goes wrong here may hide. */
export async function settleBroken(scope: TryScope, seat: Seat): Promise<void> {
  await orWarn(scope, seat.id, () => settleAccount(scope, seat));
}

/** As `keepAccounts`, where the try has failed. */
export async function keepBroken(scope: TryScope): Promise<void> {
  await orWarn(scope, scope.call.id, () => keepAccounts(scope));
}

async function orWarn({ toolbox }: TryScope, call: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    toolbox.log('warn', 'the possible cost of a request could not be recorded in the ledger', { call, error: String(error) });
  }
}

/** Counts a call of a tool of the agent's own program; the runner's own are counted where they are called. */
export function countOwnTool({ toolbox, run }: TryScope, { agent }: Seat, { role, call, refused }: Turn): void {
  if (role !== 'tool' || !call) return;
  toolbox.metrics?.called({ pipeline: run.plan.name, agent: agent.id, tool: call.tool, refused: refused === true });
}

/** Does a call's work, and notes what it fails with; one that is cancelled or handed over to another worker has not failed. */
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
    // If another attempt has taken it over, its outcome is not reported.
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
    log('warn', 'a failure could not be recorded in the ledger', { call: call.id, code, error: String(error) });
  }
}

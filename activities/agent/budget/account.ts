import type { Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import { accountLog, type FailedEntry, type PaidEntry, readAccountEntry } from '../../../records/accounts/account-log';
import { asJson } from '../../../records/stored-json';
import { transcriptLog } from '../../../records/transcripts/transcript-log';
import type { Turn } from '../../../records/transcripts/turn';
import type { ActivityCall } from '../../activity-call';
import { masked } from '../../masking/mask-output';
import type { LoadedRun } from '../../run/loaded-run';
import { SCRIPTED, type Toolbox } from '../../toolbox';
import type { AgentSession, AttemptScope } from '../agent-session';
import { unreported } from './budget-meter';
import type { OpenAccount } from './open-account';

/** Must be called while no reply is in progress. */
export async function settleAccount(scope: AttemptScope, session: AgentSession): Promise<void> {
  const { toolbox } = scope;
  const { agent, adapter, transcript } = session;
  const turns = transcript.turns();
  const lost = transcript.unsettled();
  if (!scope.accounts.has(session.id) && lost.length === 0 && !turns.some(({ usage }) => usage)) return;
  const account = await accountOf(scope, session);
  for (const atMost of lost.slice(account.unanswered)) {
    const usage = unreported(atMost);
    await account.log.note(asJson({ ...entryOf(scope, session, { usage, model: agent.model }), unanswered: true } satisfies PaidEntry));
    account.unanswered += 1;
  }
  for (; account.turns < turns.length; account.turns += 1) {
    // Turns taken over from an earlier try are in its account, and have no usage here.
    const { usage, model = agent.model } = turns[account.turns] ?? {};
    if (!usage) continue;
    if (account.known > 0) {
      account.known -= 1;
      continue;
    }
    await account.log.note(asJson(entryOf(scope, session, { usage, model })));
    const named = model === undefined ? {} : { model };
    if (!isFree(adapter)) toolbox.metrics?.replied({ pipeline: scope.run.plan.name, agent: agent.id, usage, ...named });
  }
}

/** A script's replies are free. */
function isFree({ name }: AgentSession['adapter']): boolean {
  return name === SCRIPTED;
}

/** Claimed and read once per try, by the holder of the transcript. */
async function accountOf({ toolbox, call, accounts }: AttemptScope, { id, adapter, transcript }: AgentSession): Promise<OpenAccount> {
  const known = accounts.get(id);
  if (known) return known;
  await transcript.requireOwn();
  const log = await toolbox.ledger.claim(call.key, accountLog(id), call.scheduledAtMs);
  const paid = log.before.map(readAccountEntry).filter((entry) => entry?.kind === 'paid');
  const unanswered = paid.filter((entry) => entry.unanswered).length;
  const account = { log, turns: 0, known: paid.length - unanswered, unanswered, isFree: isFree(adapter) };
  accounts.set(id, account);
  return account;
}

/**
 * Must be called before the call ends or pauses, after which nobody adds to an account. An account without cost need not survive a crash of
 * the machine.
 */
export async function keepAccounts({ accounts }: AttemptScope): Promise<void> {
  for (const { log, isFree } of accounts.values()) if (!isFree) await log.sync();
}

function entryOf(
  { call, run, stepId }: AttemptScope,
  { id, agent, adapter }: AgentSession,
  { usage, model }: { usage: Usage; model: string | undefined },
): PaidEntry {
  const parent = run.record.parent?.workflowId;
  return {
    ...{ kind: 'paid', at: new Date().toISOString(), run: call.key.workflowId, pipeline: run.plan.name, step: stepId, call: id },
    ...{ agent: agent.id, adapter: adapter.name, usage, ...defined({ model }) },
    ...defined({ parent }),
  };
}

/** Like `settleAccount`, after a request has ended in an error, which no failure here may hide. */
export async function settleInterrupted(scope: AttemptScope, session: AgentSession): Promise<void> {
  await orWarn(scope, session.id, () => settleAccount(scope, session));
}

/** Like `keepAccounts`, after the try has failed. */
export async function keepInterrupted(scope: AttemptScope): Promise<void> {
  await orWarn(scope, scope.call.id, () => keepAccounts(scope));
}

async function orWarn({ toolbox }: AttemptScope, call: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    toolbox.log('warn', 'the possible cost of a request could not be recorded in the ledger', { call, error: String(error) });
  }
}

/** Counts a tool call of the agent's own program; the runner's own are counted where they are called. */
export function countOwnTool({ toolbox, run }: AttemptScope, { agent }: AgentSession, { role, call, refused }: Turn): void {
  if (role !== 'tool' || !call) return;
  toolbox.metrics?.called({ pipeline: run.plan.name, agent: agent.id, tool: call.tool, refused: refused === true });
}

/** Does a call's work, and records its failure; a call that is cancelled or handed over to another worker has not failed. */
export async function withAccount<T>(
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
    // Fails if an attempt that was scheduled later has claimed it.
    await ledger.claim(call.key, transcriptLog(call.id), call.scheduledAtMs);
    const account = await ledger.claim(call.key, accountLog(call.id), call.scheduledAtMs);
    await account.append(asJson(entry));
  } catch (error) {
    log('warn', 'a failure could not be recorded in the ledger', { call: call.id, code, error: String(error) });
  }
}

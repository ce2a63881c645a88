import { defined } from '../../plan/defined';
import { type FailedWork, ThermidorFailure } from '../../plan/run/failure';
import { isJournalEvents } from '../../plan/run/journal';
import type { RunKey } from '../../records/ledger';
import { asJson } from '../../records/stored-json';
import { loadRun } from '../run/load-run';
import { NO_SECRETS, ownSecrets, type RunSecrets, runSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';
import { asIs, type Masking } from './masking';

/** Runs a step's work and masks the run's secrets in its failure. */
export async function masked<T>(toolbox: Toolbox, key: RunKey, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw maskError(await secretsOf(toolbox, key), error);
  }
}

/** Runs a step's work, and masks both its failure and its result, each field as the table says. */
export async function maskedAnswer<T>(toolbox: Toolbox, key: RunKey, masking: Masking<T>, work: () => Promise<T>): Promise<T> {
  const answer = await masked(toolbox, key, work);
  if (masking === asIs) return answer;
  const secrets = await secretsOf(toolbox, key);
  return secrets === NO_SECRETS ? answer : masking(answer, secrets);
}

async function secretsOf(toolbox: Toolbox, key: RunKey): Promise<RunSecrets> {
  // A queue is no run, and if a run cannot be loaded the failure says why.
  const run = await loadRun(toolbox, key).catch(() => undefined);
  return run ? await runSecrets(toolbox, run) : ownSecrets(toolbox);
}

function maskWork(secrets: RunSecrets, { usage, toolCalls, requests, journal, worktree, begun, context }: FailedWork): FailedWork {
  const events: unknown = journal && secrets.maskJson(asJson(journal));
  return defined({ usage, toolCalls, requests, worktree, begun, context, journal: isJournalEvents(events) ? events : undefined });
}

/** The same error without secrets: a failure keeps its code, a bug its stack. */
export function maskError(secrets: RunSecrets, error: unknown): unknown {
  if (secrets === NO_SECRETS) return error;
  if (error instanceof ThermidorFailure) {
    const { code, message, details, retryAfterMs, work } = error;
    const shown = details === undefined ? details : secrets.maskJson(details);
    return new ThermidorFailure(code, secrets.mask(message), shown, retryAfterMs, work && maskWork(secrets, work));
  }
  if (!(error instanceof Error)) return error;
  const bug = new Error(secrets.mask(error.message));
  bug.name = error.name;
  bug.stack = secrets.mask(error.stack ?? '');
  return bug;
}

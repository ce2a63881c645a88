import { defined } from '../../plan/defined';
import { FAILURES, type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { ChainEnd, ChainFailure, CommandsInput, CommandsOutput } from '../../plan/steps/container-activities';
import type { StepBase } from '../../plan/steps/step-base';
import type { ActivityCall } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import { effectLog } from '../intents';
import { maskError } from '../masking/mask-output';
import { loadRun } from '../run/load-run';
import type { Toolbox } from '../toolbox';
import { isCommand, linksOf } from './chain-link';
import type { ChainedResult } from './chain-record';
import { openCommandChain } from './command-chain';

/** After this time people want to see where the run is; the chain stops at the next boundary. */
const REPORT_AFTER_MS = 1000;
/** The limit of results in one payload, as JSON. */
const REPORT_CHARACTERS = 512 * 1024;

/**
 * Does steps of a sequence one after the other, up to the first failure that needs handling, which it reports as data.
 *
 * Invariants: 1. a step's result is in the ledger, under its own address, before the next begins, and so is a tolerated failure; 2.
 * recorded steps are not done again, whether a chain or the step's own activity recorded them; so after `kill -9` in one step the retry
 * continues with that step and repeats none before it; 3. later steps can read a step's output; 4. what is retried until a time-out of its
 * own, such as a message to a channel that is down, is left to the step's own activity.
 *
 * Fails with `store.unavailable`; failures of steps are in the result.
 */
export async function commands(toolbox: Toolbox, call: ActivityCall, input: CommandsInput): Promise<CommandsOutput> {
  const run = await loadRun(toolbox, call.key);
  const links = linksOf(run, input);
  const [first] = links;
  if (!first) return { done: [] };
  const nowMs = toolbox.nowMs ?? Date.now;
  const chain = await openCommandChain(toolbox, { call, run, log: effectLog(first.address), steps: links });
  const done: ChainEnd[] = [];
  let at = { id: first.id, startedAtMs: Date.now() };
  try {
    return await withHeartbeat(
      call,
      () => ({ turn: done.length, step: at.id, startedAtMs: at.startedAtMs, done: done.map(timesOf) }),
      async () => {
        const startedAtMs = nowMs();
        let characters = 0;
        for (const [i, link] of links.entries()) {
          const overtime = nowMs() - startedAtMs > REPORT_AFTER_MS && !chain.isDone(link);
          if (i > 0 && (overtime || characters > REPORT_CHARACTERS)) break;
          at = { id: link.id, startedAtMs: Date.now() };
          try {
            const result = await chain.result(link, links[i + 1]);
            if (!result) return { done, alone: true };
            done.push({ ...reported(result), ...chain.begins(link) });
          } catch (error) {
            if (call.isCancelled?.()) return { done, cancelled: { startedAtMs: at.startedAtMs, ...chain.begins(link) } };
            call.signal.throwIfAborted();
            if (!isCommand(link) && isTriedAgain(error)) return { done, alone: true };
            const failure = failureOf(toolbox, link.id, maskError(chain.secrets, error));
            if (!goesOnPast(link.step, failure.code))
              return { done, failure, failed: { startedAtMs: at.startedAtMs, ...chain.begins(link) } };
            await chain.failed(link, failure);
            done.push({ output: {}, failure, startedAtMs: at.startedAtMs, endedAtMs: Date.now(), ...chain.begins(link) });
          }
          characters += JSON.stringify(done.at(-1)).length;
        }
        return { done };
      },
    );
  } finally {
    await chain.close();
  }
}

function reported({ output, message, begun, startedAtMs, endedAtMs }: ChainedResult): ChainEnd {
  return { output, ...defined({ message, begun }), startedAtMs, endedAtMs };
}

function timesOf({ startedAtMs, endedAtMs, failure }: ChainEnd): { startedAtMs: number; endedAtMs: number; failed?: true } {
  return { startedAtMs, endedAtMs, ...(failure ? { failed: true as const } : {}) };
}

function isTriedAgain(error: unknown): boolean {
  return error instanceof ThermidorFailure && FAILURES[error.code].retried === 'temporal';
}

/** A step's failure, as data; failures that Temporal retries are thrown on. */
function failureOf({ log }: Toolbox, call: string, error: unknown): ChainFailure {
  if (error instanceof ThermidorFailure) {
    const { code, message, details } = error;
    if (FAILURES[code].retried === 'temporal') throw error;
    return { code, message, ...defined({ details }) };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log('error', 'a step of a chain broke off', { call, error: text });
  return { code: 'internal', message: `unexpected: ${error instanceof Error ? error.message : String(error)}` };
}

/**
 * Whether a step that fails like this is over at once and the others continue: it is not tried again, nobody is asked, and nothing else is
 * done.
 */
export function goesOnPast({ retry, onError = [] }: Pick<StepBase, 'retry' | 'onError'>, code: FailureCode): boolean {
  const [only, more] = onError;
  return retry === undefined && FAILURES[code].retried === 'never' && code !== 'action.unknown' && only?.kind === 'continue' && !more;
}

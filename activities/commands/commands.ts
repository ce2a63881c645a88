import { chains } from '../../kinds/questions';
import { parseAddress } from '../../plan/address';
import type { CommandsInput, CommandsOutput } from '../../plan/container-work';
import { FAILURES, ThermidorFailure } from '../../plan/failure';
import type { ActivityCall } from '../call';
import { withHeartbeat } from '../heartbeat';
import { effectLog } from '../intents';
import { maskError } from '../masked';
import { type LoadedRun, loadRun, stepAt } from '../run/loaded-run';
import type { Toolbox } from '../toolbox';
import { type ChainedCommand, openChain } from './chain';
import type { ChainedResult } from './chain-record';

/** After so much time people want to see where the run is; the chain stops at the next boundary. */
const REPORT_AFTER_MS = 1000;
/** Of results in one payload, as JSON. */
const REPORT_CHARACTERS = 512 * 1024;

/**
 * Runs commands of a sequence one after the other, as far as the first failure, which it reports as data.
 *
 * Invariants: 1. a command's result is in the ledger, under its own address, before the next command begins; 2. what is in the
 * ledger is not run again, whether a chain or `command` put it there; so after `kill -9` in one command the retry continues with
 * that command and repeats none before it; 3. the output of a command is there for those behind it.
 *
 * Fails with `store.unavailable`; what a command fails with is in the answer.
 */
export async function commands(toolbox: Toolbox, call: ActivityCall, input: CommandsInput): Promise<CommandsOutput> {
  const run = await loadRun(toolbox, call.key);
  const steps = input.steps.map(({ address, input: own }) => chained(run, address, own));
  const [first] = steps;
  if (!first) return { done: [] };
  const nowMs = toolbox.nowMs ?? Date.now;
  const chain = await openChain(toolbox, { call, run, log: effectLog(first.address), steps });
  const done: CommandsOutput['done'] = [];
  let at = { id: first.id, startedAtMs: Date.now() };
  try {
    return await withHeartbeat(
      call,
      () => ({ turn: done.length, step: at.id, startedAtMs: at.startedAtMs, done: done.map(timesOf) }),
      async () => {
        const startedAtMs = nowMs();
        let characters = 0;
        for (const [i, command] of steps.entries()) {
          const overtime = nowMs() - startedAtMs > REPORT_AFTER_MS && !chain.isDone(command);
          if (i > 0 && (overtime || characters > REPORT_CHARACTERS)) break;
          at = { id: command.id, startedAtMs: Date.now() };
          try {
            const result = reported(await chain.result(command, steps[i + 1]));
            characters += JSON.stringify(result).length;
            done.push(result);
          } catch (error) {
            if (call.isCalledOff?.()) return { done, calledOff: { startedAtMs: at.startedAtMs } };
            return { done, failure: failureOf(toolbox, call, maskError(chain.secrets, error)) };
          }
        }
        return { done };
      },
    );
  } finally {
    await chain.close();
  }
}

function chained(run: LoadedRun, id: string, input: ChainedCommand['input']): ChainedCommand {
  const address = parseAddress(id);
  const step = address && stepAt(run, address);
  if (!address || !step || !chains(step)) throw new ThermidorFailure('internal', `"${id}" is not the address of a command`);
  return { id, address, step, input };
}

function reported({ output, startedAtMs, endedAtMs }: ChainedResult): CommandsOutput['done'][number] {
  return { output, startedAtMs, endedAtMs };
}

function timesOf({ startedAtMs, endedAtMs }: CommandsOutput['done'][number]): { startedAtMs: number; endedAtMs: number } {
  return { startedAtMs, endedAtMs };
}

/** A command's failure, as data; what Temporal retries, and what ended the call, is thrown on. */
function failureOf({ log }: Toolbox, call: ActivityCall, error: unknown): NonNullable<CommandsOutput['failure']> {
  call.signal.throwIfAborted();
  if (error instanceof ThermidorFailure) {
    const { code, message, details } = error;
    if (FAILURES[code].retried === 'temporal') throw error;
    return { code, message, ...(details === undefined ? {} : { details }) };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log('error', 'a command broke off', { error: text, workflowId: call.key.workflowId });
  return { code: 'internal', message: `unexpected: ${error instanceof Error ? error.message : String(error)}` };
}

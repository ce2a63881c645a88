import { ApplicationFailure, CancelledFailure } from '@temporalio/workflow';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunInput } from '../../plan/run/run-input';
import type { RunResult } from '../../plan/run/run-result';
import { isJsonObject } from '../../plan/text/json';
import { interpret } from '../interpreter/interpret';
import { KIND_CODE } from '../kinds';
import { Cancelled } from '../run-context';
import { temporalQueue } from './queue';
import { temporalRunContext } from './run-context';

/**
 * The one workflow: its type names the pipeline. It is the default export, so it serves any type; a named export would shadow the pipeline
 * of that name.
 *
 * Fails only with an ApplicationFailure whose type is a failure code. Any other error is a bug: the workflow task fails and is tried again,
 * so that a fixed worker continues the run where it was.
 */
export default async function thermidor(input?: unknown): Promise<RunResult> {
  try {
    const read = readInput(input);
    const { context, run } = temporalRunContext(read);
    return await run(() => interpret(context, read, KIND_CODE));
  } catch (error) {
    if (error instanceof Cancelled) throw new CancelledFailure('the run was cancelled');
    if (error instanceof ThermidorFailure) throw ApplicationFailure.nonRetryable(error.message, error.code, error.details ?? null);
    throw error;
  }
}

/** Absent, null and empty inputs mean `{}`; the activity that opens the run checks the rest. */
function readInput(input: unknown): RunInput {
  if (input === undefined || input === null || input === '') return {};
  if (!isJsonObject(input)) throw new ThermidorFailure('input.invalid', 'the input must be an object: {"args": {…}, "script": "…"}');
  return input;
}

/** Under `QUEUE_WORKFLOW`, which no pipeline can be named. */
export { temporalQueue as 'thermidor:queue' };

import { arrayFromPayloads } from '@temporalio/common';
import type { ActivateInput, WorkflowInterceptors } from '@temporalio/workflow';
import type { Inbound } from '../run-context';
import { payloadConverter } from './payload-converter';

/**
 * Takes the signals of a task that brings a great many, as after a flood that no worker was there for, past the SDK's own way: that
 * makes half a dozen promises of each, with a stack trace of each promise, and ten thousand take longer than a task may.
 *
 * Invariants: 1. of fewer signals nothing changes; 2. signals keep their order among themselves, and come before whatever else the task
 * brings; 3. those that come before the run listens wait until it does.
 */
const MANY = 128;
/** The prefix of the SDK's own names. */
const RESERVED = '__temporal_';

let deliver: Inbound['signal'] | undefined;
let early: [name: string, payload: unknown][] = [];

/** Must be called once the SDK has its handlers. */
export function handleFloodedSignals(signal: Inbound['signal']): void {
  deliver = signal;
  const before = early;
  early = [];
  for (const [name, payload] of before) signal(name, payload);
}

export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      activate(input, next) {
        takeSignals(input.activation);
        next(input);
      },
    },
  ],
});

function takeSignals(activation: ActivateInput['activation']): void {
  const jobs = activation.jobs ?? [];
  if (jobs.filter((job) => nameOf(job) !== undefined).length <= MANY) return;
  activation.jobs = jobs.filter((job) => nameOf(job) === undefined);
  for (const job of jobs) {
    const name = nameOf(job);
    if (name === undefined) continue;
    const [payload]: unknown[] = arrayFromPayloads(payloadConverter, job.signalWorkflow?.input);
    if (deliver) deliver(name, payload);
    else early.push([name, payload]);
  }
}

type Job = NonNullable<ActivateInput['activation']['jobs']>[number];

function nameOf({ signalWorkflow }: Job): string | undefined {
  const name = signalWorkflow?.signalName;
  return typeof name === 'string' && name !== '' && !name.startsWith(RESERVED) ? name : undefined;
}

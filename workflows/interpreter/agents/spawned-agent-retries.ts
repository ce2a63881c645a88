import type { SpawnedWork, SpawnResult } from '../../../plan/agents/spawned-agent';
import { defined } from '../../../plan/defined';
import { RETRIES_PER_STEP } from '../../../plan/plan';
import { FAILURES, ThermidorFailure } from '../../../plan/run/failure';
import type { StepOutput } from '../../../plan/steps/step-activity';
import { addressOfSpawned, forgetCall, type SpawnRecord } from '../context/attempt-log';
import { clarification, sendEnvelope, sendFailure } from '../messages/envelopes';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { noteOf } from '../steps/retries';

/**
 * Asks a child until its answer can be used, as a step's agent is asked (docs/protocol.md, 4.8): if the answer is still malformed after a
 * repair, or does not come in time, a fresh agent is asked, with the reason. Any other failure, or the last one, fails the child. Each try
 * has a transcript of its own.
 */
export async function retrySpawned(
  run: Run,
  place: Place,
  child: SpawnRecord,
  parent: string,
  ask: (address: string) => Promise<StepOutput>,
): Promise<StepOutput> {
  for (;;) {
    try {
      return await ask(addressOfSpawned(child));
    } catch (error) {
      if (!(error instanceof ThermidorFailure) || FAILURES[error.code].retried !== 'respawn') throw error;
      const tries = child.try ?? 1;
      if (tries > RETRIES_PER_STEP) throw error;
      sendFailure(run, place.path, { from: child.agent, to: parent }, error);
      child.try = tries + 1;
      child.note = noteOf(error);
      forgetCall(child);
      const { id, task, note } = child;
      const isIncomplete = note.reason === 'missing_fields';
      const payload = isIncomplete ? clarification(note) : { id, task, note: note.reason };
      const intent = isIncomplete ? 'request_clarification' : 'assign_task';
      sendEnvelope(run, place.path, { from: parent, to: child.agent, intent, payload, expect_response: true });
    }
  }
}

/** The input of the child's activity: the whole request, and why it is asked again. */
export function spawnedAgentInput({ id, agent, from, task, schema, previous, lacks, depth, try: tries, note }: SpawnRecord): SpawnedWork {
  return {
    ...{ id, agent, task, depth },
    ...defined({ from, schema, previous, lacks, try: tries, note }),
  };
}

/** For the result: the call that gave it. */
export function callOfSpawned(child: SpawnRecord): Pick<SpawnResult, 'call'> {
  return child.try === undefined ? {} : { call: addressOfSpawned(child) };
}

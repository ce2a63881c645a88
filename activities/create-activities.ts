import { Context } from '@temporalio/activity';
import type { QueueActivities } from '../plan/queue/queue-activities';
import { type Activities, TASK_QUEUE } from '../plan/run/contract';
import type { ActivityCall } from './activity-call';
import { InFlight } from './in-flight';
import { masked } from './mask-output';
import { PERFORM } from './perform';
import type { CallSeals } from './ports';
import { PERFORM_QUEUE } from './queue/perform-queue';
import { bound, currentCall, queueAsker, received, type SentInput } from './temporal-call';
import type { WorkerToolbox } from './toolbox';

/**
 * The activities of a worker, bound to Temporal. What they fail with names no secret.
 *
 * Invariant: none does anything before `received` knows whose call it is.
 *
 * @param seals of the workers that run the workflows
 * @param hand knows what the worker has in progress
 */
export function createActivities(toolbox: WorkerToolbox, seals: CallSeals, hand = new InFlight()): Activities & QueueActivities {
  const { log } = toolbox;
  function bind<I extends { run: string }, O>(perform: (toolbox: WorkerToolbox, call: ActivityCall, input: I) => Promise<O>) {
    return (sent?: SentInput<I>): Promise<O> =>
      bound(log, async () => {
        const input = await received<I>(seals, sent);
        const call = currentCall(input.run);
        const work = (signal: AbortSignal) =>
          masked(toolbox, call.key, () =>
            perform({ ...toolbox, queueAsker: queueAsker(toolbox.taskQueue ?? TASK_QUEUE) }, { ...call, signal }, input),
          );
        return await hand.during(call.key.workflowId, call.signal, work, `${call.id} (${Context.current().info.activityType})`);
      });
  }
  return {
    openRun: bind(PERFORM.openRun),
    loadPlan: bind(PERFORM.loadPlan),
    agent: bind(PERFORM.agent),
    command: bind(PERFORM.command),
    commands: bind(PERFORM.commands),
    stages: bind(PERFORM.stages),
    items: bind(PERFORM.items),
    itemValues: bind(PERFORM.itemValues),
    emitted: bind(PERFORM.emitted),
    emitItem: bind(PERFORM.emitItem),
    emitItems: bind(PERFORM.emitItems),
    compose: bind(PERFORM.compose),
    applyRule: bind(PERFORM.applyRule),
    mineJournal: bind(PERFORM.mineJournal),
    keepLessons: bind(PERFORM.keepLessons),
    childInput: bind(PERFORM.childInput),
    checkResponse: bind(PERFORM.checkResponse),
    checkResponses: bind(PERFORM.checkResponses),
    checkProof: bind(PERFORM.checkProof),
    checkProofs: bind(PERFORM.checkProofs),
    gate: bind(PERFORM.gate),
    notify: bind(PERFORM.notify),
    journal: bind(PERFORM.journal),
    saveState: bind(PERFORM.saveState),
    loadState: bind(PERFORM.loadState),
    say: bind(PERFORM.say),
    hear: bind(PERFORM.hear),
    recorded: bind(PERFORM.recorded),
    spawned: bind(PERFORM.spawned),
    announce: bind(PERFORM.announce),
    claimWorktree: bind(PERFORM.claimWorktree),
    restoreWorktree: bind(PERFORM.restoreWorktree),
    closeWorktree: bind(PERFORM.closeWorktree),
    submitCandidate: bind(PERFORM.submitCandidate),
    candidateOutcome: bind(PERFORM.candidateOutcome),
    withdrawCandidate: bind(PERFORM.withdrawCandidate),
    admitCandidate: bind(PERFORM_QUEUE.admitCandidate),
    queueSettings: bind(PERFORM_QUEUE.queueSettings),
    mergeCandidates: bind(PERFORM_QUEUE.mergeCandidates),
    testMerged: bind(PERFORM_QUEUE.testMerged),
    advanceTarget: bind(PERFORM_QUEUE.advanceTarget),
    concludeTickets: bind(PERFORM_QUEUE.concludeTickets),
  };
}

import { Context } from '@temporalio/activity';
import { defined, ifDefined } from '../plan/defined';
import type { QueueActivities } from '../plan/queue/queue-activities';
import { type Activities, TASK_QUEUE } from '../plan/run/contract';
import { addressOfCall } from '../plan/steps/call-address';
import type { ActivityCall } from './activity-call';
import { InFlight } from './in-flight';
import { maskedAnswer } from './masking/mask-output';
import type { Masking } from './masking/masking';
import { QUEUE_RESULTS, RESULTS } from './masking/results';
import { PERFORM } from './perform';
import type { CallSeals } from './ports';
import { PERFORM_QUEUE } from './queue/perform-queue';
import { ownSecrets } from './run/run-secrets';
import { bound, currentCall, queueAsker, received, type SentInput, teamAsker } from './temporal-call';
import type { WorkerToolbox } from './toolbox';

/**
 * The activities of a worker, bound to Temporal. Their results and failures contain no secret.
 *
 * Invariant: none does anything before `received` knows the call's origin.
 *
 * @param seals those of the workers that run the workflows
 * @param hand tracks the worker's work in progress
 */
export function createActivities(toolbox: WorkerToolbox, seals: CallSeals, hand = new InFlight()): Activities & QueueActivities {
  const { log } = toolbox;
  function bind<I extends { run: string }, O>(
    perform: (toolbox: WorkerToolbox, call: ActivityCall, input: I) => Promise<O>,
    masking: Masking<O>,
  ) {
    return (sent?: SentInput<I>): Promise<O> =>
      bound(log, async () => {
        const input = await received<I>(seals, sent);
        const call = quiet(toolbox, currentCall(input.run));
        const work = (signal: AbortSignal) =>
          maskedAnswer(toolbox, call.key, masking, () =>
            perform(
              { ...toolbox, queueAsker: queueAsker(toolbox.taskQueue ?? TASK_QUEUE), teamAsker: teamAsker() },
              { ...call, signal },
              input,
            ),
          );
        const { activityType, attempt, heartbeatTimeoutMs } = Context.current().info;
        const name = `${call.id} (${activityType})`;
        if (attempt === 1) noteWait(toolbox, call, activityType);
        // An activity with a heartbeat takes long.
        if (attempt > 1 && heartbeatTimeoutMs !== undefined) await hand.leaveToYounger(call.key.workflowId, name);
        return await hand.during(call.key.workflowId, call.signal, work, name);
      });
  }
  return {
    openRun: bind(PERFORM.openRun, RESULTS.openRun),
    loadPlan: bind(PERFORM.loadPlan, RESULTS.loadPlan),
    agent: bind(PERFORM.agent, RESULTS.agent),
    command: bind(PERFORM.command, RESULTS.command),
    commands: bind(PERFORM.commands, RESULTS.commands),
    stages: bind(PERFORM.stages, RESULTS.stages),
    items: bind(PERFORM.items, RESULTS.items),
    itemValues: bind(PERFORM.itemValues, RESULTS.itemValues),
    emitted: bind(PERFORM.emitted, RESULTS.emitted),
    emitItems: bind(PERFORM.emitItems, RESULTS.emitItems),
    compose: bind(PERFORM.compose, RESULTS.compose),
    openBoard: bind(PERFORM.openBoard, RESULTS.openBoard),
    boardWork: bind(PERFORM.boardWork, RESULTS.boardWork),
    keepTexts: bind(PERFORM.keepTexts, RESULTS.keepTexts),
    applyRule: bind(PERFORM.applyRule, RESULTS.applyRule),
    mineJournal: bind(PERFORM.mineJournal, RESULTS.mineJournal),
    keepLessons: bind(PERFORM.keepLessons, RESULTS.keepLessons),
    childInput: bind(PERFORM.childInput, RESULTS.childInput),
    checkResponses: bind(PERFORM.checkResponses, RESULTS.checkResponses),
    checkProofs: bind(PERFORM.checkProofs, RESULTS.checkProofs),
    gate: bind(PERFORM.gate, RESULTS.gate),
    notify: bind(PERFORM.notify, RESULTS.notify),
    journal: bind(PERFORM.journal, RESULTS.journal),
    saveState: bind(PERFORM.saveState, RESULTS.saveState),
    loadState: bind(PERFORM.loadState, RESULTS.loadState),
    say: bind(PERFORM.say, RESULTS.say),
    hear: bind(PERFORM.hear, RESULTS.hear),
    recorded: bind(PERFORM.recorded, RESULTS.recorded),
    spawned: bind(PERFORM.spawned, RESULTS.spawned),
    announce: bind(PERFORM.announce, RESULTS.announce),
    exchanged: bind(PERFORM.exchanged, RESULTS.exchanged),
    post: bind(PERFORM.post, RESULTS.post),
    claimWorktree: bind(PERFORM.claimWorktree, RESULTS.claimWorktree),
    restoreWorktree: bind(PERFORM.restoreWorktree, RESULTS.restoreWorktree),
    closeWorktree: bind(PERFORM.closeWorktree, RESULTS.closeWorktree),
    submitCandidate: bind(PERFORM.submitCandidate, RESULTS.submitCandidate),
    candidateOutcome: bind(PERFORM.candidateOutcome, RESULTS.candidateOutcome),
    withdrawCandidate: bind(PERFORM.withdrawCandidate, RESULTS.withdrawCandidate),
    askTask: bind(PERFORM.askTask, RESULTS.askTask),
    taskAnswer: bind(PERFORM.taskAnswer, RESULTS.taskAnswer),
    withdrawTask: bind(PERFORM.withdrawTask, RESULTS.withdrawTask),
    readAskedTasks: bind(PERFORM.readAskedTasks, RESULTS.readAskedTasks),
    settleAskedTasks: bind(PERFORM.settleAskedTasks, RESULTS.settleAskedTasks),
    admitCandidate: bind(PERFORM_QUEUE.admitCandidate, QUEUE_RESULTS.admitCandidate),
    queueSettings: bind(PERFORM_QUEUE.queueSettings, QUEUE_RESULTS.queueSettings),
    mergeCandidates: bind(PERFORM_QUEUE.mergeCandidates, QUEUE_RESULTS.mergeCandidates),
    testMerged: bind(PERFORM_QUEUE.testMerged, QUEUE_RESULTS.testMerged),
    advanceTarget: bind(PERFORM_QUEUE.advanceTarget, QUEUE_RESULTS.advanceTarget),
    concludeTickets: bind(PERFORM_QUEUE.concludeTickets, QUEUE_RESULTS.concludeTickets),
  };
}

/** The activities that do the work of a step. */
const WORK: ReadonlySet<string> = new Set<keyof Activities>(['agent', 'command', 'commands', 'stages']);

/** By the server's clock and this machine's, so it is never below zero. */
function noteWait({ metrics }: WorkerToolbox, call: ActivityCall, activity: string): void {
  if (!metrics || call.scheduledAtMs === undefined || !WORK.has(activity) || addressOfCall(call)?.try !== 1) return;
  metrics.waited({ activity, ms: Math.max(0, Date.now() - call.scheduledAtMs) });
}

/** Heartbeats say why a result waits; the rest of their content is addresses and numbers. */
function quiet(toolbox: WorkerToolbox, call: ActivityCall): ActivityCall {
  return {
    ...call,
    heartbeat: ({ trouble, ...progress }) =>
      call.heartbeat({ ...progress, ...defined({ trouble: ifDefined(trouble, ownSecrets(toolbox).mask) }) }),
  };
}

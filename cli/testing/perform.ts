import type { ActivityCall } from '../../activities/activity-call';
import { maskedAnswer } from '../../activities/masking/mask-output';
import type { Masking } from '../../activities/masking/masking';
import { RESULTS } from '../../activities/masking/results';
import { PERFORM, type Performers } from '../../activities/perform';
import type { WorkerToolbox } from '../../activities/toolbox';
import type { SubmitCandidateInput, SubmittedCandidate } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { PackedPart } from '../../plan/run/packed-part';
import type { OpenedRun, OpenRunInput } from '../../plan/run/run-activities';
import type { CommandsOutput } from '../../plan/steps/container-activities';
import type { StepInput } from '../../plan/steps/step-activity';
import { queueId } from '../../records/queues/queue-id';

/** A call of an activity with the toolbox that is right for it. */
export interface BenchCall {
  call: ActivityCall;
  toolbox: WorkerToolbox;
  /** Name of the script that plays the run's agents. */
  script: string;
  /** The toolbox with stand-ins for the commands of one execution of a step. */
  commandToolbox(call: ActivityCall): WorkerToolbox;
  nowMs(): number;
  /** The merge queue's result for a candidate. */
  outcome(input: SubmitCandidateInput): TicketOutcome;
}

type BenchPerformers = {
  readonly [N in keyof Performers]: (bench: BenchCall, input: Parameters<Performers[N]>[2]) => ReturnType<Performers[N]>;
};

/** The worker's activities, with nothing real run: scripts stand in for agents, the test for commands and for programs that agents run. */
export const PERFORM_IN_BENCH: BenchPerformers = {
  openRun,
  loadPlan: asIs(PERFORM.loadPlan, RESULTS.loadPlan),
  agent: withStandIns(PERFORM.agent, RESULTS.agent),
  command: withStandIns(PERFORM.command, RESULTS.command),
  commands,
  stages: withStandIns(PERFORM.stages, RESULTS.stages),
  items: asIs(PERFORM.items, RESULTS.items),
  itemValues: asIs(PERFORM.itemValues, RESULTS.itemValues),
  emitted: asIs(PERFORM.emitted, RESULTS.emitted),
  emitItems: asIs(PERFORM.emitItems, RESULTS.emitItems),
  compose: asIs(PERFORM.compose, RESULTS.compose),
  applyRule: asIs(PERFORM.applyRule, RESULTS.applyRule),
  openBoard: asIs(PERFORM.openBoard, RESULTS.openBoard),
  boardWork: asIs(PERFORM.boardWork, RESULTS.boardWork),
  keepTexts: asIs(PERFORM.keepTexts, RESULTS.keepTexts),
  mineJournal: asIs(PERFORM.mineJournal, RESULTS.mineJournal),
  keepLessons: asIs(PERFORM.keepLessons, RESULTS.keepLessons),
  childInput: asIs(PERFORM.childInput, RESULTS.childInput),
  checkResponses: asIs(PERFORM.checkResponses, RESULTS.checkResponses),
  checkProofs: asIs(PERFORM.checkProofs, RESULTS.checkProofs),
  gate: asIs(PERFORM.gate, RESULTS.gate),
  notify: asIs(PERFORM.notify, RESULTS.notify),
  journal: asIs(PERFORM.journal, RESULTS.journal),
  saveState: asIs(PERFORM.saveState, RESULTS.saveState),
  loadState: asIs(PERFORM.loadState, RESULTS.loadState),
  say: asIs(PERFORM.say, RESULTS.say),
  hear: asIs(PERFORM.hear, RESULTS.hear),
  recorded: asIs(PERFORM.recorded, RESULTS.recorded),
  spawned: asIs(PERFORM.spawned, RESULTS.spawned),
  announce: asIs(PERFORM.announce, RESULTS.announce),
  exchanged: asIs(PERFORM.exchanged, RESULTS.exchanged),
  post: asIs(PERFORM.post, RESULTS.post),
  claimWorktree: asIs(PERFORM.claimWorktree, RESULTS.claimWorktree),
  restoreWorktree: asIs(PERFORM.restoreWorktree, RESULTS.restoreWorktree),
  closeWorktree: asIs(PERFORM.closeWorktree, RESULTS.closeWorktree),
  submitCandidate: submitted,
  candidateOutcome: asIs(PERFORM.candidateOutcome, RESULTS.candidateOutcome),
  withdrawCandidate: asIs(PERFORM.withdrawCandidate, RESULTS.withdrawCandidate),
  askTask: asIs(PERFORM.askTask, RESULTS.askTask),
  taskAnswer: asIs(PERFORM.taskAnswer, RESULTS.taskAnswer),
  withdrawTask: asIs(PERFORM.withdrawTask, RESULTS.withdrawTask),
  readAskedTasks: asIs(PERFORM.readAskedTasks, RESULTS.readAskedTasks),
  settleAskedTasks: asIs(PERFORM.settleAskedTasks, RESULTS.settleAskedTasks),
};

type Perform<I, O> = (toolbox: WorkerToolbox, call: ActivityCall, input: I) => Promise<O>;

function asIs<I, O>(perform: Perform<I, O>, masking: Masking<O>) {
  return ({ toolbox, call }: BenchCall, input: I): Promise<O> =>
    maskedAnswer(toolbox, call.key, masking, () => perform(toolbox, call, input));
}

function withStandIns<I extends StepInput, O>(perform: Perform<I, O>, masking: Masking<O>) {
  return ({ call, commandToolbox }: BenchCall, input: I): Promise<O> => {
    const toolbox = commandToolbox(call);
    return maskedAnswer(toolbox, call.key, masking, () => perform(toolbox, call, input));
  };
}

/** A child takes its parent's script, of which only the name matters here: its content is available (bench-toolbox.ts). */
async function openRun({ toolbox, call, script }: BenchCall, input: OpenRunInput): Promise<OpenedRun | PackedPart> {
  if (input.input.parent) return await PERFORM.openRun(toolbox, call, input);
  const ref = await toolbox.control.put('script', JSON.stringify({ name: script }), `${script}.script.json`);
  return await PERFORM.openRun(toolbox, call, { ...input, input: { ...input.input, script: ref } });
}

/** A test has no queue and no repository: every candidate lands unchanged if the test says nothing else. */
async function submitted({ outcome }: BenchCall, input: SubmitCandidateInput): Promise<SubmittedCandidate> {
  const { from, into } = input;
  return { queue: queueId({ ...from, branch: into }), ticket: 1, outcome: outcome(input) };
}

/** A chain may leave any step to its own activity: here it leaves each, so that it runs at its own moment of virtual time. */
async function commands(): Promise<CommandsOutput> {
  return { done: [], alone: true };
}

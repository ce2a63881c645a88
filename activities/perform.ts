import type { Activities, ActivityName } from '../plan/run/contract';
import type { ActivityCall } from './activity-call';
import { agent } from './agent/agent';
import { announceResults, readSpawned } from './agent/children/child-records';
import { postLines, readExchanged } from './agent/member-messages';
import { askTask, taskAnswer, withdrawTask } from './board/ask-task';
import { readAskedTasks, settleAskedTasks } from './board/asked-tasks';
import { boardWork } from './board/board-work';
import { keepTexts } from './board/keep-texts';
import { openBoard } from './board/open-board';
import { command } from './commands/command';
import { commands } from './commands/commands';
import { childInput } from './containers/child-input';
import { compose } from './containers/compose';
import { items, itemValues } from './containers/loop-items';
import { checkProofs } from './gates/check-proof';
import { checkResponses } from './gates/check-response';
import { notify } from './gates/notify';
import { gate } from './gates/render-gate';
import { applyRule } from './patterns/apply-rule';
import { keepLessons } from './patterns/keep-lessons';
import { mineJournal } from './patterns/mine-journal';
import { candidateOutcome, submitCandidate, withdrawCandidate } from './queue/run-candidates';
import { journal } from './run/journal';
import { lookUpRecorded } from './run/ledger-lookup';
import { loadPlan, openRun } from './run/open-run';
import { readMessages, sendMessages } from './run/run-messages';
import { loadState, saveState } from './run/run-state';
import { stages } from './stages/stages-activity';
import { packedJson } from './stored/pack';
import { emitManyFromOutside } from './streams/emit-from-outside';
import { emitted } from './streams/emitted';
import type { WorkerToolbox } from './toolbox';
import { claimWorktree } from './worktrees/claim-worktree';
import { closeWorktree } from './worktrees/close-worktree';
import { restoreWorktree } from './worktrees/restore-worktree';

/** The implementation of each activity, without Temporal: bound to it by `create-activities.ts`, and to memory by the test bench. */
export type Performers = {
  readonly [N in ActivityName]: (
    toolbox: WorkerToolbox,
    call: ActivityCall,
    input: Parameters<Activities[N]>[0],
  ) => ReturnType<Activities[N]>;
};

export const PERFORM: Performers = {
  openRun: async (toolbox, call, input) => packedJson(await openRun(toolbox, call.key, input)),
  loadPlan: (toolbox, call, input) => loadPlan(toolbox, call.key, input),
  agent,
  command,
  commands,
  stages,
  items,
  itemValues: (toolbox, _call, input) => itemValues(toolbox, input),
  emitted,
  emitItems: emitManyFromOutside,
  compose,
  applyRule,
  openBoard,
  boardWork,
  keepTexts,
  mineJournal,
  keepLessons,
  childInput,
  checkResponses,
  checkProofs: (toolbox, _call, input) => checkProofs(toolbox, input),
  gate,
  notify,
  journal,
  saveState: (toolbox, call, input) => saveState(toolbox, call.key, input),
  loadState: (toolbox, call, input) => loadState(toolbox, call.key, input),
  say: (toolbox, call, input) => sendMessages(toolbox, call.key, input),
  hear: (toolbox, call, input) => readMessages(toolbox, call.key, input),
  recorded: (toolbox, call, input) => lookUpRecorded(toolbox, call.key, input),
  spawned: (toolbox, call, input) => readSpawned(toolbox, call.key, input),
  announce: (toolbox, call, input) => announceResults(toolbox, call.key, input),
  exchanged: (toolbox, call, input) => readExchanged(toolbox, call.key, input),
  post: (toolbox, call, input) => postLines(toolbox, call.key, input),
  claimWorktree,
  restoreWorktree,
  closeWorktree,
  submitCandidate,
  candidateOutcome,
  withdrawCandidate,
  askTask,
  taskAnswer,
  withdrawTask,
  readAskedTasks,
  settleAskedTasks,
};

import type { Activities, ActivityName } from '../plan/contract';
import { agent } from './agent/agent';
import { announce, spawned } from './agent/children';
import type { ActivityCall } from './call';
import { command } from './commands/command';
import { commands } from './commands/commands';
import { childInput } from './containers/child-input';
import { compose } from './containers/compose';
import { items, itemValues } from './containers/loop-items';
import { checkProof } from './gates/check-proof';
import { checkResponse } from './gates/check-response';
import { gate } from './gates/gate';
import { notify } from './gates/notify';
import { journal } from './run/journal';
import { hear, say } from './run/line';
import { loadPlan, openRun } from './run/open-run';
import { recorded } from './run/recorded';
import { loadState, saveState } from './run/state';
import { stages } from './stages/stages-activity';
import type { WorkerToolbox } from './toolbox';

/** What each activity does, without Temporal: bound to it by `create-activities.ts`, and to memory by the test bench. */
export type Performers = {
  readonly [N in ActivityName]: (
    toolbox: WorkerToolbox,
    call: ActivityCall,
    input: Parameters<Activities[N]>[0],
  ) => ReturnType<Activities[N]>;
};

export const PERFORM: Performers = {
  openRun: (toolbox, call, input) => openRun(toolbox, call.key, input),
  loadPlan: (toolbox, call, input) => loadPlan(toolbox, call.key, input),
  agent,
  command,
  commands,
  stages,
  items,
  itemValues: (toolbox, _call, input) => itemValues(toolbox, input),
  compose,
  childInput,
  checkResponse,
  checkProof: (toolbox, _call, input) => checkProof(toolbox, input),
  gate,
  notify,
  journal: (toolbox, _call, input) => journal(toolbox, input),
  saveState: (toolbox, call, input) => saveState(toolbox, call.key, input),
  loadState: (toolbox, call, input) => loadState(toolbox, call.key, input),
  say: (toolbox, call, input) => say(toolbox, call.key, input),
  hear: (toolbox, call, input) => hear(toolbox, call.key, input),
  recorded: (toolbox, call, input) => recorded(toolbox, call.key, input),
  spawned: (toolbox, call, input) => spawned(toolbox, call.key, input),
  announce: (toolbox, call, input) => announce(toolbox, call.key, input),
};

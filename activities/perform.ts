import type { Activities, ActivityName } from '../plan/contract';
import { agent } from './agent/agent';
import type { ActivityCall } from './call';
import { checkProof } from './check-proof';
import { checkResponse } from './check-response';
import { childInput } from './child-input';
import { command } from './command';
import { commands } from './commands';
import { compose } from './compose';
import { gate } from './gate';
import { journal } from './journal';
import { items, itemValues } from './loop-items';
import { notify } from './notify';
import { openRun } from './open-run';
import { stages } from './stages/stages-activity';
import { loadState, saveState } from './state';
import type { Toolbox } from './toolbox';

/** What each activity does, without Temporal: bound to it by `create-activities.ts`, and to memory by the test bench. */
export type Performers = {
  readonly [N in ActivityName]: (toolbox: Toolbox, call: ActivityCall, input: Parameters<Activities[N]>[0]) => ReturnType<Activities[N]>;
};

export const PERFORM: Performers = {
  openRun: (toolbox, call, input) => openRun(toolbox, call.key, input),
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
  saveState: (toolbox, _call, input) => saveState(toolbox, input),
  loadState: (toolbox, _call, input) => loadState(toolbox, input),
};

import type { Activities } from '../plan/contract';
import { agent } from './agent';
import { command } from './command';
import { gate } from './gate';
import { journal } from './journal';
import { notify } from './notify';
import { openRun } from './open-run';
import { loadState, saveState } from './state';
import { bound, currentCall } from './temporal-call';
import type { Toolbox } from './toolbox';

/** The activities of a worker, bound to Temporal. */
export function createActivities(toolbox: Toolbox): Activities {
  const { log } = toolbox;
  return {
    openRun: (input) => bound(log, () => openRun(toolbox, currentCall(input.run).key, input)),
    agent: (input) => bound(log, () => agent(toolbox, currentCall(input.run), input)),
    command: (input) => bound(log, () => command(toolbox, currentCall(input.run), input)),
    gate: (input) => bound(log, () => gate(toolbox, currentCall(input.run), input)),
    notify: (input) => bound(log, () => notify(toolbox, currentCall(input.run), input)),
    journal: (input) => bound(log, () => journal(toolbox, input)),
    saveState: (input) => bound(log, () => saveState(toolbox, input)),
    loadState: (input) => bound(log, () => loadState(toolbox, input)),
  };
}

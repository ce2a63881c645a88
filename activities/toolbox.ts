import type { ControlStore } from '../records/control-store';
import type { ActivityPorts } from './activity-ports';
import type { Tool } from './tools/tool';

/** Everything the activities of steps may use. */
export interface Toolbox extends ActivityPorts {
  /** Beside those that every worker has (`tools/tool-table.ts`), by name. */
  tools?: Readonly<Record<string, Tool>>;
}

/** Everything the activities of one worker may use; `worker/` fills it. Those that open a run, hand it over or start a child hold the whole of it. */
export interface WorkerToolbox extends Toolbox {
  control: ControlStore;
}

/** The adapter that replaces all others if a run has a script. */
export const SCRIPTED = 'scripted';

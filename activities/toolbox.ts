import type { ControlStore } from '../records/control-store';
import type { ActivityPorts } from './activity-ports';
import type { Tool } from './tools/tool';

/** Everything the activities of steps may use. */
export interface Toolbox extends ActivityPorts {
  /** Tools in addition to those of every worker (`tools/tool-table.ts`), by name. */
  tools?: Readonly<Record<string, Tool>>;
}

/**
 * Everything the activities of one worker may use; `worker/` fills it. Only activities that open a run, hand it over or start a child get
 * the whole toolbox.
 */
export interface WorkerToolbox extends Toolbox {
  control: ControlStore;
}

/** The adapter that replaces all others if a run has a script. */
export const SCRIPTED = 'scripted';

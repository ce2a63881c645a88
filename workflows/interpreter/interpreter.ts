import type { Run } from './run';
import type { Scheduler } from './scheduler';

/** What the parts of the interpreter share: the run, who starts its steps, and who tells people of changes. */
export interface Interpreter {
  readonly run: Run;
  readonly scheduler: Scheduler;
  /** To be called after anything that people can see has changed; `gates` where lists and the inbox show it. */
  changed(what?: 'gates'): void;
}

import type { Report } from '../diagnostics/diagnostic';
import type { Entry } from '../read/node';
import type { Defaults } from './defaults';
import type { StepSource } from './source';

/** What the readers of steps share. */
export interface ReadContext {
  defaults: Defaults;
  report: Report;
  /** Reads the steps of an inner block; branches may be blocks themselves. */
  steps(entry: Entry, options?: { branches?: boolean }): StepSource[];
}

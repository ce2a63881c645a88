import type { Plan } from '../../plan/plan';
import type { Json } from '../../plan/text/json';

/** Everything on which the course of a case depends. The events of a step depend on seed and address, so other steps can be removed. */
export interface Scenario {
  seed: number;
  plan: Plan;
  /** By name. */
  children: Record<string, Plan>;
  /** The list of each loop, by its id. */
  lists: Record<string, Json[]>;
  /** Absent: an execution is never full. */
  activitiesPerExecution?: number;
  /** The number of crashes. */
  crashes: number;
  /** Whether events of one moment may arrive together. */
  batches: boolean;
  /** Whether activities fail. */
  failures: boolean;
  /** Whether agents spawn others, ask leave for actions, and have unknown costs. */
  calls: boolean;
  /** Whether people do more than they are asked. */
  mischief: boolean;
  /** Whether operators pause, unpause and abort. */
  operators: boolean;
}

import type { Plan } from '../../plan/plan';
import type { Json } from '../../plan/text/json';

/** Everything that decides how a case goes. What happens to a step hangs on seed and address, so steps can be taken out. */
export interface Scenario {
  seed: number;
  plan: Plan;
  /** By name. */
  children: Record<string, Plan>;
  /** What a loop goes over, by its id. */
  lists: Record<string, Json[]>;
  /** Absent: an execution is never full. */
  activitiesPerExecution?: number;
  /** How many times something dies. */
  crashes: number;
  /** Whether events of one moment may arrive together. */
  batches: boolean;
  /** Whether activities fail. */
  failures: boolean;
  /** Whether agents spawn others, ask leave for what they do, and cost nobody knows how much. */
  calls: boolean;
  /** Whether people do anything but what they are asked to. */
  mischief: boolean;
  /** Whether operators pause, unpause and abort. */
  operators: boolean;
}

import type { Script } from '../../plan/agents/script';
import type { Plan } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';
import type { RunKey } from '../../records/ledger';
import type { RunRecord } from '../../records/runs/run-record';

export interface LoadedRun {
  key: RunKey;
  record: RunRecord;
  plan: Plan;
  /** Every step of the plan by id, whatever it is within. */
  steps: ReadonlyMap<string, Step>;
  script?: Script;
}

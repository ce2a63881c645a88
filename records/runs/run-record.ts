import type { Allowance } from '../../plan/budgets/budget';
import type { Starter } from '../../plan/people/starter';
import { IR_VERSION, type Plan } from '../../plan/plan';
import type { ControlRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ParentRun, StartedFrom } from '../../plan/run/run-input';
import { whyTooOld } from '../../plan/run/worker-version';
import type { Json } from '../../plan/text/json';
import type { ControlReader } from '../control-store';
import { asStored } from '../stored-json';

/** Name of the record in the ledger that freezes a run. */
export const RUN_RECORD = 'run';

/** What a run was opened with. Written once by `openRun`; every other activity finds plan and script through it. */
export interface RunRecord {
  plan: ControlRef<'plan'>;
  args: Record<string, Json>;
  script?: { name: string; ref: ControlRef<'script'> };
  startedAt: string;
  /** `RUN_VERSION` of the worker that opened it. */
  version: number;
  /** When a schedule had it, or the run above it, start. */
  scheduledAt?: string;
  startedBy?: Starter;
  /** The run that started this one as its child. */
  parent?: ParentRun;
  /** Set for a run that an agent of another one started. */
  startedFrom?: StartedFrom;
  /** For a child pipeline: what its parent reserved for it before it started. */
  budget?: Allowance;
  /** For a rerun: what the earlier run carried over. */
  carried?: ControlRef<'carry'>;
  /** The post-mortem is requested. */
  postMortem?: true;
}

export function readRunRecord(record: unknown): RunRecord {
  return record as RunRecord;
}

/** The plan that a run's own record names. Fails as `asPlan`, and with `artifact.missing`. */
export async function readRecordedPlan({ control }: { control: ControlReader }, ref: ControlRef<'plan'>): Promise<Plan> {
  return asPlan(await control.get(ref), ref.sha256);
}

/** Fails with `plan.version` if an earlier version of the language froze it, and with `worker.too-old` if a later one did. */
export function asPlan(content: Buffer, sha256: string): Plan {
  const plan = asStored<Partial<Plan> | null>(content, sha256, 'the plan');
  const tooOld = whyTooOld({ irVersion: plan?.irVersion });
  if (tooOld !== undefined) throw new ThermidorFailure('worker.too-old', tooOld);
  if (plan?.irVersion !== IR_VERSION) {
    throw new ThermidorFailure(
      'plan.version',
      `the plan is of version ${plan?.irVersion ?? 'unknown'}; this worker runs version ${IR_VERSION}: finish the run with the version that it began with, or start a new one`,
    );
  }
  if (typeof plan.name !== 'string' || !Array.isArray(plan.block?.steps)) {
    throw new ThermidorFailure('input.invalid', `artifact ${sha256} is not a plan`);
  }
  return plan as Plan;
}

import { IR_VERSION, type Plan } from '../../plan/plan';
import type { ControlRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { OpenedRun } from '../../plan/run/run-activities';
import { whyTooOld } from '../../plan/run/worker-version';
import type { ControlReader } from '../control-store';
import { asStored } from '../stored-json';

/** Name of the record in the ledger that freezes a run. */
export const RUN_RECORD = 'run';

/** What a run was opened with. Written once by `openRun`; every other activity finds plan and script through it. */
export interface RunRecord extends Omit<OpenedRun, 'plan' | 'planRef' | 'script' | 'searchAttributes'> {
  plan: ControlRef<'plan'>;
  script?: { name: string; ref: ControlRef<'script'> };
  /** The moment that its agents take for the present day: that of its schedule, or of the run above it. */
  scheduledAt?: string;
  /** The trace in which the starter had it run. */
  traceparent?: string;
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

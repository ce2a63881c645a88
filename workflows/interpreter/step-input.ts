import type { ArtifactRef } from '../../plan/artifact';
import type { StepInput } from '../../plan/contract';
import type { ControlStep } from '../../plan/control';
import type { Json } from '../../plan/json';
import type { Run } from './run';
import { recordField } from './scope';
import type { StepRecord } from './state';

/** The input of a step's activity: references to what it reads, and what is particular to this round and try. */
export function stepInput(run: Run, step: ControlStep, record: StepRecord): StepInput {
  return {
    ...readable(run, step, step.inputs),
    ...(record.findings ? { findings: record.findings } : {}),
    ...(record.previous ? { previous: record.previous } : {}),
    ...(record.note ? { note: record.note } : {}),
    ...(record.with === undefined ? {} : { with: record.with }),
    ...(record.messages ? { messages: record.messages } : {}),
  };
}

/** What a step's templates render: outputs by reference, record fields by value. Steps without an output are left out. */
export function readable(
  run: Run,
  step: ControlStep,
  outputs: readonly string[] | undefined,
): Pick<StepInput, 'run' | 'inputs' | 'records'> {
  const inputs = Object.fromEntries(artifactsOf(run, outputs).map(({ step: id, artifact }) => [id, artifact]));
  const records: Record<string, Record<string, Json>> = {};
  for (const { step: id, field } of step.records ?? []) {
    const fields = records[id] ?? {};
    fields[field] = recordField(run.state.records[id], field);
    records[id] = fields;
  }
  return {
    run: run.ctx.info.firstRunId,
    ...(Object.keys(inputs).length > 0 ? { inputs } : {}),
    ...(Object.keys(records).length > 0 ? { records } : {}),
  };
}

export function artifactsOf(run: Run, steps: readonly string[] | undefined): { step: string; artifact: ArtifactRef }[] {
  const found: { step: string; artifact: ArtifactRef }[] = [];
  for (const id of steps ?? []) {
    const artifact = run.state.records[id]?.artifact;
    if (artifact) found.push({ step: id, artifact });
  }
  return found;
}

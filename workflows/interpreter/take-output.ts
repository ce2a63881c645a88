import type { StepOutput } from '../../plan/step-work';
import { addUsage, type Usage } from '../../plan/usage';
import type { Interpreter } from './interpreter';
import type { Place } from './place';
import type { StepRecord } from './state/record';

/** What an activity brought becomes part of the step's record. */
export function takeOutput(record: StepRecord, output: StepOutput): void {
  // What an earlier try failed with is no part of what came of it.
  delete record.error;
  if (output.artifact) record.artifact = output.artifact;
  if (output.values) record.values = output.values;
  if (output.verdict) record.verdict = output.verdict;
  if (output.adapter !== undefined) record.adapter = output.adapter;
  if (output.approval) record.asked = output.approval;
  const usage = addUsage(record.usage, output.usage);
  if (usage) record.usage = usage;
}

/** What agents beside the step's own have used, those that it called on and those of the chain, is the step's too. */
export function addUse({ run }: Interpreter, { path }: Place, used: Usage | undefined): void {
  const record = run.record(path);
  const usage = addUsage(record.usage, used);
  if (usage) record.usage = usage;
}

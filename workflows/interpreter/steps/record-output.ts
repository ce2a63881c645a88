import { asksAgent, judges } from '../../../kinds/questions';
import { addUsage, type Usage } from '../../../plan/budgets/usage';
import { isSettled } from '../../../plan/run/step-state';
import type { StepKind } from '../../../plan/steps/step';
import type { StepOutput } from '../../../plan/steps/step-activity';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { forgetError } from '../state/forget';
import { openKindState } from '../state/kind-state';
import { noteOutput, type StepRecord } from '../state/step-record';

/** The part of a step that tells its kind. */
type OfKind = { [K in StepKind]: { readonly kind: K } }[StepKind];

/** Puts an activity's result into the step's record. */
export function recordOutput(record: StepRecord, step: OfKind, output: StepOutput): void {
  forgetError(record);
  noteOutput(record, output);
  if (output.verdict && judges(step))
    Object.assign(openKindState(record, step.kind), { verdict: output.verdict, findings: output.findings });
  if (output.adapter !== undefined && asksAgent(step)) openKindState(record, step.kind).adapter = output.adapter;
  if (output.approval) record.asked = { ...record.asked, question: output.approval };
  const usage = addUsage(record.usage, output.usage);
  if (usage) record.usage = usage;
}

/** The usage of agents other than the step's own, those that it called and those of the chain, counts for the step too. */
export function addStepUsage({ run }: Interpreter, { path }: Place, used: Usage | undefined): void {
  const record = run.record(path);
  const usage = addUsage(record.usage, used);
  if (usage) record.usage = usage;
  if (isSettled(record.state)) run.index.settled(path, record);
}

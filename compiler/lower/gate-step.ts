import type { Template } from '../../plan/expression';
import type { ApprovalStep, InputStep } from '../../plan/step';
import type { ApprovalSource, GateSource, InputSource } from '../shape/source';
import { actionsOf } from './action';
import { upstreamStep } from './context';
import type { Here, LoweredStep } from './here';
import { noteNoApprover } from './no-approver';
import { addChannel, addDecision, addWho } from './policy';
import { producersBefore } from './producers';

/** A gate at which a person says yes or no. */
export function approvalStep(work: ApprovalSource, here: Here): LoweredStep {
  const { base, context, place } = here;
  const step: ApprovalStep = { ...base, kind: 'approval' };
  const { shown, allKnown } = addGate(step, work, here);
  const preview = here.template(work.preview);
  if (preview) step.preview = preview;
  addDecision(step, work, allKnown, context);
  if (!step.approvers) noteNoApprover(base.id, place.step.at, work, context);
  if (work.choices) step.choices = work.choices;
  if (work.onReject) step.onReject = actionsOf(work.onReject, 'on_reject', place, context);
  return { step, inputs: shown };
}

/** A gate at which a person answers with a value. */
export function inputStep(work: InputSource, here: Here): LoweredStep {
  const { base, context, place, template, templates } = here;
  const step: InputStep = { ...base, kind: 'input' };
  const { shown } = addGate(step, work, here);
  const schema = context.schemaOf(place);
  if (schema && 'json' in schema)
    step.responseSchema = context.blobs.add(schema.json, `${base.id}.response.schema.json`, 'application/schema+json');
  if (work.defaults !== undefined) step.defaults = work.defaults;
  const subject = template(work.subject) ?? (work.subject ? undefined : subjectBefore(here));
  if (subject) {
    step.subject = subject;
    templates.push(subject);
  }
  return { step, inputs: shown };
}

/** What the question is about where it does not say: the one step before it. */
function subjectBefore({ place, context }: Here): Template | undefined {
  const [only, another] = producersBefore(place, context);
  return only === undefined || another !== undefined ? undefined : [{ kind: 'output', step: only, path: [] }];
}

/** What every gate has. Answers the steps whose outputs the person sees. */
function addGate(step: ApprovalStep | InputStep, work: GateSource, here: Here): { shown: string[]; allKnown: boolean } {
  const { context, place, template } = here;
  addChannel(step, work, context);
  const prompt = template(work.prompt);
  if (prompt) step.prompt = prompt;
  const shown = work.show?.filter((name) => upstreamStep(name, place, 'show', context, { output: true })).map((name) => name.value);
  const show = [...new Set(shown ?? producersBefore(place, context))];
  if (show.length > 0) step.show = show;
  return { shown: show, ...addWho(step, work, context) };
}

import type { Template } from '../../plan/expression';
import type { ApprovalStep, InputStep } from '../../plan/step';
import type { ApprovalSource, GateSource, InputSource } from '../shape/source';
import { actionsOf } from './action';
import { noteChannel, upstreamStep } from './context';
import type { Here, LoweredStep } from './here';
import { producersBefore } from './producers';

/** A gate at which a person says yes or no. */
export function approvalStep(work: ApprovalSource, here: Here): LoweredStep {
  const { base, context, place } = here;
  const step: ApprovalStep = { ...base, kind: 'approval' };
  const shown = addGate(step, work, here);
  if (work.quorum !== undefined && work.quorum > 1) step.quorum = work.quorum;
  if (work.fourEyes) step.fourEyes = true;
  if (work.choices) step.choices = work.choices;
  if (work.onTimeout) step.onTimeout = work.onTimeout;
  if (work.onReject) step.onReject = actionsOf(work.onReject, 'on_reject', place, context);
  return { step, inputs: shown };
}

/** A gate at which a person answers with a value. */
export function inputStep(work: InputSource, here: Here): LoweredStep {
  const { base, context, place, template, templates } = here;
  const step: InputStep = { ...base, kind: 'input' };
  const shown = addGate(step, work, here);
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
function addGate(step: ApprovalStep | InputStep, work: GateSource, here: Here): string[] {
  const { context, place, template } = here;
  if (work.channel) {
    noteChannel(work.channel, context);
    step.channel = work.channel.value;
  }
  const prompt = template(work.prompt);
  if (prompt) step.prompt = prompt;
  const shown = work.show?.filter((name) => upstreamStep(name, place, 'show', context, { output: true })).map((name) => name.value);
  const show = [...new Set(shown ?? producersBefore(place, context))];
  if (show.length > 0) step.show = show;
  if (work.approvers) step.approvers = work.approvers;
  if (work.remindMs !== undefined) step.remindMs = work.remindMs;
  return show;
}

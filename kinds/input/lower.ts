import { producersBefore } from '../../compiler/lower/agents/agent-producers';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { shapeOfSchema } from '../../compiler/lower/output-schema';
import { addGate } from '../../compiler/lower/people/gate';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { Template } from '../../plan/expressions/expression';
import type { InputStep } from '../../plan/steps/step';
import { copyField } from '../../plan/text/json-text';
import type { InputSource } from './source';

export const INPUT_LOWERING: KindLowering<InputSource> = {
  lower: inputStep,
  output: shapeOfSchema,
  schema: (work, { schemas }) => work.responseSchema && schemas.of({ schema: work.responseSchema }),
};

/** Lowers a gate at which a person answers with a value. */
function inputStep(work: InputSource, here: StepContext): LoweredStep {
  const { base, context, place, template, templates } = here;
  const step: InputStep = { ...base, kind: 'input' };
  const { shown } = addGate(step, work, here);
  const schema = context.schemaOf(place);
  if (schema && 'json' in schema)
    step.responseSchema = context.blobs.add(schema.json, `${base.id}.response.schema.json`, 'application/schema+json');
  if (work.defaults !== undefined) copyField(work, 'defaults', step);
  const subject = template(work.subject) ?? (work.subject ? undefined : subjectBefore(here));
  if (subject) {
    step.subject = subject;
    templates.push(subject);
  }
  return { step, inputs: shown };
}

/** The default subject of the question: the one step before it. */
function subjectBefore({ place, context }: StepContext): Template | undefined {
  const [only, another] = producersBefore(place, context);
  return only === undefined || another !== undefined ? undefined : [{ kind: 'output', step: only, path: [] }];
}

import { producersBefore } from '../../compiler/lower/agents/agent-producers';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { shapeOfSchema } from '../../compiler/lower/output-schema';
import { addGate } from '../../compiler/lower/people/gate';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { WorkOf } from '../../compiler/shape/source';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import type { InputStep } from '../../plan/steps/step';
import { copyField } from '../../plan/text/spelled-json';

export const INPUT_LOWERING: KindLowering<WorkOf<'input'>> = {
  lower: inputStep,
  output: shapeOfSchema,
  schema: ({ input }, { schemas }) => input?.responseSchema && schemas.of({ schema: input.responseSchema }),
};

/** Lowers a gate at which a person answers with a value. */
function inputStep(work: WorkOf<'input'>, here: StepContext): LoweredStep {
  const { base, context, place, template, templates } = here;
  const step: InputStep = { ...base, kind: 'input' };
  const { shown } = addGate(step, { ...work, ...defined({ prompt: work.input?.prompt }) }, here);
  const schema = context.schemaOf(place);
  if (schema && 'json' in schema)
    step.responseSchema = context.blobs.add(schema.json, `${base.id}.response.schema.json`, 'application/schema+json');
  if (work.input?.defaults !== undefined) copyField(work.input, 'defaults', step);
  const subject = template(work.stdin) ?? (work.stdin ? undefined : subjectBefore(here));
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

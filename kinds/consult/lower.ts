import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import { lowerForm } from '../../compiler/lower/form';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { answerOutput } from '../../compiler/lower/parts/answer-output';
import { checkPartIds, partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { entryOf } from '../../compiler/read/node';
import type { WorkOf } from '../../compiler/shape/source';
import { defined } from '../../plan/defined';
import type { Form } from '../../plan/expressions/form';
import { ADVICE_READS, ADVICE_SCHEMA, CONSULT_OUTPUT_FIELDS, URGENCY_MS } from '../../plan/patterns/advice';
import type { ConsultStep } from '../../plan/steps/step';
import type { AdviserSpec } from './model';
import { ADVISER_PROMPT, SECOND_OPINION_PROMPT } from './prompts';

type ConsultSource = WorkOf<'consult'>;

export const CONSULT_LOWERING: KindLowering<ConsultSource> = {
  lower: consultStep,
  output: () => RECORD,
};

const RECORD: OutputShape = { kind: 'fields', fields: new Map(CONSULT_OUTPUT_FIELDS.map((name) => [name, OPEN])) };

const CALLED: Readonly<Record<AdviserSpec['as'], string>> = {
  consultant: 'the advice of the specialist',
  fallback: 'the advice of its `fallback`',
  second_opinion: 'its second opinion',
};

function consultStep(work: ConsultSource, here: StepContext): LoweredStep | undefined {
  const { base } = here;
  const matter = matterOf(work, here);
  const advisers = advisersOf(work, here);
  checkPartIds(
    here,
    advisers.map(({ as }) => ({ part: as, called: CALLED[as] })),
  );
  if (!matter || !work.topic || advisers.length === 0) return undefined;
  const urgency = work.urgency ?? 'normal';
  const step: ConsultStep = {
    ...base,
    ...{ kind: 'consult', matter, topic: work.topic.value, urgency, advisers },
    ...defined({ timeoutMs: base.timeoutMs ?? URGENCY_MS[urgency] }),
    parts: advisers.map((adviser) => partOf(adviser, here)),
  };
  return { step };
}

function matterOf({ question, context, options }: ConsultSource, here: StepContext): Form | undefined {
  const asked = defined({ question: question && { template: question }, context, options: options && { list: options } });
  const written = Object.entries(asked);
  const fields = written.map(([key, form]): [string, Form | undefined] => [key, lowerForm(form, here)]);
  const lowered = fields.filter((field): field is [string, Form] => field[1] !== undefined);
  return question && lowered.length === fields.length ? { fields: lowered } : undefined;
}

/** The specialist for the topic, the stand-in, and the second opinion: nobody is two of them. */
function advisersOf(work: ConsultSource, here: StepContext): AdviserSpec[] {
  const { topic, consultants = new Map(), fallback, secondOpinion } = work;
  const { place, context } = here;
  const { id, at } = place.step;
  const known = [...consultants].map(([about, { value }]) => ({ about, agent: namedAgent(value, here) }));
  const specialist = known.find(({ about }) => about === topic?.value)?.agent;
  const [standIn, second] = [fallback, secondOpinion].map((name) => name && namedAgent(name, here));
  const listed = entryOf(work.node, 'consultants')?.value;
  const isListed = topic && listed?.kind === 'mapping' && entryOf(listed, topic.value);
  if (topic && !isListed && !fallback) {
    const others = [...consultants.keys()].map((about) => `"${about}"`).join(', ');
    const message = `nobody is asked in "${id}": no consultant is for "${topic.value}"${others === '' ? '' : `, only for ${others}`}, and there is no fallback`;
    context.report('consult.nobody', topic.at, message, `write \`consultants: { ${topic.value}: … }\`, or \`fallback:\``);
  }
  const asked: AdviserSpec[] = [
    ...(specialist ? [{ as: 'consultant' as const, name: specialist.id }] : []),
    ...(standIn ? [{ as: 'fallback' as const, name: standIn.id }] : []),
    ...(second ? [{ as: 'second_opinion' as const, name: second.id }] : []),
  ];
  const seen = new Set<string>();
  for (const { as, name } of asked) {
    if (seen.has(name)) {
      const where = as === 'fallback' ? fallback?.at : secondOpinion?.at;
      context.report('consult.twice', where ?? at, `"${name}" is already asked in "${id}"`, 'name another agent, or leave it out');
    }
    seen.add(name);
  }
  return isListed || fallback ? asked : [];
}

function partOf({ as, name }: AdviserSpec, here: StepContext): ConsultStep['parts'][number] {
  return {
    ...{ ...partBase(here, as), kind: 'agent', agent: name },
    prompt: partPrompt(here, as, as === 'second_opinion' ? SECOND_OPINION_PROMPT : ADVISER_PROMPT),
    output: answerOutput('Advice', ADVICE_SCHEMA, here),
    reads: ADVICE_READS,
  };
}

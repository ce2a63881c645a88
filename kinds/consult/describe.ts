import { defined } from '../../plan/defined';
import { type Form, fillForm } from '../../plan/expressions/form';
import type { Urgency } from '../../plan/patterns/advice';
import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { ConsultStep } from '../../plan/steps/step';
import { duration } from '../../plan/text/duration';
import { field, type Json } from '../../plan/text/json';
import { describeAdvice } from './view';

export interface ShownConsult {
  kind: 'consult';
  topic: string;
  asks: Json;
  urgency: Urgency;
  /** How long advice is waited for. Absent: without end. */
  withinMs?: number;
  advisers: { as: string; name: string }[];
}

export const CONSULT_DESCRIPTION: Description<ConsultStep, ShownConsult> = {
  data: ({ matter, topic, urgency, timeoutMs, advisers }, words) => ({
    kind: 'consult',
    ...{ topic, asks: fillForm(matter satisfies Form, (template) => words.value(template)), urgency },
    advisers: advisers.map(({ as, name }) => ({ as, name })),
    ...defined({ withinMs: timeoutMs }),
  }),
  line: ({ topic, advisers }) => `asks ${advisers[0]?.name ?? 'nobody'} about ${topic}`,
  facts: ({ asks, urgency, withinMs, advisers }) => [
    ...fact('question', textOf(field(asks, 'question'))),
    ...fact('context', textOf(field(asks, 'context'))),
    ...fact('options', optionsIn(asks)),
    ...fact('urgency', `${urgency}, the step waits for advice ${withinMs === undefined ? 'without end' : duration(withinMs)}`),
    ...fact('fallback', advisers.find(({ as }) => as === 'fallback')?.name),
    ...fact('second opinion', advisers.find(({ as }) => as === 'second_opinion')?.name),
  ],
  label: ({ topic, advisers }, view) =>
    stepLabel([view?.advice ? describeAdvice(view.advice) : `${advisers[0]?.name ?? 'nobody'} about ${topic}`]),
  shape: 'frame',
  frame: 'consultation',
};

function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function optionsIn(asks: Json): string | undefined {
  const options = field(asks, 'options');
  return Array.isArray(options) ? options.map((option) => textOf(option) ?? '').join('; ') : undefined;
}

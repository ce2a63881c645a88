import { defined } from '../../plan/defined';
import { URGENCIES, type Urgency } from '../../plan/patterns/advice';
import { field } from '../../plan/text/json';
import { refused, type Tool } from './tool';
import { requiredText, withRefusals } from './tool-arguments';

/** One question, and one follow-up (docs/patterns.md, CP-8). */
const QUESTIONS_A_TOPIC = 2;

/** Asks a specialist for advice. The asking agent keeps the work. */
export const CONSULT: Tool = {
  description: ({ consultants = {} }) =>
    'Asks a specialist for advice and waits for it. The work and the decision stay with you. The answer says with `confidence` how sure they are: from 0.8 on it ' +
    `counts; below, you may ask a follow-up, or use your own judgement. At most ${QUESTIONS_A_TOPIC} times per topic. Topics: ${Object.keys(consultants).join(', ')}.`,
  parameters: {
    type: 'object',
    required: ['topic', 'question'],
    additionalProperties: false,
    properties: {
      topic: { type: 'string' },
      question: { type: 'string', minLength: 1, maxLength: 8000 },
      context: { description: 'what the specialist has to know: they do not see your task' },
      options: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 300 } },
      urgency: { enum: [...URGENCIES], default: 'normal', description: 'how long you wait: 2 minutes, 5 minutes, or without end' },
    },
  },
  unlisted: true,
  barred: ({ consultants, depth }) => {
    if (!consultants) return 'you have no consultants';
    return depth === undefined ? 'an agent that is being consulted cannot consult others' : undefined;
  },
  call: withRefusals(async (args, { sessions }) => {
    const [topic, question] = ['topic', 'question'].map((name) => requiredText(args, name).trim());
    const [context, options, urgency] = ['context', 'options', 'urgency'].map((name) => field(args, name));
    if (!topic || !question) return refused('"topic" and "question" must say something');
    const request = {
      ...{ topic, question, urgency: URGENCIES.find((word) => word === urgency) ?? ('normal' satisfies Urgency) },
      ...defined({ context, options: Array.isArray(options) && options.length > 0 ? options.map(String) : undefined }),
    };
    return await sessions.consult(request, QUESTIONS_A_TOPIC);
  }),
};

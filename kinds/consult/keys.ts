import type { KeyRow, KindRow } from '../../compiler/language/row';
import { URGENCIES } from '../../plan/patterns/advice';

/** A specialist is asked for advice. */
const ROWS = [
  {
    key: 'topic',
    type: { kind: 'text' },
    required: 'add `topic:`, what the question is about, in a word',
    meaning: 'What the question is about, in a word; the specialist for this topic is asked.',
    example: 'style',
  },
  {
    key: 'question',
    type: { kind: 'value' },
    required: 'add `question:`, what is asked',
    meaning: 'The question. If it is empty, the step is skipped.',
    example: 'Which tense fits this text?',
  },
  {
    key: 'context',
    type: { kind: 'form' },
    default: 'none',
    meaning: 'What advisers read in addition to the question: the output of a step, or any plain value.',
    example: '$draft',
  },
  {
    key: 'options',
    type: { kind: 'list', of: { kind: 'form' } },
    takes: 'a list such as [bcrypt, argon2id]',
    default: 'none',
    meaning: 'The options that can be recommended. Advice that names none of them does not count as sure.',
    example: '[present, past]',
  },
  {
    key: 'urgency',
    type: { kind: 'word', words: URGENCIES },
    default: '`normal`',
    meaning: 'How long the step waits for advice: `blocking` 2 minutes, `normal` 5, `low` without end. `timeout` overrides it.',
    example: 'blocking',
  },
  {
    key: 'consultants',
    type: { kind: 'map', names: 'any', of: { kind: 'agent' } },
    takes: 'a mapping of topics to agents such as {security: sec_agent}',
    default: 'none',
    meaning: 'The specialists, by topic.',
    example: '{ style: editor }',
  },
  {
    key: 'fallback',
    type: { kind: 'agent' },
    default: 'none',
    meaning: 'The agent that is asked if there is no specialist for the topic, or if that one gives no answer.',
    example: 'writer',
  },
  {
    key: 'second_opinion',
    type: { kind: 'agent' },
    default: 'none',
    meaning: 'The agent to ask when the adviser is not sure, even after a follow-up.',
    example: 'chief',
  },
  {
    key: 'on_design_conflict',
    type: { kind: 'mapping', name: 'vote-behind' },
    own: true,
    default: 'the advice says so in `.design_conflict`',
    meaning: 'If advice contradicts the design, a vote after the step, `<id>_decide`, says whether it is followed.',
    example: '{ consensus: { voters: [writer, editor], revise_by: writer } }',
  },
] as const satisfies readonly KeyRow[];

export const CONSULT_KIND = {
  types: ['consult'],
  meaning:
    'Asks a specialist for advice, with at most one follow-up; the asking agent or pipeline keeps the work. `timeout` is how long to wait for advice, and overrides `urgency`.',
  output:
    '`{outcome, topic, question, context, options, urgency, by, recommendation, option, rationale, confidence, references, caveats, alternative, design_conflict, marked, answers}`',
  rows: ROWS,
  plainBy: ['topic', 'consultants'],
  example: `# needs: agents writer, editor, owner_agent
- id: advise
  type: consult
  topic: style
  question: Which tense fits this text?
  options: [present, past]
  consultants: { style: editor }
  fallback: writer
  second_opinion: owner_agent
- id: go_on
  agent: writer
  prompt: "Write it in the \${advise.recommendation} tense."`,
} as const satisfies KindRow;

import { COMMENT_RULES } from '../../../plan/decision-policy';
import type { KeyRow } from '../row';
import { GATE_ROWS } from './shared';

/** Also of the policy of a category. */
const COMMENT_ROW = {
  key: 'comment',
  type: { kind: 'word', words: COMMENT_RULES },
  default: 'none is needed',
  meaning: 'When a decision must come with a comment: with a no, or always.',
  example: 'on_reject',
} as const satisfies KeyRow;

/** A person says yes or no. */
export const APPROVAL_STEP_ROWS = [
  ...GATE_ROWS,
  {
    key: 'preview',
    type: { kind: 'template' },
    meaning: 'A text that the person sees in full below the question, such as a diff; 256 KiB at most.',
    example: `\${draft.title}`,
  },
  {
    key: 'quorum',
    type: { kind: 'share' },
    default: '`1`',
    meaning: 'How many people must approve. A share is of the `approvers`, groups by their members.',
    example: '2',
  },
  {
    key: 'four_eyes',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning:
      'Neither the owner nor who started the run may decide. With `identity: proven`, two people must agree unless who started it is proven.',
    example: 'true',
  },
  COMMENT_ROW,
  {
    key: 'choices',
    type: { kind: 'list', of: { kind: 'variable' }, alone: true, filled: true },
    default: '`[approve, reject]`',
    meaning: 'What may be answered.',
    example: '[approve, reject, revise]',
  },
  {
    key: 'on_timeout',
    type: { kind: 'word', words: ['wait', 'approve', 'reject', 'escalate', 'conservative'] },
    default: '`wait`',
    meaning: 'What happens when nobody has decided within the `timeout`.',
    example: 'wait',
  },
  {
    key: 'on_reject',
    type: { kind: 'actions', key: 'on_reject' },
    default: '`stop`: the run ends as rejected',
    meaning: 'What happens when a person says no.',
    example: 'retry(draft, max=2)',
  },
] as const satisfies readonly KeyRow[];

/** A person answers a question with a value. */
export const INPUT_ROWS = [
  {
    key: 'input',
    type: { kind: 'mapping', name: 'input' },
    required: true,
    meaning: 'The question, the JSON Schema of its answer, and what is offered.',
    example: '{ prompt: Which market?, responseSchema: { type: string } }',
  },
  ...GATE_ROWS.filter((row) => row.key !== 'prompt'),
  {
    key: 'stdin',
    type: { kind: 'value' },
    default: 'the output of the step before',
    meaning: 'What the question is about: the gate’s `subject`.',
    example: '$draft.json',
  },
] as const satisfies readonly KeyRow[];

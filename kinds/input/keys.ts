import type { KeyRow, KindRow } from '../../compiler/language/row';
import { GATE_ROWS } from '../../compiler/language/shared-rows';

/** A person answers a question with a value. */
const ROWS = [
  {
    key: 'input',
    type: { kind: 'mapping', name: 'input' },
    required: 'add `input: {prompt: "…"}`',
    meaning: 'The question, the JSON Schema of its answer, and a default.',
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

export const INPUT_KIND = {
  types: ['input'],
  meaning: 'A person answers a question with a value.',
  output: 'the answer',
  rows: ROWS,
  plainBy: ['input'],
  yields: 2,
  spellings: 'key of an input step',
  example: `- id: size
  type: input
  input:
    prompt: How large a position, in per cent?
    responseSchema: { type: number, minimum: 0, maximum: 8 }
    defaults: 1
  timeout: 2h`,
} as const satisfies KindRow;

import { inMilliseconds, type KeyRow, type KindRow } from '../../compiler/language/row';
import { APPROVAL_ROWS } from '../../compiler/language/shared-rows';

/** A block in rounds. */
const BODY = [
  {
    key: 'until',
    type: { kind: 'expression' },
    required: 'add `until:`, an expression that holds once no further round is needed',
    meaning:
      'An expression that is evaluated at the end of each round; once it holds, the step is done. It can read the steps of the round, `round` and `last`.',
    example: 'round >= 2',
  },
  {
    key: 'max',
    type: { kind: 'integer', min: 1, max: 10_000 },
    required: 'add `max: 5`, how many rounds there are at most',
    meaning: 'How many rounds there are at most.',
    example: '5',
  },
  {
    key: 'steps',
    type: { kind: 'steps' },
    required: 'add `steps:`, what is done in each round',
    meaning: 'What is done in each round, in order or as a graph.',
    example: `[{ id: look, run: "echo \${round}" }]`,
  },
  {
    key: 'on_exhausted',
    type: { kind: 'actions', key: 'on_exhausted' },
    default: 'the step fails with `repeat.exhausted`, and `on_error` decides',
    meaning: 'What happens when `max` rounds are over and `until` does not hold.',
    example: 'escalate(human)',
  },
  {
    key: 'round_var',
    type: { kind: 'variable' },
    default: '`round`',
    meaning: 'What the number of the round, counted from 1, is called within the block.',
    example: 'n',
  },
  {
    key: 'last_var',
    type: { kind: 'variable' },
    default: '`last`',
    meaning: 'What the outputs of the round before are called within the block.',
    example: 'before',
  },
  {
    key: 'timeout',
    type: { kind: 'duration' },
    default: 'none',
    meaning: 'How long all rounds may take together; it may also be written next to `repeat`.',
    example: '2h',
  },
  inMilliseconds('timeout', '90000'),
] as const satisfies readonly KeyRow[];

const ROWS = [
  {
    key: 'repeat',
    type: { kind: 'body', of: 'repeat' },
    own: true,
    required: 'add `repeat: {until: …, max: 5, steps: […]}`',
    meaning: 'The block, the expression until which it is repeated, and how often at most.',
    example: `{ until: round >= 2, max: 5, steps: [{ id: look, run: "echo \${round}" }] }`,
  },
  ...APPROVAL_ROWS,
] as const satisfies readonly KeyRow[];

export const REPEAT_KIND = {
  types: ['repeat'],
  meaning: 'A block of steps runs again and again until an expression holds.',
  output: '`{round, exhausted, <step>: its output}` of the last round',
  rows: ROWS,
  body: BODY,
  plainBy: ['repeat'],
  example: `# needs: step draft; agents writer, editor
- id: polish
  repeat:
    until: check.score >= 0.9
    max: 5
    on_exhausted: continue
    steps:
      - id: rewrite
        agent: writer
        prompt: |
          Round \${round}. Improve this text: \${draft}
          What the editor said of your last version: \${last.check}
      - { id: check, agent: editor }
  timeout: 2h`,
} as const satisfies KindRow;

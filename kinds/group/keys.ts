import type { KeyRow, KindRow } from '../../compiler/language/row';

/** A branch of several steps. */
const ROWS = [
  {
    key: 'steps',
    type: { kind: 'steps' },
    required: true,
    meaning: 'The steps of the branch, in order or as a graph.',
    example: `[{ id: half, run: "echo 1" }]`,
  },
] as const satisfies readonly KeyRow[];

export const GROUP_KIND = {
  types: [],
  meaning: 'A branch of several steps; only under `branches`.',
  output: 'the output of the last of its steps that ran',
  rows: ROWS,
  plainBy: [],
  example: `# needs: agents bearish_researcher, writer
- id: cases
  branches:
    - id: bear
      steps:
        - { id: gather, agent: bearish_researcher }
        - { id: condense, agent: writer }`,
} as const satisfies KindRow;

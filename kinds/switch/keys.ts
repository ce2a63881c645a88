import type { KeyRow, KindRow } from '../../compiler/language/row';
import { APPROVAL_ROWS } from '../../compiler/language/shared-rows';

/** One of several cases. */
const ROWS = [
  {
    key: 'switch',
    type: { kind: 'branches' },
    required: 'add `switch:`, a list of cases',
    meaning:
      'The cases: steps of any kind, or `{id, steps}`, each with a `when`. The first whose `when` holds runs; the last may have no `when` and is then the default.',
    example: `[{ id: long, when: draft.title != null, run: "echo 1" }, { id: short, run: "echo 2" }]`,
  },
  ...APPROVAL_ROWS,
] as const satisfies readonly KeyRow[];

export const SWITCH_KIND = {
  types: ['switch'],
  meaning: 'One of several cases runs.',
  output: 'the output of the case that ran; nothing if none ran',
  rows: ROWS,
  plainBy: ['switch'],
  example: `# needs: step draft; agents writer, editor
- id: route
  switch:
    - { id: urgent, when: draft.risk == "high", agent: writer }
    - id: usual
      when: draft.risk == "low"
      steps:
        - { id: check, agent: editor }
        - { id: rewrite, agent: writer }
    - { id: unknown, run: echo unknown }`,
} as const satisfies KindRow;

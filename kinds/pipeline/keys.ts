import type { KeyRow, KindRow } from '../../compiler/language/row';
import { APPROVAL_ROWS, CATEGORY_ROWS } from '../../compiler/language/shared-rows';

/** Another pipeline as a child workflow. */
const ROWS = [
  {
    key: 'pipeline',
    aliases: ['workflow'],
    type: { kind: 'path' },
    required: 'add `pipeline:` with the path of the other file',
    meaning: 'The file of the other pipeline, relative to the folder of this one.',
    example: 'child.yaml',
  },
  {
    key: 'with',
    aliases: ['workflow_args'],
    type: { kind: 'map', names: 'any', of: { kind: 'data' } },
    takes: 'a mapping of args to values',
    default: 'the defaults of the child’s args',
    meaning: 'The args of the child’s run.',
    example: '{ title: $draft.json.title }',
  },
  ...CATEGORY_ROWS,
  ...APPROVAL_ROWS,
] as const satisfies readonly KeyRow[];

export const PIPELINE_KIND = {
  types: ['pipeline', 'workflow'],
  meaning: 'Another pipeline runs as a child.',
  output: 'the child’s output',
  rows: ROWS,
  plainBy: ['pipeline', 'workflow'],
  example: `# needs: step draft; file child.yaml
- id: publish
  pipeline: child.yaml
  with: { title: $draft.json.title }`,
} as const satisfies KindRow;

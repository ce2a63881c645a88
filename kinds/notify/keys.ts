import type { KeyRow, KindRow } from '../../compiler/language/row';
import { CATEGORY_ROWS } from '../../compiler/language/shared-rows';

/** A message goes to a channel. */
const ROWS = [
  {
    key: 'notify',
    type: { kind: 'mapping', name: 'notify' },
    required: 'add `notify: {channel: "#updates", message: "…"}`',
    meaning: 'Where the message goes, and what it says.',
    example: `{ channel: "#desk", message: "Ready: \${draft.title}" }`,
  },
  ...CATEGORY_ROWS,
] as const satisfies readonly KeyRow[];

export const NOTIFY_KIND = {
  types: ['notify'],
  meaning: 'A message goes to a channel.',
  output: 'none',
  rows: ROWS,
  plainBy: ['notify'],
  example: `# needs: step draft
- id: announce
  notify: { channel: "#desk", message: "\${draft.title} is ready", report: draft }`,
} as const satisfies KindRow;

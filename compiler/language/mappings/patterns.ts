import type { KeyRow } from '../row';

/** Mappings of collaboration patterns. */
export const PROPOSAL_ROWS = [
  { key: 'title', type: { kind: 'template' }, required: true, meaning: 'What is decided, in one line.', example: 'Which database?' },
  { key: 'context', type: { kind: 'data' }, meaning: 'What voters have to know.', example: '$draft' },
  {
    key: 'options',
    type: { kind: 'list', of: { kind: 'mapping', name: 'proposal-option' } },
    default: 'none: voters approve or reject',
    meaning: 'Two or more to choose among: an approval names one.',
    example: '[{ id: A, description: Keep it }, { id: B, description: Replace it }]',
  },
] as const satisfies readonly KeyRow[];

export const PROPOSAL_OPTION_ROWS = [
  { key: 'id', type: { kind: 'variable' }, required: true, meaning: 'What voters answer with.', example: 'A' },
  { key: 'description', type: { kind: 'template' }, meaning: 'What it is.', example: 'Keep it' },
  { key: 'pros', type: { kind: 'list', of: { kind: 'template' }, alone: true }, meaning: 'What speaks for it.', example: '[no work]' },
  { key: 'cons', type: { kind: 'list', of: { kind: 'template' }, alone: true }, meaning: 'What speaks against it.', example: '[slow]' },
] as const satisfies readonly KeyRow[];

export const ALL_ABSTAIN_ROWS = [
  {
    key: 'by',
    type: { kind: 'member' },
    required: true,
    meaning: 'An agent, or a person as `person("cfo")`. The record says that it was their decision.',
    example: 'editor',
  },
] as const satisfies readonly KeyRow[];

import type { KeyRow } from '../row';
import { APPROVAL_ROWS, CATEGORY_ROWS } from './shared';

/** Another pipeline as a child workflow. */
export const PIPELINE_ROWS = [
  {
    key: 'pipeline',
    aliases: ['workflow'],
    type: { kind: 'path' },
    required: true,
    meaning: 'The file of the other pipeline, from the folder of this one.',
    example: 'child.yaml',
  },
  {
    key: 'with',
    aliases: ['workflow_args'],
    type: { kind: 'map', names: 'any', of: { kind: 'data' } },
    default: 'the defaults of its args',
    meaning: 'The args of its run.',
    example: '{ title: $draft.json.title }',
  },
  ...CATEGORY_ROWS,
  ...APPROVAL_ROWS,
] as const satisfies readonly KeyRow[];

/** A message goes to a channel. */
export const NOTIFY_ROWS = [
  {
    key: 'notify',
    type: { kind: 'mapping', name: 'notify' },
    required: true,
    meaning: 'Where the message goes, and what it says.',
    example: `{ channel: "#desk", message: "Ready: \${draft.title}" }`,
  },
  ...CATEGORY_ROWS,
] as const satisfies readonly KeyRow[];

/** Nothing happens for a while, until a moment, or until a signal comes. */
export const WAIT_ROWS = [
  {
    key: 'wait',
    type: { kind: 'either', of: [{ kind: 'duration' }, { kind: 'mapping', name: 'until' }, { kind: 'mapping', name: 'signal' }] },
    required: true,
    meaning: 'How long, until when, or for which signal it waits.',
    example: '10m',
  },
] as const satisfies readonly KeyRow[];

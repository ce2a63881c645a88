import type { KeyRow, KindRow } from '../../compiler/language/row';

/** Nothing happens for a while, until a moment, or until a signal comes. */
const ROWS = [
  {
    key: 'wait',
    type: { kind: 'either', of: [{ kind: 'duration' }, { kind: 'mapping', name: 'until' }, { kind: 'mapping', name: 'signal' }] },
    own: true,
    required: 'add `wait: 10m`',
    meaning: 'How long, until when, or for which signal the run waits.',
    example: '10m',
  },
] as const satisfies readonly KeyRow[];

export const WAIT_KIND = {
  types: ['wait'],
  meaning: 'The run waits for a while, until a moment, or for a signal.',
  output: 'with `signal` its payload, else none',
  rows: ROWS,
  plainBy: ['wait'],
  example: `- id: market_opens
  wait: { signal: market_open, timeout: 12h }`,
} as const satisfies KindRow;

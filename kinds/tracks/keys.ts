import type { KeyRow, KindRow } from '../../compiler/language/row';
import { AHEAD } from './model';

/** Two agents work side by side, and are aligned at points. */
const ROWS = [
  {
    key: 'a',
    type: { kind: 'mapping', name: 'track' },
    required: true,
    meaning: 'One track. Where the two cannot be aligned, it goes on first.',
    example: '{ agent: writer, phases: [{ id: api, prompt: Describe the interface. }, { id: detail, prompt: Describe the details. }] }',
  },
  {
    key: 'b',
    type: { kind: 'mapping', name: 'track' },
    required: true,
    meaning: 'The other.',
    example: '{ agent: editor, phases: [{ id: scaffold, prompt: Set it up. }, { id: core, prompt: Build it. }] }',
  },
  {
    key: 'sync',
    type: { kind: 'list', of: { kind: 'mapping', name: 'sync-point' }, filled: true },
    required: true,
    meaning: 'The points at which they have to be aligned, in order.',
    example: '[{ id: contract, after: [api, scaffold], check: { agent: owner_agent } }]',
  },
  {
    key: 'ahead',
    type: { kind: 'word', words: AHEAD },
    default: '`one_phase`',
    meaning:
      'What a track does once its `wait` is over: it begins its next phase provisionally, and makes it again if the tracks turn out not to be aligned; or it keeps waiting. The agent of the slow track gets a message either way.',
    example: 'none',
  },
  {
    key: 'integration',
    type: { kind: 'template' },
    meaning: 'A shell command that runs at the end and has to succeed.',
    example: 'npm test',
  },
  {
    key: 'on_blocked',
    type: { kind: 'actions', key: 'on_blocked' },
    default: 'as `on_error`',
    meaning: 'What happens when a phase has failed for good. The other track ends the phase that it is in, and pauses.',
    example: 'escalate(human)',
  },
  {
    key: 'on_misaligned',
    type: {
      kind: 'either',
      of: [
        { kind: 'word', words: ['linear'] },
        { kind: 'actions', key: 'on_misaligned' },
      ],
    },
    default: '`linear`',
    meaning:
      'What happens when the last check of a point finds the tracks misaligned. `linear`: track a goes on to its end, then b follows it.',
    example: 'escalate(human)',
  },
] as const satisfies readonly KeyRow[];

export const TRACKS_KIND = {
  types: ['tracks'],
  meaning: 'Two agents work side by side, each in phases of its own, and are aligned at points. `timeout` is of both, to the end.',
  output: '`{status, a, b, sync}`: what each phase of a track has delivered, by its id, and how each point went',
  rows: ROWS,
  plainBy: ['sync'],
  example: `# needs: agents writer, editor, owner_agent
- id: dual
  type: tracks
  a: { agent: writer, phases: [{ id: api, prompt: Describe the interface. }, { id: detail, prompt: Describe the details. }] }
  b: { agent: editor, phases: [{ id: scaffold, prompt: Set it up. }, { id: core, prompt: Build it. }] }
  sync:
    - { id: contract, after: [api, scaffold], check: { agent: owner_agent, prompt: Both agree on the signatures. } }
    - { id: whole, after: [detail, core], check: { agent: owner_agent } }
  integration: npm test
  on_misaligned: linear`,
} as const satisfies KindRow;

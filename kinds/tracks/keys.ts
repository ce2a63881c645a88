import type { KeyRow, KindRow } from '../../compiler/language/row';
import { OUTPUT_ROWS } from '../../compiler/language/shared-rows';
import { AHEAD } from './model';

/** Two agents work side by side, and are aligned at points. */
const ROWS = [
  {
    key: 'a',
    type: { kind: 'mapping', name: 'track' },
    required: 'add `a: {agent: designer, phases: [{id: api, prompt: …}]}`',
    meaning: 'One track. If the two cannot be aligned, this one continues first.',
    example: '{ agent: writer, phases: [{ id: api, prompt: Describe the interface. }, { id: detail, prompt: Describe the details. }] }',
  },
  {
    key: 'b',
    type: { kind: 'mapping', name: 'track' },
    required: 'add `b: {agent: coder, phases: [{id: core, prompt: …}]}`',
    meaning: 'The other.',
    example: '{ agent: editor, phases: [{ id: scaffold, prompt: Set it up. }, { id: core, prompt: Build it. }] }',
  },
  {
    key: 'sync',
    type: { kind: 'list', of: { kind: 'mapping', name: 'sync-point' }, filled: true },
    required: 'add `sync: [{id: contract, after: [api, core]}]`; two tracks without a sync point are a `parallel`',
    takes: 'a list such as [{id: contract, after: [api, scaffold]}]',
    empty: { why: '"sync" is an empty list', hint: 'add {id: contract, after: [api, scaffold]}' },
    meaning: 'The points at which the tracks must be aligned, in order.',
    example: '[{ id: contract, after: [api, scaffold], check: { agent: owner_agent } }]',
  },
  {
    key: 'ahead',
    type: { kind: 'word', words: AHEAD },
    default: '`one_phase`',
    meaning:
      'What the track that is ahead does once its `wait` is over: it begins its next phase provisionally, and redoes it if the tracks turn out not to be aligned; or it keeps waiting. The agent of the slow track gets a message either way.',
    example: 'none',
  },
  {
    key: 'integration',
    type: { kind: 'template' },
    meaning: 'A shell command that runs at the end and must succeed.',
    example: 'npm test',
  },
  {
    key: 'on_blocked',
    type: { kind: 'actions', key: 'on_blocked' },
    default: 'as `on_error`',
    meaning: 'What happens when a phase has failed for good. The other track finishes its current phase and pauses.',
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

/** Mappings within its keys. */
const TRACK_ROWS = [
  {
    key: 'agent',
    type: { kind: 'agent' },
    required: 'add `agent:`, the agent that does the phases',
    meaning: 'The agent that does the phases of the track.',
    example: 'writer',
  },
  {
    key: 'phases',
    type: { kind: 'list', of: { kind: 'mapping', name: 'phase' }, filled: true },
    required: 'add `phases:`, what is done, in order',
    takes: 'a list such as [{id: api, prompt: …}]',
    empty: { why: '"phases" is an empty list', hint: 'add {id: api, prompt: …}' },
    meaning: 'What is done, in order.',
    example: '[{ id: scaffold, prompt: Set it up. }, { id: core, prompt: Build it. }]',
  },
] as const satisfies readonly KeyRow[];

export const PHASE_ROWS = [
  { key: 'id', type: { kind: 'id' }, required: true, meaning: 'The name of the phase, unique in both tracks.', example: 'draft_api' },
  {
    key: 'prompt',
    type: { kind: 'template' },
    required: 'add `prompt:`, what is to be done',
    meaning: 'What to do. What the tracks have delivered so far is added to it.',
    example: 'Describe the interface.',
  },
  ...OUTPUT_ROWS,
  { key: 'timeout', type: { kind: 'duration' }, default: 'the agent’s own', meaning: 'How long the phase may take.', example: '20m' },
] as const satisfies readonly KeyRow[];

export const SYNC_POINT_ROWS = [
  { key: 'id', type: { kind: 'id' }, required: true, meaning: 'Its name.', example: 'contract' },
  {
    key: 'name',
    type: { kind: 'text' },
    meaning: 'What the point is about, for people and agents.',
    example: 'The contract of the interface',
  },
  {
    key: 'after',
    type: { kind: 'list', of: { kind: 'text' } },
    required: 'add `after: [api, scaffold]`, a phase of each track',
    takes: 'a list such as [api, scaffold]',
    meaning: 'The phase of each track that the point comes after.',
    example: '[api, scaffold]',
  },
  {
    key: 'check',
    type: { kind: 'mapping', name: 'alignment-check' },
    default: 'the owner, who judges what the tracks have delivered',
    meaning: 'Who says whether the tracks are aligned, and what must hold.',
    example: '{ agent: editor, prompt: Both agree on the signatures. }',
  },
  {
    key: 'rounds',
    type: { kind: 'integer', min: 1, max: 10 },
    default: '`2`',
    meaning: 'How often the point is checked at most. Before each further check, the agents that the last check named adjust their work.',
    example: '2',
  },
  {
    key: 'wait',
    type: { kind: 'duration' },
    default: '`5m`',
    meaning: 'How long the first track to arrive waits before `ahead` applies.',
    example: '10m',
  },
] as const satisfies readonly KeyRow[];

const ALIGNMENT_CHECK_ROWS = [
  { key: 'agent', type: { kind: 'agent' }, default: 'the owner', meaning: 'Who checks.', example: 'editor' },
  { key: 'prompt', type: { kind: 'template' }, meaning: 'What must hold.', example: 'Both agree on the signatures.' },
] as const satisfies readonly KeyRow[];

export const TRACKS_KIND = {
  types: ['tracks'],
  meaning:
    'Two agents work side by side, each in phases of its own, and are aligned at points. `timeout` is for both tracks, from start to end.',
  output: '`{status, a, b, sync}`: what each phase of a track has delivered, by its id, and how each point went',
  rows: ROWS,
  mappings: {
    track: { title: '`a` and `b` of a tracks step', such: '{agent: designer, phases: […]}', rows: TRACK_ROWS },
    phase: { title: 'a phase of a track', what: 'a phase', such: '{id: api, prompt: …}', rows: PHASE_ROWS },
    'sync-point': {
      title: 'a point of `sync`',
      what: 'a sync point',
      such: '{id: contract, after: [api, scaffold]}',
      rows: SYNC_POINT_ROWS,
    },
    'alignment-check': { title: '`check` of a sync point', such: '{agent: lead, prompt: …}', rows: ALIGNMENT_CHECK_ROWS },
  },
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

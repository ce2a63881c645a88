import { RANGES } from '../ranges';
import type { KeyRow } from '../row';
import { OUTPUT_ROWS } from '../shared-rows';

/** Mappings of a `tracks` step. */
export const TRACK_ROWS = [
  { key: 'agent', type: { kind: 'agent' }, required: true, meaning: 'Who does its phases.', example: 'writer' },
  {
    key: 'phases',
    type: { kind: 'list', of: { kind: 'mapping', name: 'phase' }, filled: true },
    required: true,
    meaning: 'What is done, in order.',
    example: '[{ id: scaffold, prompt: Set it up. }, { id: core, prompt: Build it. }]',
  },
] as const satisfies readonly KeyRow[];

export const PHASE_ROWS = [
  { key: 'id', type: { kind: 'id' }, required: true, meaning: 'Its name: unique in both tracks.', example: 'draft_api' },
  {
    key: 'prompt',
    type: { kind: 'template' },
    required: true,
    meaning: 'What to do. What the tracks have delivered so far is added to it.',
    example: 'Describe the interface.',
  },
  ...OUTPUT_ROWS,
  { key: 'timeout', type: { kind: 'duration' }, default: 'the agent’s own', meaning: 'How long it may take.', example: '20m' },
] as const satisfies readonly KeyRow[];

export const SYNC_POINT_ROWS = [
  { key: 'id', type: { kind: 'id' }, required: true, meaning: 'Its name.', example: 'contract' },
  { key: 'name', type: { kind: 'text' }, meaning: 'What it is about, for people and agents.', example: 'The contract of the interface' },
  {
    key: 'after',
    type: { kind: 'list', of: { kind: 'text' } },
    required: true,
    meaning: 'The phase of each track that it comes after.',
    example: '[api, scaffold]',
  },
  {
    key: 'check',
    type: { kind: 'mapping', name: 'alignment-check' },
    default: 'the owner, by what the tracks have delivered',
    meaning: 'Who says whether the tracks are aligned, and what must hold.',
    example: '{ agent: editor, prompt: Both agree on the signatures. }',
  },
  {
    key: 'rounds',
    type: { kind: 'integer', ...RANGES.syncRounds },
    default: '`2`',
    meaning: 'How often it is checked at most. Before each further check those adjust whom the last one named.',
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

export const ALIGNMENT_CHECK_ROWS = [
  { key: 'agent', type: { kind: 'agent' }, default: 'the owner', meaning: 'Who checks.', example: 'editor' },
  { key: 'prompt', type: { kind: 'template' }, meaning: 'What must hold.', example: 'Both agree on the signatures.' },
] as const satisfies readonly KeyRow[];

import type { KeyRow } from '../row';

/** An agent, under `agents:` or in a file of its own. */
export const AGENT_DEFINITION_ROWS = [
  {
    key: 'id',
    type: { kind: 'agent' },
    default: 'the name of its file or key',
    meaning: 'Its id, where you want to repeat it.',
    example: 'it',
  },
  { key: 'title', type: { kind: 'text' }, meaning: 'What people call it.', example: 'Editor' },
  {
    key: 'role',
    type: { kind: 'text' },
    required: true,
    meaning: 'Its standing instructions: who it is and how it works.',
    example: 'You judge drafts. Answer with one JSON object.',
  },
  {
    key: 'model',
    type: { kind: 'text' },
    default: 'the adapter’s own',
    meaning: 'The model that it thinks with.',
    example: 'claude-sonnet-4-5',
  },
  { key: 'adapter', type: { kind: 'text' }, default: 'the worker’s own', meaning: 'How the model is reached.', example: 'anthropic' },
  { key: 'reports_to', type: { kind: 'agent' }, default: '`human`', meaning: 'Who is above it in the escalation chain.', example: 'human' },
  {
    key: 'tools',
    type: { kind: 'list', of: { kind: 'text' }, alone: true },
    default: 'what its adapter offers',
    meaning: 'What it may use.',
    example: '[read_file, grep]',
  },
  {
    key: 'categories',
    type: { kind: 'map', names: 'category', of: { kind: 'list', of: { kind: 'text' }, alone: true, filled: true } },
    default: 'none',
    meaning: 'Tools that need a person’s yes for each call, by category.',
    example: '{ move_money: [transfer] }',
  },
  {
    key: 'timeout',
    type: { kind: 'duration' },
    default: 'none',
    meaning: 'How long one of its tries may take, where its step does not say.',
    example: '15m',
  },
] as const satisfies readonly KeyRow[];

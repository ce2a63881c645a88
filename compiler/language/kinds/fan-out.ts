import { MERGES } from '../../../plan/container-step';
import { RANGES } from '../ranges';
import type { KeyRow } from '../row';
import { TIMEOUT_ROWS } from '../step';
import { APPROVAL_ROWS } from './shared';

const FAN_OUT_ROWS = [
  {
    key: 'branches',
    type: { kind: 'branches' },
    meaning: 'Steps of any kind that run side by side; a branch of several steps is written `{id, steps}`.',
    example: `[{ id: left, run: "echo 1" }, { id: right, steps: [{ id: half, run: "echo 2" }] }]`,
  },
  {
    key: 'wait',
    type: {
      kind: 'either',
      of: [
        { kind: 'word', words: ['all', 'any'] },
        { kind: 'mapping', name: 'quorum' },
      ],
    },
    default: '`all`',
    meaning: 'How many branches must succeed: `all`, `any` (one is enough, and the rest is called off), or a [quorum](#quorum).',
    example: '{ quorum: 2/3 }',
  },
  {
    key: 'max_concurrent',
    type: { kind: 'integer', ...RANGES.concurrent },
    default: 'all at once, within `limits.concurrent`',
    meaning: 'How many branches are in flight at once.',
    example: '4',
  },
  {
    key: 'merge',
    type: { kind: 'word', words: MERGES },
    default: 'the outputs by branch',
    meaning: 'How the lists that the branches put out become one; items are the same where `key` is.',
    example: 'union',
  },
  {
    key: 'key',
    type: { kind: 'text' },
    meaning: 'The field that two items share if they are the same for `merge`; goes with `merge`.',
    example: 'name',
  },
] as const satisfies readonly KeyRow[];

/** Branches side by side. */
export const PARALLEL_ROWS = [
  ...FAN_OUT_ROWS,
  {
    key: 'parallel',
    insteadOf: 'branches',
    type: { kind: 'mapping', name: 'parallel' },
    meaning: 'Lobster’s way to write it: the keys above, and `timeout`, in a mapping of their own.',
    example: `{ wait: any, branches: [{ id: left, run: "echo 1" }, { id: right, run: "echo 2" }] }`,
  },
  ...APPROVAL_ROWS,
] as const satisfies readonly KeyRow[];

/** The same within `parallel:`. */
export const NESTED_PARALLEL_ROWS = [...FAN_OUT_ROWS, ...TIMEOUT_ROWS] as const satisfies readonly KeyRow[];

/** A branch of several steps. */
export const GROUP_ROWS = [
  {
    key: 'steps',
    type: { kind: 'steps' },
    required: true,
    meaning: 'The steps of the branch, in order or as a graph.',
    example: `[{ id: half, run: "echo 1" }]`,
  },
] as const satisfies readonly KeyRow[];

/** A block once for each item of a list. */
export const FOR_EACH_ROWS = [
  {
    key: 'for_each',
    type: { kind: 'expression' },
    required: true,
    meaning: 'The list.',
    example: '$draft.json.parts',
  },
  {
    key: 'steps',
    type: { kind: 'steps' },
    required: true,
    meaning: 'What is done with each item, in order or as a graph.',
    example: `[{ id: look, run: "echo \${item.name}" }]`,
  },
  {
    key: 'item_var',
    type: { kind: 'variable' },
    default: '`item`',
    meaning: 'What the item is called within `steps`.',
    example: 'part',
  },
  {
    key: 'index_var',
    type: { kind: 'variable' },
    default: '`index`',
    meaning: 'What the place of the item, counted from 0, is called within `steps`.',
    example: 'n',
  },
  {
    key: 'batch_size',
    type: { kind: 'integer', ...RANGES.batchSize },
    default: '`1`',
    meaning: 'How many items are done between two pauses.',
    example: '10',
  },
  {
    key: 'pause',
    type: { kind: 'duration' },
    default: 'none',
    meaning: 'How long it rests after each batch.',
    example: '2s',
  },
  {
    key: 'pause_ms',
    insteadOf: 'pause',
    type: { kind: 'milliseconds' },
    meaning: '`pause` in milliseconds.',
    example: '500',
  },
  {
    key: 'max_concurrent',
    type: { kind: 'integer', ...RANGES.concurrent },
    default: '`1`',
    meaning: 'How many items are in flight at once.',
    example: '4',
  },
  ...APPROVAL_ROWS,
] as const satisfies readonly KeyRow[];

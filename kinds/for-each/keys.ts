import { RANGES } from '../../compiler/language/ranges';
import { inMilliseconds, type KeyRow, type KindRow } from '../../compiler/language/row';
import { APPROVAL_ROWS } from '../../compiler/language/shared-rows';
import { ON_ALL_BLOCKED, ON_ITEM_FAILED } from '../../plan/steps/stream';

/** A block once for each item of a list. */
const ROWS = [
  {
    key: 'for_each',
    type: { kind: 'either', of: [{ kind: 'expression' }, { kind: 'mapping', name: 'stream' }] },
    own: true,
    required: 'add `for_each: $step.json.items`',
    meaning: 'The list, or a [stream](#streams): what another step emits while it works.',
    example: '$draft.json.parts',
  },
  {
    key: 'steps',
    type: { kind: 'steps' },
    required: 'add `steps:`, what is done with each item',
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
    meaning: 'What the item’s position, counted from 0, is called within `steps`.',
    example: 'n',
  },
  {
    key: 'label',
    type: { kind: 'template' },
    default: 'the item if it is short, else its key in a stream',
    meaning: 'What people call the item in the status, the journal and lists of gates. It may read the item, its position and args.',
    example: `"\${item.name}"`,
  },
  {
    key: 'batch_size',
    type: { kind: 'integer', min: 1, max: 10_000 },
    default: '`1`',
    meaning: 'How many items run between two pauses.',
    example: '10',
  },
  {
    key: 'pause',
    type: { kind: 'duration' },
    default: 'none',
    meaning: 'How long to pause after each batch.',
    example: '2s',
  },
  inMilliseconds('pause', '500'),
  {
    key: 'max_concurrent',
    type: { kind: 'integer', ...RANGES.concurrent },
    default: '`1`',
    meaning: 'How many items are in flight at once.',
    example: '4',
  },
  {
    key: 'item_timeout',
    type: { kind: 'duration' },
    default: '`15m` in a stream',
    meaning: 'How long one item of a stream may take, all repetitions included.',
    example: '5m',
  },
  {
    key: 'fixes',
    type: { kind: 'integer', ...RANGES.fixes },
    default: '`2` in a stream',
    meaning: 'How often the steps of an item of a stream begin again, with the failure as a finding, when one of them has failed.',
    example: '1',
  },
  {
    key: 'on_item_failed',
    type: { kind: 'word', words: ON_ITEM_FAILED },
    default: '`continue` in a stream',
    meaning: 'Whether the loop goes on with the other items when an item of a stream has failed, or fails too.',
    example: 'stop',
  },
  {
    key: 'on_all_blocked',
    type: { kind: 'word', words: ON_ALL_BLOCKED },
    default: '`linear` in a stream',
    meaning:
      'What happens when every remaining item depends on one that will not be done: they run one by one, are left out, or the loop fails.',
    example: 'skip',
  },
  ...APPROVAL_ROWS,
] as const satisfies readonly KeyRow[];

export const FOR_EACH_KIND = {
  types: ['for_each'],
  meaning: 'A block of steps runs once for each item of a list.',
  output: 'a list of `{item, index, <step>: its output}`',
  rows: ROWS,
  plainBy: ['for_each'],
  example: `# needs: step draft; agents writer, editor
- id: chapters
  for_each: $draft.json.parts
  item_var: part
  max_concurrent: 4
  steps:
    - { id: write, agent: writer, prompt: "Write the part \${part.name}." }
    - { id: check, agent: editor }`,
} as const satisfies KindRow;

import { RANGES } from './ranges';
import { inMilliseconds, type KeyRow } from './row';

export const TIMEOUT_ROWS = [
  {
    key: 'timeout',
    type: { kind: 'duration' },
    default: 'the agent’s own, or none',
    meaning: 'How long one try may take; for a gate, how long it stays open.',
    example: '30m',
  },
  inMilliseconds('timeout', '90000'),
] as const satisfies readonly KeyRow[];

/** The keys of every step, of any kind and in any place. */
export const EVERY_STEP_ROWS = [
  {
    key: 'id',
    type: { kind: 'id' },
    required: true,
    meaning: 'What other steps, people and the journal call the step; unique in the file, branches and loops included.',
    example: 'structure',
  },
  {
    key: 'type',
    type: { kind: 'text' },
    default: 'inferred from the other keys',
    meaning: 'What kind of step it is.',
    example: 'agent',
  },
  {
    key: 'description',
    type: { kind: 'text' },
    meaning: 'What the step is for, shown with it.',
    example: 'Reads the structure of the market.',
  },
  {
    key: 'depends_on',
    aliases: ['needs'],
    type: { kind: 'list', of: { kind: 'step' }, alone: true },
    default: 'the previous step, if no step of the block has `depends_on`',
    meaning: 'The steps of the same block that must be settled first; makes the block a graph.',
    example: '[draft]',
  },
  {
    key: 'after',
    type: { kind: 'list', of: { kind: 'step' }, alone: true },
    default: 'none',
    meaning:
      'Within a branch: steps of other branches of the same `parallel` that must be settled first. The order of its own branch stays as it is.',
    example: '[left]',
  },
  {
    key: 'when',
    aliases: ['condition'],
    type: { kind: 'expression' },
    default: 'always; in a graph, if no dependency failed or was skipped',
    meaning: 'The step runs only if this is true, and is skipped otherwise.',
    example: 'draft.title != null',
  },
  ...TIMEOUT_ROWS,
  {
    key: 'retry',
    type: { kind: 'mapping', name: 'retry' },
    default: 'one try; four for an agent whose reply is bad or late',
    meaning: 'How often a failed step is tried again, and after what delay.',
    example: '{ max: 3, delay: 2s }',
  },
  {
    key: 'on_error',
    type: { kind: 'actions', key: 'on_error' },
    default: '`stop`',
    meaning: 'What happens when the last try has failed.',
    example: 'continue',
  },
  {
    key: 'queue',
    type: { kind: 'text' },
    default: 'any worker',
    meaning: 'The capability that a worker must have to do the step.',
    example: 'gpu',
  },
  {
    key: 'priority',
    type: { kind: 'integer', ...RANGES.priority },
    default: '`3`',
    meaning: 'The step’s priority among work that waits for a worker: 1 is first, 5 is last.',
    example: '1',
  },
  {
    key: 'summary',
    type: { kind: 'template' },
    meaning: 'One line for the Temporal UI, made of args and of values that control the run.',
    example: `Thesis for \${args.ticker}`,
  },
  {
    key: 'budget',
    type: { kind: 'mapping', name: 'budget' },
    meaning: 'Ceilings for this step.',
    example: '{ tokens: 20000 }',
  },
] as const satisfies readonly KeyRow[];

import { RANGES } from './ranges';
import type { KeyRow } from './row';
import { OUTPUT_ROWS, WORKTREE_ROWS } from './shared-rows';

/** The keys of everything an agent does: a task, or a review. */
export const AGENT_WORK_ROWS = [
  {
    key: 'agent',
    type: { kind: 'agent' },
    default: 'the owner, with `action: self`',
    meaning: 'The agent that does the work.',
    example: 'writer',
  },
  {
    key: 'action',
    type: { kind: 'word', words: ['spawn', 'self'] },
    default: '`spawn`',
    meaning: '`spawn`: the agent starts with a fresh context; `self`: the owner continues in its own context, one per run.',
    example: 'spawn',
  },
  {
    key: 'prompt',
    type: { kind: 'template' },
    default: 'a prompt that names the task, the inputs and the schema',
    meaning: 'What the agent is asked to do.',
    example: `Make the bull case from \${draft}.`,
  },
  {
    key: 'input',
    type: { kind: 'map', names: 'any', of: { kind: 'data' } },
    default: 'the outputs of the steps it depends on',
    meaning: 'The inputs of the agent, under names of your own.',
    example: `{ structure: $draft, ticker: "\${args.ticker}" }`,
  },
  {
    key: 'tools',
    type: { kind: 'list', of: { kind: 'text' }, alone: true, commas: true },
    default: 'all of the agent’s tools',
    meaning: 'Which of its tools the agent may use in this step.',
    example: '[read_file, grep]',
  },
  {
    key: 'cwd',
    type: { kind: 'template' },
    default: 'the file’s `cwd`, else a separate folder for the step',
    meaning: 'The folder in which the agent’s tools and program work.',
    example: './work',
  },
  ...OUTPUT_ROWS,
  {
    key: 'repair',
    type: { kind: 'integer', ...RANGES.repair },
    default: '`1`',
    meaning: 'How often the agent is asked again, with the missing fields named, before a fresh agent starts.',
    example: '2',
  },
  {
    key: 'on_invalid',
    type: { kind: 'actions', key: 'on_invalid' },
    default: 'as `on_error`',
    meaning: 'What happens when the output still breaks its schema.',
    example: 'hold',
  },
  ...WORKTREE_ROWS,
] as const satisfies readonly KeyRow[];

import { EXAMPLE_MODELS } from '../../../plan/agents/example-models';
import { ADAPTER_TIERS } from '../../../plan/brief/brief';
import { type KeyRow, TEXTS } from '../row';

const TIMEOUT_ROW = {
  key: 'timeout_ms',
  type: { kind: 'milliseconds' },
  meaning: 'How long one try of the role may take, in milliseconds.',
  example: '600000',
} as const satisfies KeyRow;

/** What runs a role. */
export const BRIEF_ROLE_ROWS = [
  {
    key: 'adapter',
    type: { kind: 'text' },
    default: 'the run’s adapter',
    meaning: 'What runs the role: `anthropic`, `openai`, a name from `adapters` of `thermidor.yaml`, or `cli-bridge` for a program.',
    example: 'anthropic',
  },
  { key: 'model', type: { kind: 'text' }, default: 'the adapter’s default', meaning: 'The model.', example: EXAMPLE_MODELS.usual },
  {
    key: 'binary',
    type: { kind: 'text' },
    default: 'that of `cli`',
    meaning: 'With `adapter: cli-bridge`, the program. The brief must authorise `shell_exec`.',
    example: 'claude',
  },
  { ...TIMEOUT_ROW, default: 'that of `cli`' },
  {
    key: 'tier',
    type: { kind: 'word', words: ADAPTER_TIERS },
    meaning: 'What the confirmation says of the role’s cost.',
    example: 'free',
  },
] as const satisfies readonly KeyRow[];

/** What programs have in common. */
export const BRIEF_CLI_ROWS = [
  { key: 'binary', type: { kind: 'text' }, meaning: 'The program of roles that name none.', example: 'claude' },
  TIMEOUT_ROW,
  { key: 'tier', type: { kind: 'word', words: ADAPTER_TIERS }, meaning: 'What the confirmation says of its cost.', example: 'free' },
] as const satisfies readonly KeyRow[];

/** The keys of a role's file. */
export const ROLE_ROWS = [
  {
    key: 'id',
    type: { kind: 'text' },
    default: 'the name of its file',
    meaning: 'The role’s id, if you want to repeat it here.',
    example: 'auditor',
  },
  {
    key: 'description',
    type: { kind: 'text' },
    required: 'add `description:`, one line that says what the role is for',
    meaning: 'One line that says what the role is for. The planner reads it to give it sub-tasks.',
    example: 'Checks licences of what the work brings in.',
  },
  {
    key: 'prompt_overlay',
    type: { kind: 'text' },
    required: 'add `prompt_overlay:`, the instructions of the role',
    meaning: 'The instructions of the role, which come after the brief.',
    example: 'You check licences. Name each one that you find.',
  },
  {
    key: 'tool_categories',
    type: TEXTS,
    default: 'none',
    meaning: 'What the role may do at most, in the words of `authorized_costs`.',
    example: '[http_fetch]',
  },
  {
    key: 'allow_read_file',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning: 'Whether the role may read files, whatever `tool_categories` says.',
    example: 'true',
  },
] as const satisfies readonly KeyRow[];

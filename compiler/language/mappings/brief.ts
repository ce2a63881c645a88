import { EXAMPLE_MODELS } from '../../../plan/agents/example-models';
import { ADAPTER_TIERS, BRIEF_MODES, DEFAULT_BRIEF_BUDGETS } from '../../../plan/brief/brief';
import { COST_CATEGORIES } from '../../../plan/brief/category';
import type { KeyRow } from '../row';

/** Limits of a brief's budgets. Both ends are included. */
export const BRIEF_RANGES = {
  tokens: { min: 1, max: 1_000_000_000 },
  minutes: { min: 1, max: 30 * 24 * 60 },
  toolCalls: { min: 1, max: 10_000 },
  retries: { min: 1, max: 100 },
} as const;

const MINUTE_MS = 60_000;

/** The front matter of a brief. */
export const BRIEF_HEAD_ROWS = [
  {
    key: 'project',
    type: { kind: 'text' },
    own: true,
    required: 'add `project:`, such as `project: my-site`',
    meaning: 'What the work belongs to: lower-case letters, digits and hyphens. Grants that last belong to it.',
    example: 'my-site',
  },
  {
    key: 'brief_id',
    type: { kind: 'text' },
    own: true,
    default: 'made when the brief is started',
    meaning: 'The id of the brief: a date and letters or digits. With the project it names the run.',
    example: '2031-05-17-A1',
  },
  {
    key: 'deadline',
    type: { kind: 'text' },
    own: true,
    default: 'none',
    meaning: 'The day by which the work should be done. The agents see it; nothing ends by it.',
    example: '2031-06-01',
  },
  {
    key: 'scope_locked',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning: 'Whether agents refuse what the brief does not ask for.',
    example: 'true',
  },
  {
    key: 'mode',
    type: { kind: 'word', words: BRIEF_MODES },
    default: '`gated`',
    meaning: 'Whether a person confirms the work before it begins and before each sub-task (`gated`), or the run records it (`auto`).',
    example: 'auto',
  },
  {
    key: 'authorized_costs',
    type: { kind: 'list', of: { kind: 'text' }, alone: true },
    default: 'only `filesystem_read`, which always is',
    meaning: `What the agents may do without a question: ${COST_CATEGORIES.map((name) => `\`${name}\``).join(', ')}, \`mcp_tool:SERVER\`, \`mcp_tool:SERVER:TOOL\`, \`mcp_tool:*\`, or \`*\` for everything.`,
    example: '[filesystem_write, shell_exec]',
  },
  {
    key: 'workdir',
    type: { kind: 'text' },
    default: 'a separate folder for each step',
    meaning: 'The folder in which the agents work.',
    example: './site',
  },
  {
    key: 'roles',
    type: {
      kind: 'either',
      of: [
        { kind: 'list', of: { kind: 'text' }, alone: true, commas: true },
        { kind: 'map', names: 'any', of: { kind: 'either', of: [{ kind: 'mapping', name: 'brief-role' }, { kind: 'nothing' }] } },
      ],
    },
    own: true,
    default: 'one agent, without a coordinator',
    meaning: 'The roles of the team: a list, or a mapping of roles to what runs them.',
    example: '[planner, executor, reviewer]',
  },
  {
    key: 'budgets',
    type: { kind: 'mapping', name: 'brief-budgets' },
    own: true,
    meaning: 'What the work may use. At a ceiling the run waits for a person, who raises it.',
    example: '{ max_tokens: 80000 }',
  },
  {
    key: 'role_adapters',
    type: { kind: 'map', names: 'any', of: { kind: 'mapping', name: 'brief-role' } },
    own: true,
    default: 'what `roles` says',
    meaning: 'What runs the roles of a list. It overrides what `roles` says.',
    example: '{ planner: { adapter: anthropic } }',
  },
  {
    key: 'mcp_servers',
    type: { kind: 'list', of: { kind: 'text' }, alone: true },
    own: true,
    default: 'those of `thermidor.yaml`',
    meaning: 'Servers of tools, each as `name=command`. They take precedence over servers of the same name in `thermidor.yaml`.',
    example: '["files=npx -y @modelcontextprotocol/server-filesystem ./"]',
  },
  {
    key: 'cli',
    type: { kind: 'mapping', name: 'brief-cli' },
    own: true,
    meaning: 'How roles with `adapter: cli-bridge` run their program, if they do not say.',
    example: '{ binary: claude }',
  },
  {
    key: 'tier',
    type: { kind: 'word', words: ADAPTER_TIERS },
    meaning: 'What the confirmation says of the cost of the run’s adapter. It changes nothing else.',
    example: 'free',
  },
] as const satisfies readonly KeyRow[];

const SECTION = { kind: 'list', of: { kind: 'text' }, alone: true } as const;

/** What a brief's sections are as keys, for a brief within a pipeline. */
export const BRIEF_SECTION_ROWS = [
  {
    key: 'objective',
    type: SECTION,
    required: 'add `objective:`, what is to be achieved',
    meaning: 'What is to be achieved.',
    example: 'A site of two pages.',
  },
  {
    key: 'deliverables',
    type: SECTION,
    required: 'add `deliverables:`, what is to be there in the end',
    meaning: 'What is to be there in the end.',
    example: '[index.html, about.html]',
  },
  { key: 'constraints', type: SECTION, meaning: 'What the work must keep to.', example: '[No scripts.]' },
  { key: 'tools_required', type: SECTION, meaning: 'What the agents need.', example: 'Writing files.' },
  { key: 'notes', type: SECTION, meaning: 'What is not known, or not decided.', example: 'The colours are open.' },
  { key: 'context', type: SECTION, meaning: 'What the agents should know.', example: 'The old site is in old/.' },
  { key: 'acceptance', type: SECTION, meaning: 'By what the whole is judged.', example: 'Both pages are valid HTML.' },
  {
    key: 'sections',
    type: { kind: 'map', names: 'any', of: { kind: 'text' } },
    takes: 'a mapping of headings to texts',
    meaning: 'Other sections, by their headings.',
    example: '{ Background: We begin anew. }',
  },
] as const satisfies readonly KeyRow[];

export const BRIEF_ROWS = [...BRIEF_HEAD_ROWS, ...BRIEF_SECTION_ROWS] as const;

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
  {
    key: 'timeout_ms',
    type: { kind: 'milliseconds' },
    default: 'that of `cli`',
    meaning: 'How long one try of the role may take, in milliseconds.',
    example: '600000',
  },
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
  {
    key: 'timeout_ms',
    type: { kind: 'milliseconds' },
    meaning: 'How long one try of such a role may take, in milliseconds.',
    example: '600000',
  },
  { key: 'tier', type: { kind: 'word', words: ADAPTER_TIERS }, meaning: 'What the confirmation says of its cost.', example: 'free' },
] as const satisfies readonly KeyRow[];

export const BRIEF_BUDGET_ROWS = [
  {
    key: 'max_tokens',
    type: { kind: 'integer', ...BRIEF_RANGES.tokens },
    default: `\`${DEFAULT_BRIEF_BUDGETS.tokens}\``,
    meaning: 'Tokens of the whole run.',
    example: '80000',
  },
  {
    key: 'max_wall_clock_minutes',
    type: { kind: 'integer', ...BRIEF_RANGES.minutes },
    default: `\`${DEFAULT_BRIEF_BUDGETS.wallClockMs / MINUTE_MS}\``,
    meaning: 'Minutes of the whole run.',
    example: '25',
  },
  {
    key: 'max_tool_calls_per_subtask',
    type: { kind: 'integer', ...BRIEF_RANGES.toolCalls },
    default: `\`${DEFAULT_BRIEF_BUDGETS.toolCallsPerSubtask}\``,
    meaning: 'Tool calls of a sub-task, over all of its attempts.',
    example: '12',
  },
  {
    key: 'max_retries_per_subtask',
    type: { kind: 'integer', ...BRIEF_RANGES.retries },
    default: `\`${DEFAULT_BRIEF_BUDGETS.retriesPerSubtask}\``,
    meaning: 'How often a sub-task is tried again after a review.',
    example: '2',
  },
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
    type: { kind: 'list', of: { kind: 'text' }, alone: true },
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

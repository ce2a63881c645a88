import { ADAPTER_TIERS, BRIEF_MODES } from '../../../plan/brief/brief';
import { COST_CATEGORIES } from '../../../plan/brief/category';
import { type KeyRow, TEXTS, type ValueType } from '../row';

export const BRIEF_ROLES_ROW = {
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
} as const satisfies KeyRow;

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
    type: TEXTS,
    default: 'only `filesystem_read`, which always is',
    meaning: `What the agents may do without a question: ${COST_CATEGORIES.map((name) => `\`${name}\``).join(', ')}, \`mcp_tool:SERVER\`, \`mcp_tool:SERVER:TOOL\`, \`mcp_tool:*\`, or \`*\` for everything.`,
    example: '[filesystem_write, shell_exec]',
  },
  {
    key: 'workdir',
    type: { kind: 'text' },
    default: 'a separate folder for each step',
    meaning: 'The folder in which the agents work, relative to the folder of the worker.',
    example: './site',
  },
  BRIEF_ROLES_ROW,
  {
    key: 'budgets',
    type: { kind: 'mapping', name: 'brief-budgets' },
    own: true,
    meaning: 'What the work may use. At a ceiling the run waits for a person, who raises it.',
    example: '{ max_tokens: 80000 }',
  },
  {
    key: 'ask_timeout',
    type: { kind: 'duration' },
    default: 'none: it waits',
    meaning: 'How long an agent waits for the answer to a call that the brief does not authorise. Without one the call is denied.',
    example: '30m',
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
    type: TEXTS,
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

/** Texts with templates; a single one may be written without brackets. */
const TEMPLATES = { kind: 'list', of: { kind: 'template' }, alone: true } as const satisfies ValueType;

/** What a brief's sections are as keys, for a brief within a pipeline. */
export const BRIEF_SECTION_ROWS = [
  {
    key: 'objective',
    type: TEMPLATES,
    own: true,
    required: 'add `objective:`, what is to be achieved',
    meaning: 'What is to be achieved.',
    example: 'A site of two pages.',
  },
  {
    key: 'deliverables',
    type: TEMPLATES,
    own: true,
    required: 'add `deliverables:`, what is to be there in the end',
    meaning: 'What must exist at the end.',
    example: '[index.html, about.html]',
  },
  { key: 'constraints', type: TEMPLATES, own: true, meaning: 'What the work must keep to.', example: '[No scripts.]' },
  { key: 'tools_required', type: TEMPLATES, own: true, meaning: 'What the agents need.', example: 'Writing files.' },
  { key: 'notes', type: TEMPLATES, own: true, meaning: 'What is not known, or not decided.', example: 'The colours are open.' },
  { key: 'context', type: TEMPLATES, own: true, meaning: 'What the agents should know.', example: 'The old site is in old/.' },
  { key: 'acceptance', type: TEMPLATES, own: true, meaning: 'How the whole is judged.', example: 'Both pages are valid HTML.' },
  {
    key: 'sections',
    type: { kind: 'map', names: 'any', of: { kind: 'template' } },
    own: true,
    meaning: 'Other sections, by their headings.',
    example: '{ Background: We begin anew. }',
  },
] as const satisfies readonly KeyRow[];

export const BRIEF_ROWS = [...BRIEF_HEAD_ROWS, ...BRIEF_SECTION_ROWS] as const;

import { CLI_PRESETS } from '../../../plan/agents/adapter';
import { EXAMPLE_MODELS } from '../../../plan/agents/example-models';
import { DEFAULT_TURNS, ENGINEER_TURNS } from '../../../plan/plan';
import { RANGES } from '../ranges';
import type { KeyRow } from '../row';

/** The keys of an agent, under `agents:` or in a file of its own. */
export const AGENT_DEFINITION_ROWS = [
  {
    key: 'id',
    aliases: ['name'],
    type: { kind: 'agent' },
    default: 'the name of its file or key',
    meaning: 'The agent’s id, if you want to repeat it here.',
    example: 'it',
  },
  { key: 'title', type: { kind: 'text' }, meaning: 'What people call the agent.', example: 'Editor' },
  {
    key: 'description',
    type: { kind: 'text' },
    meaning: 'One line that says what the agent is for. Agents that may give it work read this line.',
    example: 'Judges drafts.',
  },
  {
    key: 'role',
    aliases: ['instructions'],
    type: { kind: 'text' },
    own: true,
    required: true,
    meaning: 'The agent’s standing instructions: who it is and how it works.',
    example: 'You judge drafts. Answer with one JSON object.',
  },
  {
    key: 'model',
    type: { kind: 'text' },
    default: 'the adapter’s default',
    meaning: 'The model that the agent uses, or a name for one from `models` in `thermidor.yaml`.',
    example: EXAMPLE_MODELS.usual,
  },
  {
    key: 'adapter',
    type: { kind: 'text' },
    default: 'the worker’s default',
    meaning: 'What runs the agent: a service, a program, or `cli` with the program’s name under `binary`.',
    example: 'anthropic',
  },
  {
    key: 'binary',
    type: { kind: 'text' },
    meaning: `With \`adapter: cli\`, the program, such as ${CLI_PRESETS.map((name) => `\`${name}\``).join(', ')}.`,
    example: 'claude',
  },
  {
    key: 'reports_to',
    type: { kind: 'agent' },
    default: '`human`',
    meaning: 'Who is above this agent in the escalation chain.',
    example: 'human',
  },
  {
    key: 'tools',
    type: { kind: 'list', of: { kind: 'text' }, alone: true, commas: true },
    default: 'the tools that reach nothing outside the run',
    meaning:
      'The tools that the agent may use, by name; `mcp__server` means all tools of an MCP server. The names may also be written as one text, with commas between them.',
    example: '[read_file, grep]',
  },
  {
    key: 'categories',
    type: { kind: 'map', names: 'category', of: { kind: 'list', of: { kind: 'text' }, alone: true, filled: true } },
    own: true,
    default: 'none',
    meaning: 'Tools that need a person’s approval for each call, by category.',
    example: '{ move_money: [transfer] }',
  },
  {
    key: 'timeout',
    type: { kind: 'duration' },
    default: 'none',
    meaning: 'How long one try may take, if the step does not say.',
    example: '15m',
  },
  {
    key: 'schema',
    type: { kind: 'schema' },
    meaning:
      'The schema that the output of the agent’s steps must satisfy if the step names none: an output’s name, a path, or the schema itself.',
    example: '{ type: object }',
  },
  {
    key: 'limits',
    type: { kind: 'mapping', name: 'agent-limits' },
    default: `${DEFAULT_TURNS} turns`,
    meaning: 'How much one try may use.',
    example: '{ turns: 20 }',
  },
  {
    key: 'pipelines',
    type: { kind: 'list', of: { kind: 'text' }, alone: true, commas: true },
    default: 'none',
    meaning: 'Pipelines that the agent may start with the tool `pipelines_start`: names, or paths relative to the folder of the pipeline.',
    example: '[]',
  },
  {
    key: 'consultants',
    type: { kind: 'map', names: 'any', of: { kind: 'agent' } },
    takes: 'a mapping of topics to agents such as {security: sec_agent}',
    default: 'none',
    meaning: 'Specialists by topic. The agent may ask for their advice with the tool `consult` while it works.',
    example: '{ style: editor }',
  },
  {
    key: 'context',
    type: { kind: 'map', names: 'arg', of: { kind: 'data' } },
    own: true,
    default: 'none',
    meaning:
      'Values that are given, with each task, to all agents of a pipeline that this agent owns. `context` of `thermidor.yaml` overrides it, and an arg of the same name overrides both.',
    example: '{ market: BTC/USDT }',
  },
  {
    key: 'memory',
    type: { kind: 'either', of: [{ kind: 'path' }, { kind: 'mapping', name: 'memory' }] },
    takes: 'a path, or a mapping such as {file: team.md, max_bytes: 16384}',
    default: 'the `memory` of the pipeline',
    meaning: 'What post-mortems have learned, given to the agent with each task.',
    example: '{ file: team.md, max_bytes: 8192 }',
  },
  {
    key: 'skills',
    type: { kind: 'list', of: { kind: 'text' }, alone: true, commas: true },
    default: 'none',
    meaning: 'Instructions that the agent loads when it needs them, by the names of their folders in `skills/` next to the pipeline.',
    example: '[]',
  },
] as const satisfies readonly KeyRow[];

/** Limits of one try. */
export const AGENT_LIMITS_ROWS = [
  {
    key: 'turns',
    type: { kind: 'integer', ...RANGES.turns },
    default: `\`${DEFAULT_TURNS}\``,
    meaning: `How many replies the model may give. An engineer of a \`caid\` step has ${ENGINEER_TURNS} if its agent does not say.`,
    example: '20',
  },
  { key: 'tool_calls', type: { kind: 'integer', ...RANGES.toolCalls }, default: 'none', meaning: 'Tool calls.', example: '40' },
  {
    key: 'reply_tokens',
    type: { kind: 'integer', ...RANGES.replyTokens },
    default: 'the adapter’s default',
    meaning: 'The most tokens of one reply, thinking included.',
    example: '16000',
  },
  {
    key: 'thinking_tokens',
    type: { kind: 'integer', ...RANGES.replyTokens },
    default: 'the adapter’s default',
    meaning: 'The most thinking tokens of one reply.',
    example: '8000',
  },
] as const satisfies readonly KeyRow[];

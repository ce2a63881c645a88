import type { StepKind } from '../../plan/step';

/** The keys and words of the language. What a list here does not hold is unknown, and reported with a suggestion. */
export const FILE_KEYS = [
  'name',
  'description',
  'owner',
  'trigger',
  'args',
  'agents',
  'schemas',
  'limits',
  'escalation',
  'channels',
  'steps',
  'output',
] as const;

/** In the language, but beyond this version: answered with `language.unsupported`. */
export const FILE_KEYS_LATER = ['env', 'cwd', 'budget', 'defaults', 'finally', 'post_mortem', 'requires_approval', 'cost_limit'];

const EVERY_STEP = ['id', 'type', 'description', 'depends_on', 'needs', 'when', 'condition', 'timeout', 'timeout_ms', 'retry', 'on_error'];
const AGENT = ['agent', 'action', 'prompt', 'input', 'output', 'schema', 'repair', 'on_invalid'];

export const STEP_KEYS: Readonly<Record<StepKind, readonly string[]>> = {
  agent: [...EVERY_STEP, ...AGENT],
  review: [...EVERY_STEP, ...AGENT, 'of', 'on_revise', 'on_block'],
  command: [...EVERY_STEP, 'run', 'command', 'argv', 'env', 'cwd', 'stdin', 'output', 'schema'],
  approval: [...EVERY_STEP, 'channel', 'prompt', 'show', 'approvers', 'on_timeout', 'on_reject'],
  notify: [...EVERY_STEP, 'notify'],
  wait: [...EVERY_STEP, 'wait'],
};
export const ALL_STEP_KEYS: readonly string[] = [...new Set(Object.values(STEP_KEYS).flat())];

/** Values of `type`, with the kind each one means. */
export const STEP_TYPES: ReadonlyMap<string, StepKind> = new Map([
  ['agent', 'agent'],
  ['run', 'command'],
  ['command', 'command'],
  ['review', 'review'],
  ['approval', 'approval'],
  ['hitl', 'approval'],
  ['notify', 'notify'],
  ['wait', 'wait'],
]);

export const STEP_TYPES_LATER = [
  'input',
  'parallel',
  'for_each',
  'pipeline',
  'workflow',
  'consensus',
  'consult',
  'swarm',
  'tracks',
  'increments',
  'escalate',
  'coordinate',
  'brief',
  'board',
  'caid',
  'merge',
];

/** Step keys that stand for a kind of step of a later version. */
export const KIND_KEYS_LATER = [
  'parallel',
  'branches',
  'for_each',
  'pipeline',
  'workflow',
  'steps',
  ...STEP_TYPES_LATER.slice(5),
  'proposal',
  'engineers',
];

/** Keys of a later version on kinds of step that this one has. */
export const STEP_KEYS_LATER = [
  'budget',
  'priority',
  'queue',
  'worktree',
  'summary',
  'tools',
  'critic',
  'stall_rounds',
  'quorum',
  'four_eyes',
  'remind',
  'choices',
  'approval',
];

/** The keys that make a kind plain where there is no `type`, the most telling first. */
export const TELLING_KEYS: readonly (readonly [string, StepKind])[] = [
  ['run', 'command'],
  ['command', 'command'],
  ['argv', 'command'],
  ['notify', 'notify'],
  ['wait', 'wait'],
  ['agent', 'agent'],
  ['action', 'agent'],
  ['approvers', 'approval'],
  ['on_reject', 'approval'],
  ['show', 'approval'],
];

/** The output that makes an agent's step a review without `type`. */
export const REVIEW_OUTPUT = 'Review_Report.json';

export const AGENT_KEYS = ['id', 'title', 'role', 'model', 'adapter', 'reports_to', 'timeout'];
export const AGENT_KEYS_LATER = ['tools', 'skills', 'binary', 'mcp', 'max_turns', 'budget', 'worktree', 'temperature'];

import { kindRow, type WrittenKind } from '../../compiler/language/kinds';
import { type MappingName, mappingRows } from '../../compiler/language/mappings';
import type { KeyRow } from '../../compiler/language/row';
import type { Json, JsonObject } from '../../plan/text/json';
import { DRAFT, exampleValue, FILE } from './world';

/** Puts a value for a key of the language into the smallest file that may have this key. */
export const COMMAND: JsonObject = { id: 'it', run: 'true' };
const BRANCHES = [
  { id: 'left', agent: 'writer', output: 'Note.json' },
  { id: 'right', agent: 'writer', output: 'Note.json' },
];

const TRACK_A = { agent: 'writer', phases: [{ id: 'api', prompt: 'Describe it.' }] };
const TRACK_B = { agent: 'editor', phases: [{ id: 'scaffold', prompt: 'Set it up.' }] };
export const TRACKS: JsonObject = {
  type: 'tracks',
  a: TRACK_A,
  b: TRACK_B,
  sync: [{ id: 'contract', after: ['api', 'scaffold'], check: { agent: 'writer' } }],
};

/** The smallest step of each kind. */
const BRIEF: JsonObject = { project: 'my-site', objective: 'A site.', deliverables: 'index.html', constraints: 'None.' };

const LEAST: Readonly<Record<WrittenKind, JsonObject>> = {
  agent: { agent: 'writer' },
  review: { type: 'review', agent: 'editor', on_revise: 'retry(draft, max=3)' },
  command: { run: 'true' },
  approval: { type: 'approval', timeout: '24h' },
  input: { type: 'input', input: { prompt: 'Which market?' } },
  parallel: { type: 'parallel', branches: BRANCHES },
  switch: { switch: [{ id: 'left', when: 'draft.title != null', run: 'true' }] },
  group: {},
  for_each: { for_each: '$draft.json.parts', steps: [{ id: 'look', run: 'true' }] },
  repeat: { repeat: { until: 'round >= 2', max: 2, steps: [{ id: 'look', run: 'true' }] } },
  pipeline: { pipeline: 'child.yaml' },
  merge: { type: 'merge', from: ['draft'], into: 'main' },
  notify: { notify: { channel: '#desk', message: 'Ready.' } },
  wait: { wait: '10m' },
  caid: { type: 'caid', prompt: 'Build it.', into: 'main', manager: 'editor', engineers: 'writer', test: 'npm test' },
  board: { type: 'board', members: [{ name: 'alice', agent: 'writer' }], tasks: [{ subject: 'Do it.' }] },
  tracks: TRACKS,
  escalate: { type: 'escalate', issue: '$draft.error', levels: ['writer', 'editor'] },
  consult: { type: 'consult', topic: 'style', question: 'Which tense?', consultants: { style: 'editor' }, fallback: 'writer' },
  swarm: { type: 'swarm', issue: '$draft.error', agents: { writer: 'implementation', editor: 'environment' }, verify: 'npm test' },
  increments: { type: 'increments', plan: [{ id: 'a' }], executor: 'writer', gates: { no_regression: 'npm test' } },
  coordinate: {
    type: 'coordinate',
    task: 'Do it.',
    select: { task_type: 'fix', complexity: 'medium', risk: 'high', team_size: 3, has_expert: false },
    roles: { coordinator: 'chief', planner: 'writer', executor: 'writer', tester: 'editor' },
    test: 'true',
  },
  consensus: { type: 'consensus', proposal: 'Shall we?', voters: ['writer', 'editor'], revise_by: 'writer' },
  task: { team: 'maintainers', subject: 'Look.' },
  brief: { brief: BRIEF },
};

/** Keys that are allowed only together with another one. */
const COMPANIONS: Readonly<Record<string, JsonObject>> = {
  merge: { key: 'name' },
  'board.merge': { worktree: true },
  key: { merge: 'union' },
  'parallel.on_conflict': { merge: 'union', key: 'name' },
  summarise_by: { merge: 'union', key: 'name' },
  max_items: { emits: 'Note.json' },
  max_waiting: { emits: 'Note.json' },
  quorum: { approvers: ['chairman', 'cfo'] },
  spawns: { lead: { agent: 'chief' } },
  round_var: { until: 'n >= 2', steps: [{ id: 'look', run: 'true' }] },
};

export function fileWith(keys: JsonObject): JsonObject {
  return { ...FILE, steps: [DRAFT], ...keys };
}

/** A file whose steps follow `draft`. */
export function withSteps(steps: Json[], more: JsonObject = {}): JsonObject {
  return fileWith({ ...more, steps: [DRAFT, ...steps] });
}

export function stepWith(kind: WrittenKind, row: KeyRow, value: Json, spelling = row.key): JsonObject {
  const asked = row.key === 'on_reject' && kind !== 'approval' ? { approval: true } : {};
  const { [row.key]: _, ...least } = LEAST[kind];
  const step: JsonObject = {
    id: 'it',
    ...least,
    ...(COMPANIONS[`${kind}.${row.key}`] ?? COMPANIONS[row.key]),
    ...asked,
    [spelling]: value,
  };
  if (row.insteadOf !== undefined) delete step[row.insteadOf];
  if (row.key === 'emits' || 'emits' in step)
    return withSteps([step, { id: 'each', for_each: { stream: 'it' }, steps: [{ id: 'look', run: 'true' }] }]);
  if (row.key === 'after') return withSteps([{ id: 'around', branches: [step, { id: 'left', run: 'true' }] }]);
  const streams = ['item_timeout', 'fixes', 'on_item_failed', 'on_all_blocked'];
  if (kind === 'for_each' && streams.includes(row.key)) return withSteps([MAKE, { ...step, for_each: { stream: 'make' } }]);
  if (kind === 'merge') return withSteps([{ id: 'spare', run: 'true', worktree: true }, step]);
  return withSteps([kind === 'group' ? { id: 'around', branches: [step, { id: 'other', run: 'true' }] } : step]);
}

/** The same for keys of mappings. */
const WITHIN: Partial<Record<MappingName, Readonly<Record<string, JsonObject>>>> = {
  'web-hook': { within: { signature: 'standard' } },
  channel: { webhook_secret: { webhook: 'https://example.org/hook' } },
  category: { on_timeout: { timeout: '24h' } },
  'escalate-level': { on_timeout: { timeout: '24h' } },
  agent: { binary: { adapter: 'cli' } },
  brief: { role_adapters: { roles: ['planner', 'executor'] }, cli: { authorized_costs: ['shell_exec'] } },
  'brief-role': { binary: { adapter: 'cli-bridge' } },
  stream: { depends: { key: 'id' } },
};

const CODER: JsonObject = { name: 'alice', role: 'coder', agent: 'writer' };

const MAKE: JsonObject = { id: 'make', run: 'true', emits: 'Note.json' };

const withBrief = (keys: JsonObject): JsonObject => withSteps([{ id: 'it', brief: { ...BRIEF, ...keys } }]);

/** The place of each mapping in a file. */
const PLACES: Readonly<Record<MappingName, (value: JsonObject) => JsonObject>> = {
  trigger: (value) => fileWith({ trigger: value }),
  'web-hook': (value) => fileWith({ trigger: value }),
  brief: (value) => withSteps([{ id: 'it', brief: { ...BRIEF, ...value } }]),
  'brief-role': (value) => withBrief({ roles: { planner: {}, executor: value }, authorized_costs: ['shell_exec'] }),
  'brief-cli': (value) => withBrief({ cli: value, authorized_costs: ['shell_exec'] }),
  'brief-budgets': (value) => withBrief({ budgets: value }),
  arg: (value) => fileWith({ args: { it: value } }),
  limits: (value) => fileWith({ limits: value }),
  budget: (value) => fileWith({ budget: value }),
  channel: (value) => fileWith({ channels: { '#it': value } }),
  level: (value) => fileWith({ escalation: [value] }),
  category: (value) => fileWith({ requires_approval: { deploy: value } }),
  agent: (value) => withSteps([{ id: 'a', agent: 'it' }], { agents: { it: value } }),
  'agent-limits': (value) => withSteps([{ id: 'a', agent: 'it' }], { agents: { it: { role: 'Works.', limits: value } } }),
  defaults: (value) => withSteps([COMMAND, { id: 'gate', type: 'approval' }], { defaults: value }),
  retry: (value) => withSteps([{ ...COMMAND, retry: value }]),
  approval: (value) => withSteps([{ ...COMMAND, approval: value }]),
  input: (value) => withSteps([{ id: 'it', input: value }]),
  quorum: (value) => withSteps([{ id: 'it', branches: BRANCHES, wait: value }]),
  merge: (value) => withSteps([{ id: 'it', branches: BRANCHES, merge: value }]),
  notify: (value) => withSteps([{ id: 'it', notify: value }]),
  until: (value) => withSteps([{ id: 'it', wait: value }]),
  signal: (value) => withSteps([{ id: 'it', wait: value }]),
  stream: (value) => withSteps([MAKE, { id: 'it', ...LEAST.for_each, for_each: value }]),
  tests: (value) => withSteps([{ ...COMMAND, tests: value }]),
  worktree: (value) => withSteps([{ ...COMMAND, worktree: value }]),
  engineers: (value) => withSteps([{ id: 'it', ...LEAST.caid, engineers: value }]),
  'team-tests': (value) => withSteps([{ id: 'it', ...LEAST.caid, test: value }]),
  'team-limits': (value) => withSteps([{ id: 'it', ...LEAST.caid, limits: value }]),
  'board-lead': (value) => withSteps([{ id: 'it', ...LEAST.board, lead: value }]),
  'board-member': (value) =>
    withSteps([{ id: 'it', ...LEAST.board, members: [value, { name: 'critic', role: 'coder', agent: 'editor' }] }]),
  'board-merge': (value) => withSteps([{ id: 'it', ...LEAST.board, worktree: true, merge: value }]),
  'board-task': (value) =>
    withSteps([{ id: 'it', ...LEAST.board, members: [CODER], tasks: [value, { name: 'lexer', subject: 'Write the lexer' }] }]),
  proposal: (value) => withSteps([{ id: 'it', ...LEAST.consensus, proposal: value }]),
  'proposal-option': (value) =>
    withSteps([{ id: 'it', ...LEAST.consensus, proposal: { title: 'Which?', options: [value, { id: 'other' }] } }]),
  'post-mortem': (value) => fileWith({ post_mortem: value }),
  memory: (value) => fileWith({ memory: value }),
  track: (value) => withSteps([{ id: 'it', ...TRACKS, b: value }]),
  phase: (value) => withSteps([{ id: 'it', ...TRACKS, a: { agent: 'writer', phases: [...TRACK_A.phases, value] } }]),
  'sync-point': (value) => withSteps([{ id: 'it', ...TRACKS, sync: [value] }]),
  'alignment-check': (value) => withSteps([{ id: 'it', ...TRACKS, sync: [{ id: 'it2', after: ['api', 'scaffold'], check: value }] }]),
  'escalate-level': (value) => withSteps([{ id: 'it', ...LEAST.escalate, levels: ['chief', { ...asked(value), ...value }] }]),
  verify: (value) => withSteps([{ id: 'it', ...LEAST.swarm, verify: value }]),
  'solved-when': (value) => withSteps([{ id: 'it', ...LEAST.escalate, solved_when: value }]),
  'increment-gates': (value) => withSteps([{ id: 'it', ...LEAST.increments, gates: value }]),
  select: (value) => withSteps([{ id: 'it', ...LEAST.coordinate, select: value }]),
  roles: (value) => withSteps([{ id: 'it', ...LEAST.coordinate, roles: value }]),
  'vote-behind': (value) => withSteps([{ id: 'it', branches: BRANCHES, merge: 'union', key: 'name', on_conflict: value }]),
  'vote-keys': (value) =>
    withSteps([
      { id: 'it', branches: BRANCHES, merge: 'union', key: 'name', on_conflict: { consensus: { revise_by: 'writer', ...value } } },
    ]),
  'all-abstain': (value) => withSteps([{ id: 'it', ...LEAST.consensus, all_abstain: value }]),
};

/** A level asks an agent, unless its keys are for a person. */
function asked(value: JsonObject): JsonObject {
  if ('human' in value) return {};
  return 'timeout' in value || 'on_timeout' in value ? { human: '#desk' } : { agent: 'writer' };
}

export function inMapping(name: MappingName, row: KeyRow, value: Json): JsonObject {
  const others = mappingRows(name).filter((other) => other.required && other.key !== row.key);
  const required = Object.fromEntries(others.map((other) => [other.key, exampleValue(other.example)]));
  return PLACES[name]({ ...required, ...WITHIN[name]?.[row.key], [row.key]: value });
}

/** Puts a key into the mapping that has the keys of its kind. */
export function inBody(kind: WrittenKind, row: Pick<KeyRow, 'key'>, value: Json): JsonObject {
  const { body = [], rows } = kindRow(kind);
  const holder = rows.find(({ type }) => type.kind === 'body')?.key ?? kind;
  const others = body.filter((other) => other.required && other.key !== row.key);
  const required = Object.fromEntries(others.map((other) => [other.key, exampleValue(other.example)]));
  const least = kind === 'parallel' ? { branches: BRANCHES } : {};
  return withSteps([{ id: 'it', [holder]: { ...required, ...least, ...COMPANIONS[row.key], [row.key]: value } }]);
}

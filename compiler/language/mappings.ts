import { ENGINEERS_ROWS, TEAM_LIMITS_ROWS, TEAM_TESTS_ROWS } from '../../kinds/caid/keys';
import { ALL_ABSTAIN_ROWS, PROPOSAL_OPTION_ROWS, PROPOSAL_ROWS, VOTE_BEHIND_ROWS, VOTE_KEY_ROWS } from '../../kinds/consensus/keys';
import { ROLE_ROWS, SELECT_ROWS } from '../../kinds/coordinate/keys';
import { ESCALATE_LEVEL_ROWS, SOLVED_WHEN_ROWS } from '../../kinds/escalate/keys';
import { INCREMENT_GATES_ROWS } from '../../kinds/increments/keys';
import { MERGE_ROWS, QUORUM_ROWS } from '../../kinds/parallel/keys';
import { POST_MORTEM_ROWS } from '../../kinds/post-mortem/keys';
import { VERIFY_ROWS } from '../../kinds/swarm/keys';
import { ALIGNMENT_CHECK_ROWS, PHASE_ROWS, SYNC_POINT_ROWS, TRACK_ROWS } from '../../kinds/tracks/keys';
import type { ForeignPlace } from './foreign-words';
import { kindRow, WRITTEN_KINDS } from './kinds';
import { AGENT_DEFINITION_ROWS, AGENT_LIMITS_ROWS } from './mappings/agent';
import { CATEGORY_POLICY_ROWS } from './mappings/category';
import { ARG_ROWS, BUDGET_ROWS, CHANNEL_ROWS, LEVEL_ROWS, LIMITS_ROWS, TRIGGER_ROWS } from './mappings/file';
import { MEMORY_ROWS } from './mappings/memory';
import {
  APPROVAL_OBJECT_ROWS,
  INPUT_OBJECT_ROWS,
  NOTIFY_OBJECT_ROWS,
  RETRY_ROWS,
  SIGNAL_ROWS,
  STREAM_ROWS,
  TESTS_ROWS,
  UNTIL_ROWS,
  WORKTREE_OBJECT_ROWS,
} from './mappings/step';
import type { KeyRow, MappingName } from './row';
import { EVERY_STEP_ROWS } from './step';

/** What `defaults:` may hold: keys that many steps take and that do not depend on one step's place or work. */
const DEFAULT_KEYS = [
  'timeout',
  'timeout_ms',
  'retry',
  'on_error',
  'queue',
  'priority',
  'budget',
  'env',
  'cwd',
  'worktree',
  'repair',
  'on_invalid',
  'channel',
  'approvers',
  'identity',
  'comment',
  'remind',
] as const;

const ROWS_ANYWHERE: readonly KeyRow[] = [...EVERY_STEP_ROWS, ...WRITTEN_KINDS.flatMap((kind) => kindRow(kind).rows)];

/** Mappings within the file and its steps, by the name that rows use. */
export const MAPPINGS = {
  trigger: { title: '`trigger`', rows: TRIGGER_ROWS },
  arg: { title: 'an arg', rows: ARG_ROWS },
  limits: { title: '`limits`', rows: LIMITS_ROWS },
  budget: { title: '`budget`', such: '{tokens: 50000, usd: 2.5}', rows: BUDGET_ROWS },
  channel: { title: 'a channel', rows: CHANNEL_ROWS },
  level: { title: 'a level of `escalation`', rows: LEVEL_ROWS },
  category: { title: 'a category in `requires_approval`', rows: CATEGORY_POLICY_ROWS },
  agent: { title: 'an agent', rows: AGENT_DEFINITION_ROWS },
  'agent-limits': { title: 'an agent’s `limits`', what: 'an agent’s "limits"', such: '{turns: 20}', rows: AGENT_LIMITS_ROWS },
  defaults: { title: '`defaults`', rows: DEFAULT_KEYS.flatMap((key) => ROWS_ANYWHERE.find((row) => row.key === key) ?? []) },
  retry: { title: '`retry`', such: '{max: 3, delay: 2s}', place: 'key of retry', rows: RETRY_ROWS },
  approval: { title: '`approval`', rows: APPROVAL_OBJECT_ROWS },
  input: {
    title: '`input`',
    what: '"input" of a step that asks a person',
    such: '{prompt: "…", responseSchema: {type: string}}',
    rows: INPUT_OBJECT_ROWS,
  },
  quorum: { title: '`wait` of a parallel step', what: '"wait" of a parallel step', rows: QUORUM_ROWS },
  merge: { title: '`merge` of a parallel step', such: '{how: union, key: name}', rows: MERGE_ROWS },
  notify: { title: '`notify`', what: 'a notification', such: '{channel: "#updates", message: "…"}', rows: NOTIFY_OBJECT_ROWS },
  until: { title: '`wait` until a moment', rows: UNTIL_ROWS },
  signal: { title: '`wait` for a signal', rows: SIGNAL_ROWS },
  worktree: { title: '`worktree`', rows: WORKTREE_OBJECT_ROWS },
  engineers: { title: '`engineers` of a caid step', rows: ENGINEERS_ROWS },
  tests: { title: '`tests` of a command', what: '"tests" of a command', such: '{format: junit, file: results.xml}', rows: TESTS_ROWS },
  stream: { title: '`for_each` over a stream', what: 'a `for_each` over a stream', rows: STREAM_ROWS },
  'team-tests': { title: '`test` of a caid step', rows: TEAM_TESTS_ROWS },
  'team-limits': { title: '`limits` of a caid step', what: '"limits" of a caid step', such: '{rounds: 22}', rows: TEAM_LIMITS_ROWS },
  proposal: { title: '`proposal`', rows: PROPOSAL_ROWS },
  'proposal-option': { title: 'an option of `proposal`', what: 'an option', such: '{id: A, description: …}', rows: PROPOSAL_OPTION_ROWS },
  select: { title: '`select` of a coordinate step', rows: SELECT_ROWS },
  roles: { title: '`roles` of a coordinate step', rows: ROLE_ROWS },
  'vote-behind': { title: '`on_conflict` of a parallel step, `on_design_conflict` of a consult step', rows: VOTE_BEHIND_ROWS },
  'vote-keys': { title: '`consensus` of `on_conflict` and `on_design_conflict`', rows: VOTE_KEY_ROWS },
  'all-abstain': { title: '`all_abstain`', such: '{by: coordinator}', rows: ALL_ABSTAIN_ROWS },
  'post-mortem': { title: '`post_mortem`', such: '{when: notable, memory: team.md}', rows: POST_MORTEM_ROWS },
  memory: { title: '`memory`', rows: MEMORY_ROWS },
  track: { title: '`a` and `b` of a tracks step', such: '{agent: designer, phases: […]}', rows: TRACK_ROWS },
  phase: { title: 'a phase of a track', what: 'a phase', such: '{id: api, prompt: …}', rows: PHASE_ROWS },
  'sync-point': { title: 'a point of `sync`', what: 'a sync point', such: '{id: contract, after: [api, scaffold]}', rows: SYNC_POINT_ROWS },
  'alignment-check': { title: '`check` of a sync point', such: '{agent: lead, prompt: …}', rows: ALIGNMENT_CHECK_ROWS },
  'escalate-level': { title: 'a level of an escalate step', what: 'a level of an escalate step', rows: ESCALATE_LEVEL_ROWS },
  verify: { title: '`verify` of a swarm step', such: '{run: npm test}', rows: VERIFY_ROWS },
  'solved-when': { title: '`solved_when`', such: '{run: npm test}', rows: SOLVED_WHEN_ROWS },
  'increment-gates': { title: '`gates`', such: '{no_regression: npm test}', rows: INCREMENT_GATES_ROWS },
} as const satisfies Record<MappingName, MappingRows>;

interface MappingRows {
  /** In headings. */
  title: string;
  /** In messages. @default its key in quotes */
  what?: string;
  /** How one is written. */
  such?: string;
  /** The place for which other systems have keys of their own. */
  place?: ForeignPlace;
  rows: readonly KeyRow[];
}

export function mappingNamed(name: MappingName): MappingRows {
  return MAPPINGS[name];
}

export function mappingRows(name: MappingName): readonly KeyRow[] {
  return mappingNamed(name).rows;
}

/** What a mapping is called in headings. */
export function mappingTitle(name: MappingName): string {
  return mappingNamed(name).title;
}

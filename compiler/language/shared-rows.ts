import { CATEGORIES } from '../../plan/people/category';
import { ANY_CHAT } from '../../plan/people/chats';
import { COMMENT_RULES } from '../../plan/people/decision-policy';
import { MERGE_STRATEGIES } from '../../plan/queue/queue-settings';
import { RANGES } from './ranges';
import type { KeyRow } from './row';

/** Keys that several kinds of step have in common. */
export const OUTPUT_ROWS = [
  {
    key: 'output',
    type: { kind: 'output-name' },
    meaning: 'The name of the artifact that the step produces, checked against the schema of that name.',
    example: 'Note.json',
  },
  {
    key: 'schema',
    type: { kind: 'schema' },
    default: 'the one listed for `output`',
    meaning: 'The JSON Schema that the output must satisfy: a path, or the schema itself.',
    example: '{ type: object }',
  },
] as const satisfies readonly KeyRow[];

/** What lands by a merge queue. */
export const STRATEGY_ROWS = [
  {
    key: 'strategy',
    type: { kind: 'word', words: MERGE_STRATEGIES },
    default: 'the strategy of the branch’s queue',
    meaning: 'How commits are brought in. This must be the queue’s own strategy; with any other strategy the run does not start.',
    example: 'squash',
  },
] as const satisfies readonly KeyRow[];

/** Items that a loop takes up while the step works. */
export const EMITS_ROWS = [
  {
    key: 'emits',
    type: { kind: 'item-name' },
    default: 'nothing',
    meaning:
      'The [items](#streams) that the step emits while it works: the name of an output whose schema they satisfy. A `for_each: {stream: …}` takes them up.',
    example: 'Item.json',
  },
  {
    key: 'max_items',
    type: { kind: 'integer', ...RANGES.maxItems },
    requires: { keys: ['emits'], hint: 'add `emits: Item.json`, the schema of an item' },
    default: '`1000`',
    meaning: 'How many items the step may emit; with one more, the step fails.',
    example: '500',
  },
  {
    key: 'max_waiting',
    type: { kind: 'integer', ...RANGES.maxWaiting },
    requires: { keys: ['emits'], hint: 'add `emits: Item.json`, the schema of an item' },
    default: '`20`',
    meaning: 'How many of the step’s items may wait. When that many wait, the step is held back until half of them have been taken up.',
    example: '5',
  },
] as const satisfies readonly KeyRow[];

export const WORKTREE_ROWS = [
  {
    key: 'worktree',
    type: { kind: 'either', of: [{ kind: 'boolean' }, { kind: 'step' }, { kind: 'mapping', name: 'worktree' }] },
    default: 'none',
    meaning: 'A git worktree of the step’s own (`true` or a mapping), or the one of another step (its id).',
    example: 'true',
  },
] as const satisfies readonly KeyRow[];

/** Which members may claim a task, and in which order. */
export const CLAIM_ROWS = [
  {
    key: 'required_role',
    type: { kind: 'text' },
    default: 'none: every member may claim it',
    meaning: 'The role that a member must have to claim the task.',
    example: 'coder',
  },
  {
    key: 'priority',
    type: { kind: 'integer', min: 0, max: 1000 },
    default: '`0`',
    meaning: 'The smaller number is claimed first; among equals, the smaller number of the task.',
    example: '1',
  },
] as const satisfies readonly KeyRow[];

/** The repository that worktrees are made of. */
export const REPO_ROW = {
  key: 'repo',
  type: { kind: 'repository' },
  default: 'the file’s `cwd`, else the worker’s folder',
  meaning: 'The repository: a path relative to the worker’s folder, or a URL.',
  example: '.',
} as const satisfies KeyRow;

/** Categories of action that nobody and nothing performs without a person’s approval. */
export const CATEGORY_ROWS = [
  {
    key: 'category',
    type: { kind: 'word', words: CATEGORIES },
    default: 'none: no approval needed',
    meaning: 'The step needs a person’s approval each time, for exactly what it is about to do.',
    example: 'deploy',
  },
] as const satisfies readonly KeyRow[];

/** Keys by which a person is asked once the step’s work is done. */
export const APPROVAL_ROWS = [
  {
    key: 'approval',
    type: { kind: 'either', of: [{ kind: 'boolean' }, { kind: 'template' }, { kind: 'mapping', name: 'approval' }] },
    default: 'no approval needed',
    meaning: 'A person approves the finished work before the run continues: `true`, the question, or a mapping.',
    example: 'Publish this?',
  },
  {
    key: 'on_reject',
    type: { kind: 'actions', key: 'on_reject' },
    default: '`stop`: the run ends as rejected',
    meaning: 'What happens when a person says no.',
    example: 'skip',
  },
] as const satisfies readonly KeyRow[];

/** Who may decide at a gate, or at the gates of a channel. */
export const APPROVERS_ROW = {
  key: 'approvers',
  type: { kind: 'list', of: { kind: 'person' }, alone: true, filled: true },
  empty: { why: '"approvers" is empty, so nobody can decide', hint: 'name somebody, or remove the key' },
  default: 'anyone',
} as const;

/** The keys of every gate that a person answers. */
export const GATE_ROWS = [
  {
    key: 'channel',
    type: { kind: 'channel' },
    default: 'the inbox',
    meaning: 'Where the question is sent.',
    example: '"#desk"',
  },
  {
    key: 'prompt',
    type: { kind: 'template' },
    meaning: 'The question.',
    example: `Trade on \${draft.title}?`,
  },
  {
    key: 'show',
    type: { kind: 'list', of: { kind: 'step' }, alone: true },
    default: 'the steps directly before it',
    meaning: 'The steps whose outputs the person sees; the decision records a hash of what was shown.',
    example: '[draft]',
  },
  {
    ...APPROVERS_ROW,
    default: 'the `approvers` of the channel, else anyone',
    meaning: 'Who may decide: people, groups of people, or `anyone`.',
    example: '[chairman, cfo]',
  },
  {
    key: 'identity',
    type: { kind: 'word', words: ['claimed', 'proven'] },
    default: '`claimed`',
    meaning: `\`proven\`: a name alone is not enough; a signature of ${ANY_CHAT}, or the person’s own token, must prove it.`,
    example: 'proven',
  },
  {
    key: 'remind',
    type: { kind: 'duration' },
    default: 'no reminders',
    meaning: 'How often the channel gets a reminder until somebody decides.',
    example: '2h',
  },
] as const satisfies readonly KeyRow[];

/** Keys that say how a yes-or-no gate is decided, for a step and for a category. */
export const POLICY_ROWS = [
  {
    key: 'quorum',
    type: { kind: 'share' },
    default: '`1`',
    meaning: 'How many people must approve. A share counts the `approvers`, groups by their members.',
    example: '2',
  },
  {
    key: 'four_eyes',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning:
      'Neither the owner nor the person who started the run may decide. With `identity: proven`, two people must agree unless the starter is proven.',
    example: 'true',
  },
  {
    key: 'comment',
    type: { kind: 'word', words: COMMENT_RULES },
    default: 'no comment needed',
    meaning: 'When a decision needs a comment: with a rejection, or always.',
    example: 'on_reject',
  },
] as const satisfies readonly KeyRow[];

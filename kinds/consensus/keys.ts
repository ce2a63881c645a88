import { RANGES } from '../../compiler/language/ranges';
import type { KeyRow, KindRow } from '../../compiler/language/row';

/** Agents and people vote on a proposal. */
const ROWS = [
  {
    key: 'proposal',
    type: { kind: 'either', of: [{ kind: 'value' }, { kind: 'mapping', name: 'proposal' }] },
    required: 'add `proposal:`, what is voted on: a text, `$step` or {title, options}',
    takes: 'a text, `$step`, or a mapping such as {title, options}',
    meaning: 'What is voted on: a text, the output of a step, or a mapping with options to choose among.',
    example: '$draft',
  },
  {
    key: 'voters',
    type: { kind: 'list', of: { kind: 'member' }, alone: true, filled: true },
    required: 'add `voters: [architect, person("cfo")]`',
    takes: 'a list such as [architect, person("cfo")]',
    meaning: 'Who votes, each with one vote: agents, and people as `person("cfo")`; in a group, the first to answer votes for it.',
    example: '[writer, editor, person("cfo")]',
  },
  {
    key: 'threshold',
    type: { kind: 'share' },
    default: '`2/3`',
    meaning:
      'How many must approve: a share of those who have voted, abstentions included, or a count, as in a [quorum](#quorum). A blocking rejection outweighs them.',
    example: '2/3',
  },
  {
    key: 'rounds',
    type: { kind: 'integer', ...RANGES.voteRounds },
    default: '`2`',
    meaning: 'How often they vote at most: a proposal that has not passed is revised, and voted on again.',
    example: '2',
  },
  {
    key: 'revise_by',
    type: { kind: 'agent' },
    default: 'the agent of the step whose output is the proposal, else the owner',
    meaning: 'The agent that revises a proposal, given all objections.',
    example: 'writer',
  },
  {
    key: 'all_abstain',
    type: { kind: 'mapping', name: 'all-abstain' },
    default: 'the owner, else a person',
    meaning: 'Who decides if everybody who has voted abstains.',
    example: '{ by: editor }',
  },
  {
    key: 'on_fail',
    type: { kind: 'actions', key: 'on_fail' },
    default: '`escalate(human)`, with what was said in all rounds',
    meaning: 'What happens when the last round has not passed.',
    example: 'escalate(human)',
  },
  {
    key: 'channel',
    type: { kind: 'channel' },
    default: 'the inbox',
    meaning: 'Where people are asked for their votes.',
    example: '"#desk"',
  },
  {
    key: 'identity',
    type: { kind: 'word', words: ['claimed', 'proven'] },
    default: '`claimed`',
    meaning: '`proven`: a name alone is not enough for a person’s vote, as at an approval.',
    example: 'proven',
  },
  {
    key: 'remind',
    type: { kind: 'duration' },
    default: 'no reminders',
    meaning: 'How often people are reminded of a vote that is open.',
    example: '2h',
  },
] as const satisfies readonly KeyRow[];

/** Mappings within its keys. */
export const PROPOSAL_ROWS = [
  {
    key: 'title',
    type: { kind: 'template' },
    required: 'add `title:`, what is decided, in one line',
    meaning: 'What is decided, in one line.',
    example: 'Which database?',
  },
  { key: 'context', type: { kind: 'form' }, meaning: 'What voters have to know.', example: '$draft' },
  {
    key: 'options',
    type: { kind: 'list', of: { kind: 'mapping', name: 'proposal-option' } },
    takes: 'a list of options such as [{id: A, description: …}]',
    default: 'none: voters approve or reject',
    meaning: 'Two or more options to choose among; an approval names one of them.',
    example: '[{ id: A, description: Keep it }, { id: B, description: Replace it }]',
  },
] as const satisfies readonly KeyRow[];

const PROPOSAL_OPTION_ROWS = [
  {
    key: 'id',
    type: { kind: 'choice' },
    required: 'add `id: A`, what voters answer with',
    meaning: 'What voters answer with.',
    example: 'A',
  },
  { key: 'description', type: { kind: 'template' }, meaning: 'What the option is.', example: 'Keep it' },
  {
    key: 'pros',
    type: { kind: 'list', of: { kind: 'template' }, alone: true },
    meaning: 'What speaks for the option.',
    example: '[no work]',
  },
  {
    key: 'cons',
    type: { kind: 'list', of: { kind: 'template' }, alone: true },
    meaning: 'What speaks against the option.',
    example: '[slow]',
  },
] as const satisfies readonly KeyRow[];

const VOTE_BEHIND_ROWS = [
  {
    key: 'consensus',
    type: { kind: 'mapping', name: 'vote-keys' },
    required: true,
    meaning: 'Who votes, and how.',
    example: '{ voters: [writer, editor], revise_by: writer }',
  },
] as const satisfies readonly KeyRow[];

/** The keys of a vote after another step, as a consensus step has them. */
const VOTE_KEY_ROWS: readonly KeyRow[] = [
  ...ROWS.filter(({ key }) => ['voters', 'threshold', 'rounds', 'revise_by', 'on_fail'].includes(key)),
  { key: 'timeout', type: { kind: 'duration' }, default: '`5m`', meaning: 'How long a vote stays open.', example: '10m' },
];

const ALL_ABSTAIN_ROWS = [
  {
    key: 'by',
    type: { kind: 'member' },
    required: 'add `by:`, who decides then',
    meaning: 'An agent, or a person as `person("cfo")`. The record says that it was their decision.',
    example: 'editor',
  },
] as const satisfies readonly KeyRow[];

export const CONSENSUS_KIND = {
  types: ['consensus'],
  meaning: 'Agents and people vote on a proposal. `timeout` is how long a vote stays open, `5m` by default.',
  output:
    '`{passed, outcome, proposal, option, approvals, rejections, abstentions, needed, conditions, votes, refused, missing, blocking, decided_by, earlier}`',
  rows: ROWS,
  mappings: {
    proposal: { title: '`proposal`', rows: PROPOSAL_ROWS },
    'proposal-option': { title: 'an option of `proposal`', what: 'an option', such: '{id: A, description: …}', rows: PROPOSAL_OPTION_ROWS },
    'vote-behind': { title: '`on_conflict` of a parallel step, `on_design_conflict` of a consult step', rows: VOTE_BEHIND_ROWS },
    'vote-keys': { title: '`consensus` of `on_conflict` and `on_design_conflict`', rows: VOTE_KEY_ROWS },
    'all-abstain': { title: '`all_abstain`', such: '{by: coordinator}', rows: ALL_ABSTAIN_ROWS },
  },
  plainBy: ['proposal', 'voters'],
  example: `# needs: agents writer, editor, owner_agent
- id: decide
  type: consensus
  proposal:
    title: How are passwords stored?
    options:
      - { id: bcrypt, description: Known everywhere, pros: [mature], cons: [slow to change] }
      - { id: argon2id, description: What is advised today }
  voters: [writer, editor, owner_agent]
  threshold: 2/3
  revise_by: writer
  timeout: 5m
  on_fail: escalate(human)`,
} as const satisfies KindRow;

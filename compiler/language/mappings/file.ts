import { ALLOW_OR_HOLD } from '../../../plan/budgets/budget';
import { CHAT_NAMES, CHATS } from '../../../plan/people/chats';
import { ARG_TYPES, OVERLAPS } from '../../../plan/plan';
import { DECIDERS } from '../../../plan/steps/action';
import { MOST_USD, RANGES } from '../ranges';
import type { KeyRow } from '../row';
import { APPROVERS_ROW } from '../shared-rows';

/** Mappings that are keys of the file itself. */
export const TRIGGER_ROWS = [
  {
    key: 'name',
    type: { kind: 'text' },
    meaning: 'Tells triggers of one file apart: its schedule is called `PIPELINE.NAME`. One of them may do without.',
    example: 'weekly',
  },
  {
    key: 'cron',
    type: { kind: 'list', of: { kind: 'cron' }, alone: true, filled: true },
    required: 'add `cron: "30 7 * * 1-5"`',
    takes: 'a cron expression or a list of them',
    empty: { why: '"cron" is an empty list', hint: 'write a cron expression' },
    meaning: 'Five fields: minute, hour, day of month, month, day of week; or one of `@hourly`, `@daily` and the like.',
    example: '30 7 * * 1-5',
  },
  { key: 'timezone', type: { kind: 'text' }, default: '`UTC`', meaning: 'The time zone of the fields.', example: 'Europe/London' },
  {
    key: 'overlap',
    type: { kind: 'word', words: OVERLAPS },
    default: '`skip`',
    meaning: 'What happens when the previous run has not ended.',
    example: 'buffer_one',
  },
  { key: 'catchup', type: { kind: 'duration' }, default: '`10m`', meaning: 'How late a missed run may still start.', example: '1h' },
  {
    key: 'jitter',
    type: { kind: 'duration' },
    default: 'none',
    meaning: 'Each start is delayed by a random time up to this.',
    example: '30s',
  },
  {
    key: 'paused',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning: 'The schedule starts nothing until it is unpaused.',
    example: 'true',
  },
  {
    key: 'args',
    type: { kind: 'map', names: 'arg', of: { kind: 'json' } },
    own: true,
    meaning: 'The args of every run that the trigger starts.',
    example: '{}',
  },
] as const satisfies readonly KeyRow[];

export const ARG_ROWS = [
  {
    key: 'type',
    type: { kind: 'word', words: ARG_TYPES },
    place: 'type of an arg',
    default: 'any',
    meaning: 'The type of the value.',
    example: 'string',
  },
  { key: 'required', type: { kind: 'boolean' }, default: '`false`', meaning: 'No run starts without a value.', example: 'true' },
  { key: 'default', type: { kind: 'json' }, meaning: 'The value if none is given.', example: 'BTC' },
  {
    key: 'enum',
    type: { kind: 'list', of: { kind: 'json' }, filled: true },
    empty: { why: '"enum" is empty: no value would fit', hint: 'list the values' },
    meaning: 'The values that are allowed.',
    example: '[BTC, ETH]',
  },
  { key: 'description', type: { kind: 'text' }, meaning: 'What the arg is for.', example: 'The market that is traded.' },
  {
    key: 'secret',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning: 'The arg takes only a reference such as `secret://env/NAME`, which is resolved where it is used and never stored.',
    example: 'true',
  },
] as const satisfies readonly KeyRow[];

export const LIMITS_ROWS = [
  {
    key: 'concurrent',
    type: { kind: 'integer', ...RANGES.concurrent },
    default: '`8`',
    meaning: 'How many steps, and children that agents have spawned, are in flight at once in a run.',
    example: '4',
  },
  {
    key: 'depth',
    type: { kind: 'integer', ...RANGES.depth },
    default: '`1`, or `2` if the owner reports to an agent',
    meaning:
      'How deep agents may spawn: with 1 only independent agents spawn, with 2 their children too, and so on. An owner that reports to an agent is that agent’s child.',
    example: '2',
  },
  {
    key: 'children',
    type: { kind: 'integer', ...RANGES.children },
    default: '`5`',
    meaning: 'How many children of one agent run at once; agents of steps are children of the owner.',
    example: '3',
  },
] as const satisfies readonly KeyRow[];

export const BUDGET_ROWS = [
  { key: 'tokens', type: { kind: 'integer', ...RANGES.tokens }, meaning: 'Tokens that models read and write.', example: '50000' },
  { key: 'usd', type: { kind: 'number', over: 0, max: MOST_USD }, meaning: 'Dollars.', example: '2.5' },
  { key: 'wall_clock', type: { kind: 'duration' }, meaning: 'Time from start to end.', example: '20m' },
  {
    key: 'tool_calls_per_step',
    type: { kind: 'integer', ...RANGES.toolCalls },
    meaning: 'Tool calls by one step’s agent.',
    example: '15',
  },
  {
    key: 'retries_per_step',
    type: { kind: 'integer', ...RANGES.retriesPerStep },
    meaning: 'Tries of one step after the first; the lower of this and `retry.max` applies.',
    example: '3',
  },
  {
    key: 'on_unknown_cost',
    type: { kind: 'word', words: ALLOW_OR_HOLD },
    default: '`hold`',
    meaning: 'Whether an agent of unknown cost runs under a ceiling in dollars or is held.',
    example: 'allow',
  },
  {
    key: 'on_unlimited',
    type: { kind: 'word', words: ALLOW_OR_HOLD },
    default: '`hold`',
    meaning:
      'Whether an agent whose replies cannot be limited, such as a program, runs under a ceiling in tokens or dollars or is held. Such an agent may exceed the ceiling by the reply in flight.',
    example: 'allow',
  },
] as const satisfies readonly KeyRow[];

export const LEVEL_ROWS = [
  { key: 'agent', type: { kind: 'agent' }, required: true, meaning: 'Who is asked.', example: 'chief' },
  {
    key: 'decides',
    type: { kind: 'word', words: DECIDERS },
    default: '`human`: the agent advises, and a person further up decides',
    meaning: 'Who decides on this level.',
    example: 'agent',
  },
] as const satisfies readonly KeyRow[];

export const CHANNEL_ROWS = [
  {
    key: 'webhook',
    type: { kind: 'text' },
    meaning: 'A URL that messages are posted to as JSON, or a `secret://…` reference to one.',
    example: 'secret://env/DESK_WEBHOOK',
  },
  {
    key: 'webhook_secret',
    type: { kind: 'text' },
    requires: { keys: ['webhook'], hint: 'add `webhook:`' },
    default: 'requests are not signed',
    meaning: 'A `secret://…` reference to the key that signs requests to `webhook`.',
    example: 'secret://env/DESK_KEY',
  },
  ...CHAT_NAMES.map((chat) => ({
    key: chat,
    type: { kind: 'text' as const },
    meaning: `A ${CHATS[chat].title} webhook, in the same way.`,
    example: `secret://env/${chat.toUpperCase()}_DESK`,
  })),
  {
    key: 'email',
    type: { kind: 'list', of: { kind: 'address' }, alone: true, filled: true },
    empty: { why: '"email" is empty', hint: 'write an address, or remove the key' },
    meaning: 'Mail addresses of people; sent by the worker’s mail server.',
    example: '[desk@example.org]',
  },
  { key: 'mention', type: { kind: 'text' }, meaning: 'Who is mentioned at the start of each message.', example: '"@chairman"' },
  {
    ...APPROVERS_ROW,
    meaning: 'Who may decide at gates in the channel that name no `approvers`: people, and groups of people.',
    example: '[chairman]',
  },
] as const satisfies readonly KeyRow[];

import { CHAT_NAMES, CHATS } from '../../../plan/people/chats';
import { REPORT_FORMATS } from '../../../plan/run/test-report';
import { listWords } from '../../diagnostics/suggest';
import { RANGES } from '../ranges';
import { inMilliseconds, type KeyRow } from '../row';
import { REPO_ROW } from '../shared-rows';

/** Mappings that are keys of steps. */
export const RETRY_ROWS = [
  {
    key: 'max',
    type: { kind: 'integer', ...RANGES.tries },
    required: 'add `max: 3`: tries in all, the first included',
    meaning: 'Tries in all, the first included.',
    example: '3',
  },
  {
    key: 'backoff',
    type: { kind: 'word', words: ['fixed', 'exponential'] },
    default: '`fixed`',
    meaning: 'Whether the delay stays the same or doubles with each try.',
    example: 'exponential',
  },
  { key: 'delay', type: { kind: 'duration' }, default: '`1s`', meaning: 'The delay before the second try.', example: '2s' },
  inMilliseconds('delay', '2000'),
  {
    key: 'max_delay',
    type: { kind: 'duration' },
    default: '`30s`, or `delay` if that is longer',
    meaning: 'The longest delay.',
    example: '1m',
  },
  inMilliseconds('max_delay', '60000'),
  {
    key: 'jitter',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning: 'Each delay is multiplied by a number between 0.5 and 1.',
    example: 'true',
  },
] as const satisfies readonly KeyRow[];

export const APPROVAL_OBJECT_ROWS = [
  { key: 'prompt', type: { kind: 'template' }, meaning: 'The question.', example: 'Publish this?' },
  { key: 'items', type: { kind: 'value' }, meaning: 'A list that the person sees with the question.', example: '$draft.json.parts' },
  {
    key: 'preview',
    type: { kind: 'template' },
    meaning: 'A short text that the person sees with the question.',
    example: `\${draft.title}`,
  },
  { key: 'initiated_by', type: { kind: 'template' }, meaning: 'Who asked for the work.', example: 'writer' },
  {
    key: 'required_approver',
    type: { kind: 'template' },
    default: 'anyone',
    meaning: 'The one person who may approve.',
    example: 'chairman',
  },
  {
    key: 'require_different_approver',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning: 'The person who asked for the work may not approve it.',
    example: 'true',
  },
] as const satisfies readonly KeyRow[];

export const INPUT_OBJECT_ROWS = [
  { key: 'prompt', type: { kind: 'template' }, required: true, meaning: 'The question.', example: 'Which market?' },
  {
    key: 'responseSchema',
    aliases: ['response_schema'],
    type: { kind: 'schema' },
    default: 'any JSON',
    meaning: 'The JSON Schema of the answer: a path, or the schema itself.',
    example: '{ type: string }',
  },
  {
    key: 'defaults',
    type: { kind: 'json' },
    meaning: 'The answer that the person is offered, and that is taken when the `timeout` runs out.',
    example: 'BTC',
  },
] as const satisfies readonly KeyRow[];

const CHATS_WITH_FILES = CHAT_NAMES.map((chat) => CHATS[chat]).filter(({ fileMiB }) => fileMiB !== undefined);
const TAKE_FILES = ['mail (5 MiB at most)', ...CHATS_WITH_FILES.map(({ title, fileMiB }) => `${title} (${fileMiB} MiB)`)].join(' and ');
const CHATS_WITHOUT = CHAT_NAMES.map((chat) => CHATS[chat]).filter(({ fileMiB }) => fileMiB === undefined);
const TAKE_TEXT = [...CHATS_WITHOUT.map(({ title }) => title), 'webhooks'].join(' and ');

export const NOTIFY_OBJECT_ROWS = [
  { key: 'channel', type: { kind: 'channel' }, required: true, meaning: 'The channel that gets the message.', example: '"#desk"' },
  { key: 'message', type: { kind: 'template' }, required: true, meaning: 'The text of the message.', example: `\${draft.title} is ready` },
  {
    key: 'report',
    type: { kind: 'step' },
    meaning: `A step whose output goes with the message: as a file by ${TAKE_FILES}, as text by ${TAKE_TEXT}. A text that is too long is cut, with the command that shows all of it.`,
    example: 'draft',
  },
] as const satisfies readonly KeyRow[];

export const UNTIL_ROWS = [
  {
    key: 'until',
    type: { kind: 'expression' },
    required: true,
    meaning:
      'A moment: ISO 8601 text, or milliseconds since 1970. Text without an offset is in the pipeline’s time zone: that of `trigger`, else `timezone` in the settings, else UTC. A time that the clock skips in spring moves forward by as much (02:30 becomes 03:30); if the clock shows a time twice in autumn, the first is meant.',
    example: '$draft.json.publish_at',
  },
] as const satisfies readonly KeyRow[];

export const SIGNAL_ROWS = [
  { key: 'signal', type: { kind: 'text' }, required: true, meaning: 'The name of a signal.', example: 'market_open' },
  { key: 'timeout', type: { kind: 'duration' }, default: 'none', meaning: 'How long the step waits before it fails.', example: '12h' },
] as const satisfies readonly KeyRow[];

export const TESTS_ROWS = [
  {
    key: 'format',
    type: { kind: 'word', words: REPORT_FORMATS },
    required: `add \`format:\`, one of ${listWords(REPORT_FORMATS)}`,
    meaning: 'The format of the results.',
    example: 'tap',
  },
  {
    key: 'file',
    type: { kind: 'path' },
    default: 'standard output',
    meaning:
      'The file that the command writes the results to, in the folder that it runs in. A file that an earlier command left there does not count.',
    example: 'results.xml',
  },
] as const satisfies readonly KeyRow[];

export const STREAM_ROWS = [
  {
    key: 'stream',
    type: { kind: 'step' },
    required: 'add `stream:`, the step that emits the items',
    meaning: 'The step that `emits` the items: the step before the loop or, in a graph, one that the loop depends on.',
    example: 'make',
  },
  {
    key: 'key',
    type: { kind: 'field' },
    default: 'the whole item',
    meaning: 'The field that identifies an item. An item whose key has come before is the same item, and is left out.',
    example: 'id',
  },
  {
    key: 'depends',
    type: { kind: 'field' },
    default: 'none',
    meaning: 'The field in which an item names the keys of the items that must be done before it.',
    example: 'depends_on',
  },
  {
    key: 'files',
    type: { kind: 'field' },
    default: 'none',
    meaning: 'The field in which an item names the files and folders that it works on: two items that share one are not in flight at once.',
    example: 'files',
  },
] as const satisfies readonly KeyRow[];

export const WORKTREE_OBJECT_ROWS = [
  REPO_ROW,
  {
    key: 'remote',
    type: { kind: 'text' },
    default: 'none: all is in the repository itself',
    meaning: 'The name of a remote of that repository: `base` is looked up there, and results are pushed there.',
    example: 'origin',
  },
  {
    key: 'base',
    type: { kind: 'template' },
    default: 'the repository’s current commit; for a URL or a remote, the default branch',
    meaning: 'The commit or branch that the worktree starts from.',
    example: 'main',
  },
  {
    key: 'copy',
    type: { kind: 'list', of: { kind: 'path' }, alone: true },
    meaning: 'Files and folders that git ignores and the worktree needs, copied from the repository’s folder.',
    example: '[.env]',
  },
  {
    key: 'setup',
    type: { kind: 'list', of: { kind: 'template' } },
    takes: 'a list of commands',
    meaning: 'Commands that prepare the worktree; they run in it once it is made.',
    example: '[npm ci]',
  },
  {
    key: 'teardown',
    type: { kind: 'list', of: { kind: 'template' } },
    takes: 'a list of commands',
    meaning: 'Commands that clean up; they run in the worktree when the run has ended.',
    example: '[npm run stop]',
  },
  {
    key: 'keep',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning: 'Whether the worktree is kept when the run has ended.',
    example: 'true',
  },
] as const satisfies readonly KeyRow[];

import { HOOK_RATE, SIGNATURES, TIMED_SIGNATURES } from '../../../plan/web-hook';
import type { KeyRow } from '../row';
import { TRIGGER_ROWS } from './file';

const [NAME_ROW] = TRIGGER_ROWS;
const WITH_TIME = TIMED_SIGNATURES.map((signature) => `\`${signature}\``).join(', ');

/** A trigger that has `webhook`. */
export const WEBHOOK_ROWS = [
  NAME_ROW,
  {
    key: 'webhook',
    type: { kind: 'text' },
    required: 'add `webhook: PATH`',
    meaning: 'Deliveries come to `/hooks/PATH` of the listener. No two web hooks of an installation have the same.',
    example: 'pull-requests',
  },
  {
    key: 'signature',
    type: { kind: 'word', words: SIGNATURES },
    required: 'add `signature:`: who sends the deliveries',
    meaning: 'Who signs the deliveries; `standard` means the rules of Standard Webhooks.',
    example: 'github',
  },
  {
    key: 'secret',
    type: { kind: 'text' },
    required: 'add `secret: secret://env/NAME`',
    meaning: 'A `secret://…` reference to what deliveries are signed with; the listener resolves it.',
    example: 'secret://env/GITHUB_HOOK',
  },
  {
    key: 'when',
    type: { kind: 'expression' },
    default: 'every delivery',
    meaning: 'Which deliveries start a run. It reads `body`, the JSON that came, and `headers`, by their names in lower case.',
    example: 'body.action == "opened"',
  },
  {
    key: 'args',
    type: { kind: 'map', names: 'arg', of: { kind: 'data' } },
    default: 'none: the args have their defaults',
    meaning: 'The args of the run. A value that is one expression keeps its type.',
    example: '{}',
  },
  {
    key: 'key',
    type: { kind: 'template' },
    default: 'the id that the signature covers, else the content',
    meaning: 'Deliveries with the same text start one run.',
    example: `\${headers.x-github-delivery}`,
  },
  {
    key: 'rate',
    type: { kind: 'integer', min: HOOK_RATE.min, max: HOOK_RATE.max },
    default: '`60`',
    meaning: 'How many deliveries a minute each listener takes.',
    example: '300',
  },
  {
    key: 'within',
    type: { kind: 'duration' },
    default: '`5m`',
    meaning: `How old a delivery may be, by the time that its signature covers: ${WITH_TIME}. One day at most.`,
    example: '1m',
  },
  {
    key: 'paused',
    type: { kind: 'boolean' },
    default: '`false`',
    meaning: 'Nothing is taken until it is unpaused.',
    example: 'true',
  },
] as const satisfies readonly KeyRow[];

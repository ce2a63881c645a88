import { DEFAULT_BRIEF_BUDGETS } from '../../../plan/brief/brief';
import type { KeyRow } from '../row';

const MINUTE_MS = 60_000;
const DEFAULTS = DEFAULT_BRIEF_BUDGETS;

/** Both ends of each range are included. */
export const BRIEF_RANGES = { tokens: { min: 1, max: 1_000_000_000 }, minutes: { min: 1, max: 30 * 24 * 60 } } as const;

export const BRIEF_BUDGET_ROWS = [
  ceiling('max_tokens', BRIEF_RANGES.tokens.max, DEFAULTS.tokens, 'Tokens of the whole run.', '80000'),
  ceiling(
    'max_wall_clock_minutes',
    BRIEF_RANGES.minutes.max,
    DEFAULTS.wallClockMs / MINUTE_MS,
    'Minutes of the whole run, without the time in which people are asked or the run is paused.',
    '25',
  ),
  ceiling(
    'max_tool_calls_per_subtask',
    10_000,
    DEFAULTS.toolCallsPerSubtask,
    'Tool calls for a sub-task, over all of its attempts: those of its judges and of spawned agents count, too.',
    '12',
  ),
  ceiling('max_retries_per_subtask', 100, DEFAULTS.retriesPerSubtask, 'How often a sub-task is tried again after a review.', '2'),
] as const;

function ceiling<Key extends string>(key: Key, max: number, usual: number, meaning: string, example: string) {
  return { key, type: { kind: 'integer', min: 1, max }, default: `\`${usual}\``, meaning, example } as const satisfies KeyRow;
}

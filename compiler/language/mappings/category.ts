import type { KeyRow } from '../row';
import { GATE_ROWS, POLICY_ROWS } from '../shared-rows';

/** What may happen when a gate for a category times out: the clock never approves it. */
const CATEGORY_TIMEOUTS = ['wait', 'reject', 'escalate', 'conservative'] as const;

/** Who approves actions of a category. Time alone never does. */
export const CATEGORY_POLICY_ROWS = [
  ...GATE_ROWS.filter((row) => row.key !== 'prompt' && row.key !== 'show').map((row) =>
    row.key === 'channel' ? { ...row, default: '`"#approvals"`' } : row,
  ),
  ...POLICY_ROWS,
  { key: 'timeout', type: { kind: 'duration' }, default: 'none', meaning: 'How long the gate stays open.', example: '24h' },
  {
    key: 'on_timeout',
    type: { kind: 'word', words: CATEGORY_TIMEOUTS },
    requires: { keys: ['timeout'], hint: 'add `timeout: 24h`' },
    default: '`wait`',
    meaning: 'What happens when there is no decision within the `timeout`.',
    example: 'reject',
  },
] as const satisfies readonly KeyRow[];

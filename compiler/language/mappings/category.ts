import { APPROVAL_STEP_ROWS } from '../kinds/gates';
import { GATE_ROWS } from '../kinds/shared';
import type { KeyRow } from '../row';

/** An action of a category is never approved by the clock. */
export const CATEGORY_TIMEOUTS = ['wait', 'reject', 'escalate', 'conservative'] as const;

/** Who says yes to actions of a category. Time alone never says it. */
export const CATEGORY_POLICY_ROWS = [
  ...GATE_ROWS.filter((row) => row.key !== 'prompt' && row.key !== 'show').map((row) =>
    row.key === 'channel' ? { ...row, default: '`"#approvals"`' } : row,
  ),
  ...APPROVAL_STEP_ROWS.filter((row) => row.key === 'quorum' || row.key === 'four_eyes' || row.key === 'comment'),
  { key: 'timeout', type: { kind: 'duration' }, default: 'none', meaning: 'How long the gate stays open.', example: '24h' },
  {
    key: 'on_timeout',
    type: { kind: 'word', words: CATEGORY_TIMEOUTS },
    default: '`wait`',
    meaning: 'What happens when nobody has decided within the `timeout`.',
    example: 'reject',
  },
] as const satisfies readonly KeyRow[];

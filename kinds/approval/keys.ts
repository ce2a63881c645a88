import type { KeyRow, KindRow } from '../../compiler/language/row';
import { GATE_ROWS, POLICY_ROWS } from '../../compiler/language/shared-rows';

/** A person says yes or no. */
const ROWS = [
  ...GATE_ROWS,
  {
    key: 'preview',
    type: { kind: 'template' },
    meaning: 'A text that the person sees in full below the question, such as a diff; 256 KiB at most.',
    example: `\${draft.title}`,
  },
  ...POLICY_ROWS,
  {
    key: 'choices',
    type: { kind: 'list', of: { kind: 'choice' }, alone: true, filled: true },
    empty: { why: '"choices" is empty, so there is nothing to answer', hint: 'list the answers, or remove the key' },
    default: '`[approve, reject]`',
    meaning: 'The possible answers.',
    example: '[approve, reject, revise]',
  },
  {
    key: 'on_timeout',
    type: { kind: 'word', words: ['wait', 'approve', 'reject', 'escalate', 'conservative'] },
    requires: { keys: ['timeout', 'timeout_ms'], hint: 'add `timeout: 24h`' },
    default: '`wait`',
    meaning: 'What happens when there is no decision within the `timeout`.',
    example: 'wait',
  },
  {
    key: 'on_reject',
    type: { kind: 'actions', key: 'on_reject' },
    default: '`stop`: the run ends as rejected',
    meaning: 'What happens when a person says no.',
    example: 'retry(draft, max=2)',
  },
] as const satisfies readonly KeyRow[];

export const APPROVAL_KIND = {
  types: ['approval', 'hitl'],
  meaning: 'A person says yes or no.',
  output: 'none; its record has `.approved`, `.approvedBy`, `.response`',
  rows: ROWS,
  plainBy: ['approvers', 'on_reject', 'show'],
  yields: 3,
  sharesKeys: true,
  spellings: 'key of an approval step',
  example: `# needs: step draft
- id: approve
  type: approval
  channel: "#desk"
  prompt: Trade on \${draft.title}?
  show: [draft]
  approvers: [chairman, cfo]
  timeout: 24h
  on_timeout: reject`,
} as const satisfies KindRow;

import { AGENT_WORK_ROWS } from '../../compiler/language/agent-rows';
import type { KeyRow, KindRow } from '../../compiler/language/row';

/** An agent judges the output of another step. */
const ROWS = [
  ...AGENT_WORK_ROWS,
  {
    key: 'of',
    type: { kind: 'step' },
    default: 'the one step before it that has an output',
    meaning: 'The step whose output is judged.',
    example: 'draft',
  },
  {
    key: 'critic',
    type: { kind: 'agent' },
    meaning: 'A second reviewer, independent of the first; if the two disagree, a person decides.',
    example: 'second_editor',
  },
  {
    key: 'on_revise',
    type: { kind: 'actions', key: 'on_revise' },
    default: 'the run continues; later steps can read `.verdict`',
    meaning: 'Which step runs again, with the findings, when the verdict is `revise`, and how often at most.',
    example: 'retry(draft, max=3)',
  },
  {
    key: 'on_block',
    type: { kind: 'actions', key: 'on_block' },
    default: 'the escalation chain',
    meaning: 'What happens when the verdict is `block`, or when the revisions are used up.',
    example: 'escalate(chief)',
  },
  {
    key: 'stall_rounds',
    type: { kind: 'integer', min: 1, max: 100 },
    requires: { keys: ['on_revise'], hint: 'add `on_revise: retry(step, max=3)`' },
    default: 'until the revisions are used up; with `on_stall` `2`',
    meaning: 'Stops revising when the findings have not decreased for this many rounds.',
    example: '2',
  },
  {
    key: 'on_stall',
    type: { kind: 'actions', key: 'on_stall' },
    requires: { keys: ['on_revise'], hint: 'add `on_revise: retry(step, max=3)`' },
    default: '`on_block`',
    meaning: 'What happens when `stall_rounds` have brought no progress.',
    example: 'escalate(human)',
  },
  {
    key: 'on_unfixable',
    type: { kind: 'actions', key: 'on_unfixable' },
    default: '`on_block`',
    meaning: 'What happens when the report does not pass the work and says `unfixable: true`: no revision would help.',
    example: 'retry(draft)',
  },
] as const satisfies readonly KeyRow[];

export const REVIEW_KIND = {
  types: ['review'],
  meaning: 'An agent judges another step’s output, and sends it back until it passes.',
  output: 'the review report',
  rows: ROWS,
  plainBy: [],
  variant: { of: 'agent', output: 'Review_Report.json' },
  example: `# needs: step draft; agent editor
- id: review
  type: review
  agent: editor
  of: draft
  on_revise: retry(draft, max=3)
  on_block: escalate(human)`,
} as const satisfies KindRow;

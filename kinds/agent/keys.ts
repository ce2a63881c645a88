import { AGENT_WORK_ROWS } from '../../compiler/language/agent-rows';
import type { KeyRow, KindRow } from '../../compiler/language/row';
import { APPROVAL_ROWS, CATEGORY_ROWS, EMITS_ROWS } from '../../compiler/language/shared-rows';

/** An agent does one thing. */
const ROWS = [...AGENT_WORK_ROWS, ...EMITS_ROWS, ...CATEGORY_ROWS, ...APPROVAL_ROWS] as const satisfies readonly KeyRow[];

export const AGENT_KIND = {
  types: ['agent'],
  meaning: 'An agent does one thing.',
  output: 'what the agent answers',
  rows: ROWS,
  plainBy: ['agent', 'action'],
  yields: 1,
  isAlwaysPlain: true,
  example: `# needs: step draft; agent bullish_researcher; file schemas/Note.schema.json
- id: bull
  agent: bullish_researcher
  prompt: Make the bull case from \${draft}.
  output: Note.json
  timeout: 15m
  retry: { max: 2 }`,
} as const satisfies KindRow;

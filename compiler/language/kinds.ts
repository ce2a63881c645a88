import type { StepKind } from '../../plan/step';
import { AGENT_ROWS, REVIEW_ROWS } from './kinds/agent';
import { COMMAND_ROWS } from './kinds/command';
import { FOR_EACH_ROWS, GROUP_ROWS, PARALLEL_ROWS } from './kinds/fan-out';
import { APPROVAL_STEP_ROWS, INPUT_ROWS } from './kinds/gates';
import { NOTIFY_ROWS, PIPELINE_ROWS, WAIT_ROWS } from './kinds/other';
import type { KeyRow } from './row';
import { EVERY_STEP_ROWS } from './step';

/** The kinds of step that the strict dialect has; pipes of stages are Lobster’s alone. */
export type WrittenKind = Exclude<StepKind, 'stages'>;

export interface KindRow {
  /** Values of `type` that mean it, the usual one first. None for a branch of several steps. */
  types: readonly string[];
  meaning: string;
  /** What `step.field` reads of it. */
  output: string;
  /** Keys beside those of every step. */
  rows: readonly KeyRow[];
  /** Keys that make the kind plain where there is no `type`. */
  toldBy: readonly string[];
  /** Of several keys exactly one must stand; a test and the JSON Schema hold it. */
  oneOf?: readonly string[];
  /** A whole step of the kind, as YAML; `draft` is a step before it. Compiled in a test. */
  example: string;
}

export const KINDS = {
  agent: {
    types: ['agent'],
    meaning: 'An agent does one thing.',
    output: 'what the agent answers',
    rows: AGENT_ROWS,
    toldBy: ['agent', 'action'],
    example: `# needs: step draft; agent bullish_researcher; file schemas/Note.schema.json
- id: bull
  agent: bullish_researcher
  prompt: Make the bull case from \${draft}.
  output: Note.json
  timeout: 15m
  retry: { max: 2 }`,
  },
  review: {
    types: ['review'],
    meaning: 'An agent judges what another step put out, and sends it back until it passes.',
    output: 'the review report',
    rows: REVIEW_ROWS,
    toldBy: [],
    example: `# needs: step draft; agent editor
- id: review
  type: review
  agent: editor
  of: draft
  on_revise: retry(draft, max=3)
  on_block: escalate(human)`,
  },
  command: {
    types: ['run', 'command'],
    meaning: 'A command runs on a worker.',
    output: 'its standard output: the JSON it is, else the text',
    rows: COMMAND_ROWS,
    toldBy: ['run', 'command', 'argv'],
    oneOf: ['run', 'command', 'argv'],
    example: `# needs: step draft
- id: count
  run: wc -w
  stdin: $draft.json.title
  timeout: 30s`,
  },
  approval: {
    types: ['approval', 'hitl'],
    meaning: 'A person says yes or no.',
    output: 'none; its record has `.approved`, `.approvedBy`, `.response`',
    rows: APPROVAL_STEP_ROWS,
    toldBy: ['approvers', 'on_reject', 'show'],
    example: `# needs: step draft
- id: approve
  type: approval
  channel: "#desk"
  prompt: Trade on \${draft.title}?
  show: [draft]
  approvers: [chairman, cfo]
  timeout: 24h
  on_timeout: reject`,
  },
  input: {
    types: ['input'],
    meaning: 'A person answers a question with a value.',
    output: 'the answer',
    rows: INPUT_ROWS,
    toldBy: ['input'],
    example: `- id: size
  type: input
  input:
    prompt: How large a position, in per cent?
    responseSchema: { type: number, minimum: 0, maximum: 8 }
    defaults: 1
  timeout: 2h`,
  },
  parallel: {
    types: ['parallel'],
    meaning: 'Branches run side by side.',
    output: '`{<branch>: its output}`, or with `merge` `{results, merged, conflicts, missing, completed, total, timedOut}`',
    rows: PARALLEL_ROWS,
    toldBy: ['branches', 'parallel'],
    oneOf: ['branches', 'parallel'],
    example: `# needs: agents bullish_researcher, bearish_researcher, writer
- id: cases
  type: parallel
  wait: { quorum: 0.5 }
  timeout: 20m
  branches:
    - { id: bull, agent: bullish_researcher }
    - id: bear
      steps:
        - { id: gather, agent: bearish_researcher }
        - { id: condense, agent: writer }`,
  },
  group: {
    types: [],
    meaning: 'A branch of several steps; it stands under `branches` alone.',
    output: 'what the last of its steps that ran put out',
    rows: GROUP_ROWS,
    toldBy: [],
    example: `# needs: agents bearish_researcher, writer
- id: cases
  branches:
    - id: bear
      steps:
        - { id: gather, agent: bearish_researcher }
        - { id: condense, agent: writer }`,
  },
  for_each: {
    types: ['for_each'],
    meaning: 'A block of steps runs once for each item of a list.',
    output: 'a list of `{item, index, <step>: its output}`',
    rows: FOR_EACH_ROWS,
    toldBy: ['for_each'],
    example: `# needs: step draft; agents writer, editor
- id: chapters
  for_each: $draft.json.parts
  item_var: part
  max_concurrent: 4
  steps:
    - { id: write, agent: writer, prompt: "Write the part \${part.name}." }
    - { id: check, agent: editor }`,
  },
  pipeline: {
    types: ['pipeline', 'workflow'],
    meaning: 'Another pipeline runs as a child.',
    output: 'what the child puts out',
    rows: PIPELINE_ROWS,
    toldBy: ['pipeline', 'workflow'],
    example: `# needs: step draft; file child.yaml
- id: publish
  pipeline: child.yaml
  with: { title: $draft.json.title }`,
  },
  notify: {
    types: ['notify'],
    meaning: 'A message goes to a channel.',
    output: 'none',
    rows: NOTIFY_ROWS,
    toldBy: ['notify'],
    example: `# needs: step draft
- id: tell
  notify: { channel: "#desk", message: "\${draft.title} is ready", report: draft }`,
  },
  wait: {
    types: ['wait'],
    meaning: 'The run waits for a while, until a moment, or for a signal.',
    output: 'with `signal` its payload, else none',
    rows: WAIT_ROWS,
    toldBy: ['wait'],
    example: `- id: market_opens
  wait: { signal: market_open, timeout: 12h }`,
  },
} as const satisfies Record<WrittenKind, KindRow>;

export const WRITTEN_KINDS = Object.keys(KINDS) as readonly WrittenKind[];

/** All rows of a kind, those of every step first. A branch of several steps has no `type`. */
export function rowsOf(kind: WrittenKind): readonly KeyRow[] {
  const { rows, types } = kindRow(kind);
  return [...EVERY_STEP_ROWS.filter((row) => row.key !== 'type' || types.length > 0), ...rows];
}

export function kindRow(kind: WrittenKind): KindRow {
  return KINDS[kind];
}

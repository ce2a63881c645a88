import { RANGES } from '../../compiler/language/ranges';
import type { KeyRow, KindRow } from '../../compiler/language/row';
import { APPROVAL_ROWS } from '../../compiler/language/shared-rows';
import { TIMEOUT_ROWS } from '../../compiler/language/step';
import { MERGES, MOST_WEIGHT } from '../../plan/steps/merged-output';

const FAN_OUT_ROWS = [
  {
    key: 'branches',
    type: { kind: 'branches' },
    meaning: 'Steps of any kind that run side by side; a branch of several steps is written `{id, steps}`.',
    example: `[{ id: left, run: "echo 1" }, { id: right, steps: [{ id: half, run: "echo 2" }] }]`,
  },
  {
    key: 'wait',
    type: {
      kind: 'either',
      of: [
        { kind: 'word', words: ['all', 'any'] },
        { kind: 'mapping', name: 'quorum' },
      ],
    },
    takes: '"all", "any" or {quorum: 2/3}',
    default: '`all`',
    meaning: 'How many branches must succeed: `all`, `any` (one is enough; the rest are cancelled), or a [quorum](#quorum).',
    example: '{ quorum: 2/3 }',
  },
  {
    key: 'max_concurrent',
    type: { kind: 'integer', ...RANGES.concurrent },
    default: 'all at once, within `limits.concurrent`',
    meaning: 'How many branches are in flight at once.',
    example: '4',
  },
  {
    key: 'merge',
    type: {
      kind: 'either',
      of: [
        { kind: 'word', words: MERGES },
        { kind: 'mapping', name: 'merge' },
      ],
    },
    default: 'the outputs by branch',
    meaning:
      'How the branches’ lists become one; items with the same `key` are about the same thing. Without `wait`, a branch that fails, or is not done within `timeout` (then `5m` by default), is missing.',
    example: 'union',
  },
  {
    key: 'key',
    type: { kind: 'text' },
    requires: { keys: ['merge'], hint: 'add `merge: union`' },
    meaning: 'The field that makes two items the same for `merge`; only with `merge`.',
    example: 'name',
  },
] as const satisfies readonly KeyRow[];

/** Branches in parallel. */
const ROWS = [
  ...FAN_OUT_ROWS,
  {
    key: 'on_conflict',
    type: { kind: 'mapping', name: 'vote-behind' },
    own: true,
    default: 'the majority wins',
    meaning: 'With `merge`: if branches disagree, a vote after the step, `<id>_decide`, says which findings prevail.',
    example: '{ consensus: { voters: [writer, editor], revise_by: writer } }',
  },
  {
    key: 'summarise_by',
    type: { kind: 'agent' },
    own: true,
    default: 'nobody',
    meaning: 'With `merge`: the agent of a step that follows, `<id>_summary`, which sums up the findings.',
    example: 'writer',
  },
  {
    key: 'parallel',
    insteadOf: 'branches',
    own: true,
    type: { kind: 'either', of: [{ kind: 'branches' }, { kind: 'body', of: 'parallel' }] },
    meaning: 'The same as `branches`; or, as Lobster writes it, a mapping with the keys above and `timeout`.',
    example: `{ wait: any, branches: [{ id: left, run: "echo 1" }, { id: right, run: "echo 2" }] }`,
  },
  ...APPROVAL_ROWS,
] as const satisfies readonly KeyRow[];

/** The keys of the mapping under `parallel:`. */
const BODY = [...FAN_OUT_ROWS, ...TIMEOUT_ROWS] as const satisfies readonly KeyRow[];

/** Mappings within its keys. */
const QUORUM_ROWS = [
  {
    key: 'quorum',
    type: { kind: 'share' },
    required: 'write all, any or {quorum: 2/3}',
    meaning: 'How many branches must succeed; the rest are cancelled. A share counts the branches that are not skipped.',
    example: '2/3',
  },
] as const satisfies readonly KeyRow[];

const MERGE_ROWS = [
  {
    key: 'how',
    type: { kind: 'word', words: MERGES },
    required: 'write {how: union, key: name}',
    meaning: 'How the lists become one, as in `merge: union`.',
    example: 'weighted',
  },
  {
    key: 'key',
    type: { kind: 'text' },
    required: 'write {how: union, key: name}',
    meaning: 'The field that makes two items the same.',
    example: 'name',
  },
  {
    key: 'weights',
    type: { kind: 'map', of: { kind: 'number', over: 0, max: MOST_WEIGHT }, names: 'any' },
    takes: 'a mapping of branches and numbers, such as {security: 2}',
    default: '1 each',
    meaning: 'With `weighted`: how much more a branch counts than others; its confidence is multiplied by its weight.',
    example: '{ left: 2 }',
  },
  {
    key: 'min_weight',
    type: { kind: 'number', over: 0, max: 1 },
    default: 'every item',
    meaning: 'With `weighted`: items of less weight are left out.',
    example: '0.3',
  },
] as const satisfies readonly KeyRow[];

export const PARALLEL_KIND = {
  types: ['parallel'],
  meaning: 'Branches run side by side.',
  output: '`{<branch>: its output}`, or with `merge` `{results, merged, conflicts, consensus, missing, completed, total, timedOut}`',
  rows: ROWS,
  mappings: {
    quorum: { title: '`wait` of a parallel step', what: '"wait" of a parallel step', rows: QUORUM_ROWS },
    merge: { title: '`merge` of a parallel step', such: '{how: union, key: name}', rows: MERGE_ROWS },
  },
  body: BODY,
  plainBy: ['branches', 'parallel'],
  spellings: 'key of a parallel step',
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
} as const satisfies KindRow;

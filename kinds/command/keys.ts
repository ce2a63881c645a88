import type { KeyRow, KindRow } from '../../compiler/language/row';
import { APPROVAL_ROWS, CATEGORY_ROWS, EMITS_ROWS, OUTPUT_ROWS, WORKTREE_ROWS } from '../../compiler/language/shared-rows';

/** A command runs on a worker. */
const ROWS = [
  {
    key: 'run',
    aliases: ['command'],
    type: { kind: 'template' },
    own: true,
    meaning: 'A command line for `/bin/sh -lc`; every expression in it becomes one quoted word.',
    example: `grep \${args.ticker} list.txt`,
  },
  {
    key: 'argv',
    insteadOf: 'run',
    type: { kind: 'list', of: { kind: 'scalar' }, filled: true },
    own: true,
    meaning: 'A program and its arguments, run without a shell.',
    example: `[git, log, "--author=\${args.ticker}"]`,
  },
  {
    key: 'env',
    type: { kind: 'map', names: 'environment variable', of: { kind: 'scalar' } },
    meaning: 'Environment variables, in addition to those of the file and the worker. A value such as `secret://env/NAME` is resolved.',
    example: `{ TITLE: "\${draft.title}" }`,
  },
  {
    key: 'cwd',
    type: { kind: 'template' },
    default: 'the file’s `cwd`',
    meaning: 'The folder that the command runs in.',
    example: './work',
  },
  {
    key: 'stdin',
    type: { kind: 'value' },
    default: 'nothing',
    meaning: 'The command’s standard input: text, or a whole reference, passed as JSON unless its value is text.',
    example: '$draft.json',
  },
  {
    key: 'tests',
    type: { kind: 'mapping', name: 'tests' },
    default: 'the output is what the command prints',
    meaning: 'The step’s output is the result of the command’s tests. Failing tests are then a result, and the step does not fail.',
    example: '{ format: junit, file: results.xml }',
  },
  ...OUTPUT_ROWS,
  ...EMITS_ROWS,
  ...WORKTREE_ROWS,
  ...CATEGORY_ROWS,
  ...APPROVAL_ROWS,
] as const satisfies readonly KeyRow[];

export const COMMAND_KIND = {
  types: ['run', 'command'],
  meaning: 'A command runs on a worker.',
  output: 'its standard output: as JSON if it is JSON, else as text; with `tests` `{passed, failed, skipped, pass_rate, failures}`',
  rows: ROWS,
  plainBy: ['run', 'command', 'argv'],
  oneOf: ['run', 'command', 'argv'],
  example: `# needs: step draft
- id: count
  run: wc -w
  stdin: $draft.json.title
  timeout: 30s`,
} as const satisfies KindRow;

/**
 * The tables that a kind of step is a line of, as docs/internals/architecture.md lists them. `imports` goes above the first import, where
 * the formatter puts it into its place. Each of `rows` goes behind the last line of a union or of an
 * object, in front of a list, or before a line that occurs once.
 */
export const ROLES = ['model', 'traits', 'describe', 'keys', 'lower', 'run'];

export const TABLES = [
  {
    file: 'plan/steps/step.ts',
    imports: "import type { __Kind__Step } from '../../kinds/__folder__/model';",
    rows: [{ union: 'export type Step =', add: '__Kind__Step' }],
  },
  {
    file: 'kinds/traits.ts',
    imports: "import { __KIND___TRAITS } from './__folder__/traits';",
    rows: [{ object: 'const TRAITS = {', add: '__kind__: __KIND___TRAITS,' }],
  },
  {
    file: 'kinds/descriptions.ts',
    imports: "import { __KIND___DESCRIPTION, type Shown__Kind__ } from './__folder__/describe';",
    rows: [
      { union: 'export type ShownWork =', add: 'Shown__Kind__' },
      { object: 'const TABLE = {', add: '__kind__: __KIND___DESCRIPTION,' },
    ],
  },
  {
    file: 'compiler/language/kinds.ts',
    imports: "import { __KIND___KIND } from '../../kinds/__folder__/keys';",
    rows: [{ object: 'export const KINDS = {', add: '__kind__: __KIND___KIND,' }],
  },
  {
    file: 'compiler/lower/kinds.ts',
    imports: "import { __KIND___LOWERING } from '../../kinds/__folder__/lower';",
    rows: [{ object: 'const TABLE = {', add: '__kind__: __KIND___LOWERING,' }],
  },
  {
    file: 'workflows/kinds.ts',
    imports: "import { perform__Kind__ } from '../kinds/__folder__/run';",
    rows: [
      {
        before: '    default:\n      return unreachable(step);',
        add: "    case '__kind__':\n      return perform__Kind__(it, { ...place, step });\n",
      },
    ],
  },
  {
    file: 'test/language/places.ts',
    rows: [{ object: 'const LEAST: Readonly<Record<WrittenKind, JsonObject>> = {', add: "__kind__: { __kind__: 'Hello.' }," }],
  },
  {
    file: 'test/language/shown.test.ts',
    rows: [{ object: 'const OTHER: Readonly<Record<string, Json>> = {', add: "__kind__: 'Another.'," }],
  },
  {
    file: 'test/cli/nested-plan.ts',
    rows: [{ list: 'export const FURTHER: readonly Step[] = [', add: "{ id: '__folder__', kind: '__kind__', text: 'Hello.' }," }],
  },
  {
    file: 'llms.txt',
    rows: [{ before: '- [Commands](docs/commands.md)', add: '- [__kind__](docs/steps/__kind__.md): A text is put out.\n' }],
  },
];

export const PAGE = 'docs/steps/__kind__.md';

export const TEST = 'test/interpreter/__folder__-step.test.ts';

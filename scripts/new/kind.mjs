const ROLES = ['model', 'traits', 'describe', 'keys', 'lower', 'run'];

/**
 * What a new kind of step begins with. docs/internals/guides.md lists the same tables, and `new-files.mjs` puts the lines in.
 */
export const KIND = {
  guide: 'How to add a kind',
  words: [
    {
      rooms: ['compiler/language', 'kinds'],
      pattern: "(key: |aliases: \\[.*|types: \\[.*|[kK]eys: \\[.*)'__name__'",
      is: 'is a key or a word of the language',
    },
    {
      rooms: ['plan', 'compiler', 'workflows', 'activities', 'worker', 'client', 'cli'],
      pattern: "kind [!=]==? '__name__'|case '__name__':",
      is: 'is a kind of something else',
    },
  ],
  files: {
    ...Object.fromEntries(ROLES.map((role) => [`kinds/__dashed__/${role}.ts`, role])),
    'test/interpreter/__dashed__-step.test.ts': 'test',
    'docs/steps/__name__.md': 'page',
  },
  tables: [
    {
      file: 'plan/steps/step.ts',
      imports: "import type { __Name__Step } from '../../kinds/__dashed__/model';",
      rows: [{ union: 'export type Step =', add: '__Name__Step' }],
    },
    {
      file: 'kinds/traits.ts',
      imports: "import { __NAME___TRAITS } from './__dashed__/traits';",
      rows: [{ lines: 'const TRAITS = {', add: '__name__: __NAME___TRAITS,' }],
    },
    {
      file: 'kinds/descriptions.ts',
      imports: "import { __NAME___DESCRIPTION, type Shown__Name__ } from './__dashed__/describe';",
      rows: [
        { union: 'export type ShownWork =', add: 'Shown__Name__' },
        { lines: 'const TABLE = {', add: '__name__: __NAME___DESCRIPTION,' },
      ],
    },
    {
      file: 'compiler/language/kinds.ts',
      imports: "import { __NAME___KIND } from '../../kinds/__dashed__/keys';",
      rows: [{ lines: 'export const KINDS = {', add: '__name__: __NAME___KIND,' }],
    },
    {
      file: 'compiler/lower/kinds.ts',
      imports: "import { __NAME___LOWERING } from '../../kinds/__dashed__/lower';",
      rows: [{ lines: 'const TABLE = {', add: '__name__: __NAME___LOWERING,' }],
    },
    {
      file: 'workflows/kinds.ts',
      imports: "import { perform__Name__ } from '../kinds/__dashed__/run';",
      rows: [
        {
          before: '    default:\n      return unreachable(step);',
          add: "    case '__name__':\n      return perform__Name__(it, { ...place, step });\n",
        },
      ],
    },
    {
      file: 'test/language/places.ts',
      rows: [{ lines: 'const LEAST: Readonly<Record<WrittenKind, JsonObject>> = {', add: "__name__: { __name__: 'Hello.' }," }],
    },
    {
      file: 'test/language/shown.test.ts',
      rows: [{ lines: 'const OTHER: Readonly<Record<string, Json>> = {', add: "__name__: 'Another.'," }],
    },
    {
      file: 'test/cli/nested-plan.ts',
      rows: [{ list: 'export const FURTHER: readonly Step[] = [', add: "{ id: '__dashed__', kind: '__name__', text: 'Hello.' }," }],
    },
    {
      file: 'llms.txt',
      rows: [{ before: '- [Commands](docs/commands.md)', add: '- [__name__](docs/steps/__name__.md): A text is put out.\n' }],
    },
  ],
  generates: 'test/language/page.test.ts',
};

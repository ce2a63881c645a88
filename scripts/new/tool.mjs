/** What a new tool of agents begins with: only agents that list it have it, so that no other agent's calls change. */
export const TOOL = {
  guide: 'How to add a key, a command, a tool, a channel',
  words: [
    { rooms: ['plan/agents'], pattern: "name: '__name__'", is: 'is a tool' },
    { rooms: ['compiler/names'], pattern: "^  __name__: '", is: 'is another word for a tool' },
  ],
  files: { 'activities/tools/__dashed__.ts': 'tool', 'test/tools/__dashed__.test.ts': 'test' },
  tables: [
    {
      file: 'plan/agents/tool-names.ts',
      rows: [
        {
          lines: 'export const BUILT_IN_TOOLS = [',
          add: "{ name: '__name__', doc: 'answers with the text that it is given', listedOnly: true, programs: false, costs: [] },",
        },
      ],
    },
    {
      file: 'activities/tools/tool-table.ts',
      imports: "import { __NAME__ } from './__dashed__';",
      rows: [{ lines: 'export const TOOLS: Readonly<Record<BuiltInToolName, Tool>> = {', add: '__name__: __NAME__,' }],
    },
  ],
  generates: 'test/docs/agents.test.ts',
};

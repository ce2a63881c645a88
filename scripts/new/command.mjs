/** What a new command begins with. */
export const COMMAND = {
  guide: 'How to add a key, a command, a tool, a channel',
  words: [{ rooms: ['cli/catalogue'], pattern: "name: '__dashed__[ ']", is: 'is a command, or the noun of one' }],
  files: { 'cli/commands/__dashed__.ts': 'command', 'test/cli/__dashed__-command.test.ts': 'test' },
  tables: [
    {
      file: 'cli/catalogue/pipelines.ts',
      imports: "import * as __camel__Command from '../commands/__dashed__';",
      rows: [
        {
          lines: 'export const PIPELINE_COMMANDS: readonly CommandSpec[] = [',
          add: "{ name: '__dashed__', summary: 'print the name of a pipeline', arguments: [PIPELINE_ARGUMENT], options: [JSON_OPTION], examples: ['__dashed__ pipelines/daily-quant-pipeline.yaml'], load: () => __camel__Command },",
        },
      ],
    },
  ],
  generates: 'test/docs/commands.test.ts',
};

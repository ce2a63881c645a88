import { TOOLS } from '../../activities/tools/tool-table';
import { BUILT_IN_TOOLS, builtInTool } from '../../plan/agents/tool-names';

test('the list of built-in tools and the table have the same names', () => {
  expect(Object.keys(TOOLS).sort()).toEqual(BUILT_IN_TOOLS.map(({ name }) => name).sort());
});

test.each(Object.entries(TOOLS))('%s must be listed exactly where the list says so', (name, { listedOnly }) => {
  expect(listedOnly).toEqual(builtInTool(name)?.listedOnly);
});

test.each(['read_file', 'write_file', 'edit_file', 'list_files', 'grep', 'run', 'fetch_url'] as const)(
  '%s is for agents alone that list it',
  (name) => {
    expect(TOOLS[name]).toMatchObject({ listedOnly: true, parameters: { type: 'object', additionalProperties: false } });
  },
);

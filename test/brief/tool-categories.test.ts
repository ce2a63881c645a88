import { BUILT_IN_TOOLS } from '../../plan/agents/tool-names';
import { isGrant } from '../../plan/brief/category';
import { categoriesOfCall } from '../../plan/brief/tool-categories';

test('each of our tools has the categories of its row, and `run` those of its program', () => {
  for (const { name, costs } of BUILT_IN_TOOLS) {
    expect(categoriesOfCall({ tool: name, args: {} })).toEqual(costs);
    expect(costs.every(isGrant)).toBe(true);
  }
  expect(categoriesOfCall({ tool: 'run', args: { argv: ['git', 'push'] } })).toEqual(['shell_exec', 'git_push']);
  expect(categoriesOfCall({ tool: 'run', args: { argv: 'git push' } })).toEqual(['shell_exec']);
});

test('tools that change nothing outside the run cost nothing, and the others something', () => {
  const free = BUILT_IN_TOOLS.flatMap(({ name, costs }) => (costs.length === 0 ? [name] : []));
  expect(BUILT_IN_TOOLS.filter((tool) => 'listedOnly' in tool && free.includes(tool.name))).toEqual([]);
});

describe('tools that are not ours', () => {
  test.each(['transfer', 'mcp__github', 'mcp__', 'mcp____x', 'toString', '__proto__', 'hasOwnProperty'])('%s is shell_exec', (tool) => {
    expect(categoriesOfCall({ tool, args: {} })).toEqual(['shell_exec']);
  });

  it('has those that the settings say', () => {
    const settings = { transfer: ['paid_api_call', 'external_message'], harmless: [] } as const;
    expect(categoriesOfCall({ tool: 'transfer', args: {} }, settings)).toEqual(['paid_api_call', 'external_message']);
    expect(categoriesOfCall({ tool: 'harmless', args: {} }, settings)).toEqual([]);
  });

  it('a tool of a server has its own category, and what the settings say of it and of its server', () => {
    const settings = { mcp__github: ['http_fetch'], mcp__github__push: ['git_push'] } as const;
    expect(categoriesOfCall({ tool: 'mcp__github__push', args: {} })).toEqual(['mcp_tool:github:push']);
    expect(categoriesOfCall({ tool: 'mcp__github__push', args: {} }, settings)).toEqual(['mcp_tool:github:push', 'http_fetch', 'git_push']);
    expect(categoriesOfCall({ tool: 'mcp__github2__push', args: {} }, settings)).toEqual(['mcp_tool:github2:push']);
  });

  it('a tool of a server that has the name of ours is not ours', () => {
    expect(categoriesOfCall({ tool: 'mcp__files__read_file', args: {} })).toEqual(['mcp_tool:files:read_file']);
    expect(categoriesOfCall({ tool: 'mcp__files__x__read_file', args: {} })).toEqual(['mcp_tool:files:x__read_file']);
  });

  it('settings cannot take a category from one of ours', () => {
    expect(categoriesOfCall({ tool: 'write_file', args: {} }, { write_file: [] })).toEqual(['filesystem_write']);
  });
});

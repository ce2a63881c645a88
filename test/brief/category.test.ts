import { COST_CATEGORIES, type CostCategory, covers, isGrant, serverCategory, unauthorised } from '../../plan/brief/category';

describe('what is granted covers a category', () => {
  const cases: [granted: string, asked: CostCategory, is: boolean][] = [
    ['shell_exec', 'shell_exec', true],
    ['shell_exec', 'git_push', false],
    ['git_write', 'git_push', false],
    ['SHELL_EXEC', 'shell_exec', false],
    ['shell_exec ', 'shell_exec', false],
    ['', 'shell_exec', false],
    ['filesystem_*', 'filesystem_write', false],
    ['mcp_tool:*', 'shell_exec', false],
    ['mcp_tool:*', 'mcp_tool:github:push', true],
    ['mcp_tool:github', 'mcp_tool:github:push', true],
    ['mcp_tool:github', 'mcp_tool:github', true],
    ['mcp_tool:github:*', 'mcp_tool:github:push', true],
    ['mcp_tool:github:*', 'mcp_tool:github', true],
    ['mcp_tool:github:push', 'mcp_tool:github:push', true],
    ['mcp_tool:github:push', 'mcp_tool:github:pull', false],
    ['mcp_tool:github:push', 'mcp_tool:github', false],
    ['mcp_tool:github:push', 'mcp_tool:github:push_all', false],
    // A server whose name begins like that of another.
    ['mcp_tool:github:*', 'mcp_tool:github2', false],
    ['mcp_tool:github:*', 'mcp_tool:github2:push', false],
    ['mcp_tool:github', 'mcp_tool:github2:push', false],
    ['mcp_tool:github', 'mcp_tool:github-x:push', false],
    ['mcp_tool:git', 'mcp_tool:github:push', false],
    // What a server could call its tools.
    ['mcp_tool:github:*', 'mcp_tool:evil:github:push', false],
    ['mcp_tool:evil:push', 'mcp_tool:evil:*', false],
    ['mcp_tool:', 'mcp_tool:github:push', false],
    ['mcp_tool::*', 'mcp_tool:github:push', false],
  ];
  test.each(cases)('%s, asked %s: %s', (granted, asked, is) => {
    expect(covers(granted, asked)).toBe(is);
  });

  test.each([...COST_CATEGORIES, 'mcp_tool:any:thing'] as const)('* covers %s', (asked) => {
    expect(covers('*', asked)).toBe(true);
  });
});

test('what is not authorised is listed once, in order, and reading files always is authorised', () => {
  expect(unauthorised([], ['filesystem_read'])).toEqual([]);
  expect(unauthorised(['http_fetch'], ['shell_exec', 'http_fetch', 'git_push', 'shell_exec', 'filesystem_read'])).toEqual([
    'shell_exec',
    'git_push',
  ]);
  expect(unauthorised(['shell_exec', 'mcp_tool:a'], ['shell_exec', serverCategory('a', 'x'), serverCategory('ab', 'x')])).toEqual([
    'mcp_tool:ab:x',
  ]);
});

describe('what may be written', () => {
  test.each([...COST_CATEGORIES, '*', 'mcp_tool:*', 'mcp_tool:a', 'mcp_tool:a:*', 'mcp_tool:a.b-c_d:e'])('%s is a grant', (text) => {
    expect(isGrant(text)).toBe(true);
  });

  test.each([
    ...[
      '',
      'shell',
      'filesystem_*',
      'Shell_Exec',
      'shell_exec,git_push',
      'mcp_tool',
      'mcp_tool:',
      'mcp_tool::x',
      'mcp_tool:a:',
      'mcp_tool:a:b:c',
    ],
    ...['mcp_tool:a*', 'mcp_tool:*:b', 'mcp_tool:a:b*', 'mcp_tool:a b', 'mcp_tool:a\n', '**', 'toString', '__proto__'],
  ])('%j is none', (text) => {
    expect(isGrant(text)).toBe(false);
  });
});

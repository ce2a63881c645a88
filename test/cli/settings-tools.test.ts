import type { Problems } from '../../cli/settings/fields';
import { tools } from '../../cli/settings/tools';

function read(value: unknown): { settings: unknown; problems: Problems } {
  const problems: Problems = [];
  return { settings: tools(value, 'tools', problems), problems };
}

test('addresses and variables are read', () => {
  const fetch = { allow_private: ['127.0.0.1:8080', 'wiki.intern', '::1', '[::1]:3'] };
  expect(read({ fetch, run: { pass_env: ['CI', 'CI'] } })).toEqual({
    settings: { fetchPrivate: fetch.allow_private, runPassEnv: ['CI'] },
    problems: [],
  });
  expect(read({})).toEqual({ settings: {}, problems: [] });
});

test('categories of own tools and of servers are read', () => {
  const costs = { transfer: 'paid_api_call', mcp__files: ['filesystem_write', 'git_push'], free: [] };
  expect(read({ costs })).toEqual({ settings: { costs: { ...costs, transfer: ['paid_api_call'] } }, problems: [] });
});

test.each<[string, unknown]>([
  ['a category that there is not', { costs: { transfer: ['paid'] } }],
  ['a category that is a number', { costs: { transfer: 3 } }],
  ['categories of no tool', { costs: ['paid_api_call'] }],
  ['a key that there is not', { fetsh: {} }],
  ['a key of fetch that there is not', { fetch: { allow: [] } }],
  ['an address with its protocol', { fetch: { allow_private: ['http://127.0.0.1'] } }],
  ['a range', { fetch: { allow_private: ['10.0.0.0/8'] } }],
  ['a host with a star', { fetch: { allow_private: ['*.intern'] } }],
  ['a port that there is not', { fetch: { allow_private: ['x:99999'] } }],
  ['a number', { fetch: { allow_private: [8080] } }],
  ['what is no variable', { run: { pass_env: ['A=B'] } }],
  ['a variable that leads git away', { run: { pass_env: ['GIT_DIR'] } }],
  ['a variable that configures git', { run: { pass_env: ['GIT_CONFIG_KEY_0'] } }],
  ['no mapping', []],
])('%s is a mistake', (_, value) => {
  expect(read(value).problems).toHaveLength(1);
});

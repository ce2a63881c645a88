import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { compilerInstallation } from '../../cli/pipelines/installation';
import { loadConfiguration } from '../../cli/settings/configuration';
import type { Problems } from '../../cli/settings/fields';
import { toolServers } from '../../cli/settings/mcp';
import { parseSettings } from '../../cli/settings/settings-file';
import { scratchFolder } from '../activities/workshop';

const read = (value: unknown) => {
  const problems: Problems = [];
  return { servers: toolServers(value, 'mcp', problems), problems };
};

test('a program, and an address', () => {
  const settings = parseSettings(
    'thermidor.yaml',
    `
mcp:
  fs: { command: [npx, -y, "@modelcontextprotocol/server-filesystem", .], env: { A: b, T: secret://env/T }, pass_env: [CI] }
  docs: { url: "https://x.org/mcp/?v=1", headers: { authorization: secret://env/T, x-team: quant } }
`,
  );
  expect(settings.mcp).toEqual({
    fs: {
      kind: 'stdio',
      command: ['npx', '-y', '@modelcontextprotocol/server-filesystem', '.'],
      env: { A: 'b', T: 'secret://env/T' },
      passEnv: ['CI'],
    },
    docs: { kind: 'http', url: 'https://x.org/mcp/?v=1', headers: { authorization: 'secret://env/T', 'x-team': 'quant' } },
  });
});

test.each([
  ['neither', { a: {} }],
  ['both', { a: { command: ['x'], url: 'https://x.org' } }],
  ['headers of a program', { a: { command: ['x'], headers: {} } }],
  ['an environment of an address', { a: { url: 'https://x.org', env: { A: 'b' } } }],
  ['a command that is a text', { a: { command: 'npx x' } }],
  ['an empty command', { a: { command: [''] } }],
  ['a key nobody knows', { a: { command: ['x'], commnad: ['y'] } }],
  ['a password in the address', { a: { url: 'https://u:p@x.org/' } }],
  ['another protocol', { a: { url: 'ftp://x.org/' } }],
  ['a key written out', { a: { url: 'https://x.org', headers: { authorization: 'Bearer abc' } } }],
  ['a name with __', { a__b: { command: ['x'] } }],
  ['a name with a dot', { 'a.b': { command: ['x'] } }],
  ['a name that is long', { ['a'.repeat(33)]: { command: ['x'] } }],
  ['no mapping', { a: 'npx' }],
])('is a mistake: %s', (_, value) => {
  const { problems } = read(value);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.path).toMatch(/^mcp\./);
});

test('every mistake is reported at once', () => {
  expect(read({ a: { command: 'x' }, b: { url: 'x' }, 'c.d': {} }).problems).toHaveLength(3);
});

test('the compiler knows their names', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'thermidor.yaml'), 'mcp: { fs: { command: [x] } }');
  const around = { cwd: folder, env: {}, home: folder, platform: 'linux' as const };
  expect(compilerInstallation(loadConfiguration(new Options({}), around)).toolServers).toEqual(['fs']);
});

test('the compiler knows the names of roles that an application registers, and the day', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'thermidor.yaml'), 'roles: { own: [auditor] }');
  const around = { cwd: folder, env: {}, home: folder, platform: 'linux' as const };
  const { roles, today } = compilerInstallation(loadConfiguration(new Options({}), around));
  expect(roles).toEqual(['auditor']);
  expect(today).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

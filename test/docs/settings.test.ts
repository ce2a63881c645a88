import { CommandFailure } from '../../cli/exit';
import { parseSettings } from '../../cli/settings/settings-file';
import { isJsonObject } from '../../plan/text/json';
import { itemsOf, readPage } from './page';

/** docs/settings.md: its items are the keys that the readers know, its examples can be read, and its capture is what they print. */
const page = readPage('docs/settings.md');

function problemsOf(text: string): string[] {
  try {
    parseSettings('thermidor.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { details, hint } = error.more;
    const problems = isJsonObject(details) ? details['problems'] : undefined;
    return Array.isArray(problems) && problems.length > 1 ? problems.map(String) : [`${error.message}; ${hint ?? ''}`];
  }
}

/** Every mapping of the file, with a mistake in it that makes its reader list the keys it knows. */
const MAPPINGS: readonly [path: string, text: string][] = [
  ['', 'zzzzzz: 1'],
  ['adapters.NAME', 'adapters: {anthropic: {zzzzzz: 1}}'],
  ['adapters.NAME', 'adapters: {openai: {zzzzzz: 1}}'],
  ['adapters.NAME', 'adapters: {claude: {zzzzzz: 1}}'],
  ['adapters.NAME', 'adapters: {mine: {kind: own, zzzzzz: 1}}'],
  ['models.NAME', 'models: {fast: {zzzzzz: 1}}'],
  ['mcp.NAME', 'mcp: {files: {zzzzzz: 1}}'],
  ['tools', 'tools: {zzzzzz: 1}'],
  ['tools.fetch', 'tools: {fetch: {zzzzzz: 1}}'],
  ['tools.run', 'tools: {run: {zzzzzz: 1}}'],
  ['roles', 'roles: {zzzzzz: 1}'],
  ['prices', 'prices: {zzzzzz: 1}'],
  ['prices.models.MODEL', 'prices: {models: {m: {zzzzzz: 1}}}'],
  ['metrics', 'metrics: {zzzzzz: 1}'],
  ['traces', 'traces: {zzzzzz: 1}'],
  ['people.NAME', 'people: {cfo: {zzzzzz: 1}}'],
  ['channels.NAME', 'channels: {"#desk": {zzzzzz: 1}}'],
  ['mail', 'mail: {zzzzzz: 1}'],
  ['callbacks', 'callbacks: {zzzzzz: 1}'],
  ['encryption', 'encryption: {zzzzzz: 1}'],
  ['encryption.codec', 'encryption: {codec: {zzzzzz: 1}}'],
  ['retention', 'retention: {zzzzzz: 1}'],
  ['worktrees', 'worktrees: {zzzzzz: 1}'],
  ['worktrees.ports', 'worktrees: {ports: {zzzzzz: 1}}'],
  ['git', 'git: {zzzzzz: 1}'],
  ['load', 'load: {zzzzzz: 1}'],
  ['shutdown', 'shutdown: {zzzzzz: 1}'],
];

function keysOf([path, text]: (typeof MAPPINGS)[number]): string[] {
  const known = problemsOf(text).flatMap((problem) => /unknown key "zzzzzz"; known: (.+)$/.exec(problem)?.[1]?.split(', ') ?? []);
  if (known.length === 0) throw new Error(`nothing is known of ${path}: ${problemsOf(text).join('; ')}`);
  return known.map((key) => (path === '' ? key : `${path}.${key}`));
}

const rows = itemsOf(page).flatMap((item) => {
  const [, key, shape = ''] = /^\*\*`([A-Za-z_.]+)`\*\*: .+?(?: Value: (.+?)\.(?: .+)?)?$/.exec(item) ?? [];
  return key === undefined ? [] : [{ key, shape }];
});

describe('its items', () => {
  const known = [...new Set(MAPPINGS.flatMap(keysOf))];
  const named = new Set(rows.map(({ key }) => key));
  const holds = (key: string) => [...named].some((row) => row === key || row.startsWith(`${key}.`));

  it('have every key that the readers know', () => {
    expect(known.length).toBeGreaterThan(50);
    expect(known.filter((key) => !holds(key))).toEqual([]);
  });

  it('have no other', () => {
    const within = (row: string) => known.includes(row) || known.some((key) => row === `${key}.NAME`);
    expect([...named].filter((row) => !within(row))).toEqual([]);
  });

  it('say what shape each has', () => {
    const unsaid = rows.filter(({ shape }) => shape.trim() === '');
    expect(unsaid).toEqual([]);
  });
});

test('its mistakes are what the readers say', () => {
  const [, captured = ''] = page.split('$ thermidor agents\n');
  const lines = captured.slice(0, captured.indexOf('\n```')).split('\n').slice(1);
  const text = 'adapters:\n  local: { kind: openai, baseurl: x, key: abc }\n  mybot: {}\ndefault_adapter: antropic\n';
  expect(lines.map((line) => line.replace(/^ *- /, ''))).toEqual(problemsOf(text));
});

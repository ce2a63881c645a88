import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { EXAMPLE_MODELS } from '../../plan/agents/example-models';

/** The installed SDK lists every model that shipped files name, and does not call it deprecated. */
const ROOT = join(__dirname, '..', '..');
const SHIPPED = [
  'README.md',
  'docs',
  'examples',
  'pipelines',
  'plan',
  'compiler',
  'workflows',
  'records',
  'activities',
  'client',
  'worker',
  'cli',
];
const TEXTS = new Set(['.md', '.yaml', '.yml', '.ts', '.mjs', '.json', '.sh']);
const NAMED = /claude-[a-z]+-\d[\w-]*/g;

const SDK = dirname(require.resolve('@anthropic-ai/sdk'));

function currentModels(): Set<string> {
  const types = readFileSync(join(SDK, 'resources', 'messages', 'messages.d.ts'), 'utf8');
  const union = /^export type Model = ([^;]*);/m.exec(types)?.[1] ?? '';
  const { DEPRECATED_MODELS } = require(join(SDK, 'internal', 'data', 'deprecated-models.js')) as { DEPRECATED_MODELS: object };
  const listed = [...union.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  return new Set(listed.filter((name) => !Object.hasOwn(DEPRECATED_MODELS, name)));
}

function shippedTexts(): string[] {
  return SHIPPED.flatMap((name) => {
    if (statSync(join(ROOT, name)).isFile()) return [name];
    return (readdirSync(join(ROOT, name), { recursive: true }) as string[]).map((path) => join(name, path));
  }).filter((path) => TEXTS.has(extname(path)));
}

test('shipped files name only models that the SDK lists as current', () => {
  const current = currentModels();
  expect(current.size).toBeGreaterThan(3);
  const found = shippedTexts().flatMap((path) => {
    const names = readFileSync(join(ROOT, path), 'utf8').match(NAMED) ?? [];
    return names.map((name) => ({ path, name }));
  });
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter(({ name }) => !current.has(name))).toEqual([]);
});

test('code names the models of its examples in one place', () => {
  expect(Object.values(EXAMPLE_MODELS).filter((name) => !currentModels().has(name))).toEqual([]);
  const elsewhere = shippedTexts().filter((path) => path.endsWith('.ts') && path !== join('plan', 'agents/example-models.ts'));
  expect(elsewhere.filter((path) => readFileSync(join(ROOT, path), 'utf8').match(NAMED))).toEqual([]);
});

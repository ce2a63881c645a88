import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { PROGRAM, ROOT, sourcesIn } from './sources';

/**
 * zod takes 50 ms to load. So no workflow loads it, and a command loads it only when there is something to read: the files
 * below import their imports lazily (`scripts/lazy-imports.cjs`), and all others that load zod belong to a worker or a listener.
 */
const { lazyFiles } = require('../../scripts/lazy-imports.cjs') as { lazyFiles: string };

const DOORS: readonly string[] = [
  ...['claude', 'codex', 'gemini', 'openclaw', 'template'].map((program) => `activities/adapters/cli-agent/${program}.ts`),
  'activities/test-reports/read-report.ts',
  // Servers of tools, for `doctor`.
  'cli/checks/tool-servers.ts',
  // Workers, and commands that take care of worktrees as workers do.
  ...[
    'cli/commands/store-copy.ts',
    'cli/commands/store-reseal.ts',
    'cli/commands/worktree.ts',
    'cli/session/session.ts',
    'cli/session/start-own-worker.ts',
  ],
  // The repository of a plan that asks for a strategy of merge queues.
  'cli/serving/check-queues.ts',
  // Listeners, and the gates to which messages link.
  ...['cli/session/callbacks.ts', 'records/directory/directory-records.ts', 'records/postgres/postgres-records.ts'],
];

test('zod is loaded by workers, listeners, and behind lazy imports', () => {
  const imports = new Map(sourcesIn(PROGRAM).map(([file, text]) => [file, importsOf(file, text)]));
  const isLazy = (file: string): boolean => new RegExp(`^${lazyFiles}`).test(file);
  const loading = new Set<string>(['zod']);
  for (let size = 0; size < loading.size; ) {
    size = loading.size;
    for (const [file, imported] of imports) if (!isLazy(file) && imported.some((name) => loading.has(name))) loading.add(file);
  }
  const doors = [...imports.keys()].filter((file) => isLazy(file) && imports.get(file)?.some((name) => loading.has(name)));
  expect([...loading].filter((file) => /^(?:compiler|kinds|plan|workflows)\//.test(file))).toEqual([]);
  expect(doors.sort()).toEqual([...DOORS].sort());
});

/** The imports of a file: packages by name, our files by path. Imports of types load nothing. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/^(?:import|export) (?!type )(?:[^;']* from )?'([^']*)'/gm)].map(([, name = '']) => {
    if (!name.startsWith('.')) return name;
    const path = posix.join(posix.dirname(file), name);
    return existsSync(join(ROOT, `${path}.ts`)) ? `${path}.ts` : `${path}/index.ts`;
  });
}

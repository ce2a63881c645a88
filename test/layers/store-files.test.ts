import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stateLayout } from '../../records/directory/state-layout';
import { ROOT, sourcesIn } from './sources';

/** Only `records/` knows the folders and names of a store's files: an object store has other names. */
const ROOMS = ['plan', 'compiler', 'workflows', 'activities', 'worker', 'client', 'cli', 'bench'];

/** Modules that bypass the ports, and the reason. A new one gets a line here. */
const BEHIND: Readonly<Record<string, string>> = {
  'activities/adapters/shared-text-files.ts': 'a team’s file is written as whole as one of ours',
  'activities/adapters/text-files.ts': 'an author’s file is written as whole as one of ours',
  'bench/overhead/noop-activities.ts': 'states come and go as with a worker, to memory',
  'bench/scale/activities.ts': 'a plan and states come and go as with a worker, to memory',
  'cli/checks/store.ts': '`doctor` looks at the modes of the folder',
  'cli/commands/store-copy.ts': 'moves a folder to another store, and another store to a folder',
  'cli/commands/prune.ts': 'folders that steps worked in lie on this machine',
  'cli/embedded/state-files.ts': 'the embedded server lives in the folder',
  'cli/session/retention.ts': 'folders that steps worked in lie on this machine',
  'cli/session/state-folder-problem.ts': 'whether the folder is full or gone',
  'cli/session/worker-lease.ts': 'leases of this machine’s workers lie in the folder',
  'cli/session/worker-log.ts': 'the log of the machine’s workers lies in the folder',
  'worker/sweep-state-folder.ts': 'closes the folder to others, and sweeps what a crash left',
  'worker/work-folder.ts': 'steps work in folders of this machine',
  'worker/worktrees/host-clone.ts': 'a host’s own files, as durable as a store’s',
  'worker/worktrees/host-id.ts': 'a host’s own files, as durable as a store’s',
  'worker/worktrees/janitor.ts': 'a host’s own files, as durable as a store’s',
  'worker/worktrees/make-worktree.ts': 'a host’s own files, as durable as a store’s',
  'worker/worktrees/ref-notes.ts': 'a host’s own files, as durable as a store’s',
  'worker/worktrees/sweep-kept.ts': 'a host’s own files, as durable as a store’s',
  'worker/worktrees/sweep-leftovers.ts': 'a host’s own files, as durable as a store’s',
  'worker/worktrees/worktree-host.ts': 'a host’s own files, as durable as a store’s',
  'worker/worktrees/worktree-records.ts': 'a host’s own files, as durable as a store’s',
};

const NAMES = [...new Set(Object.values(stateLayout('/state')).map((path) => basename(path)))].filter((name) => name !== 'key');
const NAMED = NAMES.map((name) => name.replace('.', '\\.')).join('|');
/** A path segment that is one of the store's folders or files, joined to another segment or written after one. */
const BUILDS_PATH = new RegExp(`\\b(?:join|resolve)\\([^;]*?['"\`](?:[^'"\`]*/)?(?:${NAMED})(?:/[^'"\`]*)?['"\`]|\\}/(?:${NAMED})[/\`]`);
const PARSES_NAME = /\bfileName\(|\btextOfName\(|['"`]\.jsonl['"`]|\\\.jsonl|%2F(?:account|requests|transcript)/;

const SOURCES = sourcesIn(ROOMS);
/** The files whose text fits. */
const filesWith = (pattern: RegExp): string[] => SOURCES.flatMap(([file, text]) => (pattern.test(text) ? [file] : []));

test('no path of a store’s file is built outside of records/', () => {
  expect(NAMES).toEqual(expect.arrayContaining(['artifacts', 'ledger', 'environments', 'callbacks', 'runs', 'in-flight', 'server.json']));
  expect(filesWith(BUILDS_PATH)).toEqual([]);
});

test('no name of a store’s file is made or parsed outside of records/', () => {
  expect(filesWith(PARSES_NAME)).toEqual([]);
});

test('who reaches behind the ports is listed, with what for', () => {
  const found = filesWith(/records\/(?:directory|memory)\//).filter((file) => !file.startsWith('cli/testing/'));
  expect(found.sort()).toEqual(Object.keys(BEHIND).sort());
});

test('a process opens its store once: commands in one place, a worker that no command has started in another', () => {
  const opens = filesWith(/\bopenRecords\(/).filter((file) => !file.startsWith('bench/'));
  expect(opens.sort()).toEqual(['worker/open-store.ts']);
});

const PORTS = [
  'artifact-store',
  'control-store',
  'caller-environments',
  'ended-index',
  'fleet-slots',
  'gate-links',
  'handovers',
  'host-presence',
  'ledger',
  'named-outputs',
  'refused-answers',
  'run-index',
  'service-key',
  'step-logs',
  'store-identity',
];

test.each(PORTS)('the port %s says what it asks of a store, and promises no path that it has to have', (name) => {
  const text = readFileSync(join(ROOT, `records/${name}.ts`), 'utf8');
  expect(text.replace(/\s+\*?\s*/g, ' ')).toMatch(/Requires of the store: |asks nothing of the store/);
  expect(text).not.toMatch(/\bSync\b|node:/);
  // Ports answer with promises, because a store may be far away.
  for (const [, answer = ''] of text.matchAll(/^ {2}locate\([^)]*\): ([^;]*);/gm)) expect(answer).toBe('Promise<string | undefined>');
});

test.each([
  "join(stateDir, 'ledger')",
  "join(\n  stateDir,\n  'artifacts',\n  kind,\n)",
  "resolve(root, 'runs/x')",
  'readFile(`${' + 'stateDir}/ledger/a`)',
  "join(root, 'server.json')",
])('such a path is found: %s', (text) => {
  expect(BUILDS_PATH.test(text)).toBe(true);
});

test.each(["join(cwd, 'pipelines')", "join(dist, 'workflows', 'temporal')"])('another is let pass: %s', (text) => {
  expect(BUILDS_PATH.test(text)).toBe(false);
});

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeLease } from '../../cli/embedded/leases';
import { makeStateFolders, serverFiles } from '../../cli/embedded/state-files';
import { fileLog } from '../../cli/session/worker-log';
import { ArtifactFiles } from '../../records/directory/artifact-files';
import { ControlFiles } from '../../records/directory/control-files';
import { EnvironmentFiles } from '../../records/directory/environment-files';
import { FleetSlotFiles } from '../../records/directory/fleet-slot-files';
import { GateLinkFiles } from '../../records/directory/gate-link-files';
import { LedgerFiles } from '../../records/directory/ledger-files';
import { NamedFiles } from '../../records/directory/named-files';
import { RefusedAnswerFiles } from '../../records/directory/refused-answer-files';
import { closeStateFolder, modesOpenToOthers } from '../../records/directory/state-folder';
import { storeKeyFile } from '../../records/directory/store-key-file';
import { withFileLock } from '../../records/locks/file-lock';
import { workFolder } from '../../worker/work-folder';
import { openPaths } from '../support/open-paths';
import { KEY, scratchFolder } from './workshop';

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

let umask: number;
beforeEach(() => {
  umask = process.umask(0);
});
afterEach(() => void process.umask(umask));

test('nothing that is made in a state folder can be read by others, whatever the umask', async () => {
  const root = join(scratchFolder(), 'deep', '.thermidor');
  const files = serverFiles(root);
  makeStateFolders(files);
  const artifacts = new ArtifactFiles(root);
  const ref = await artifacts.put('one', { mediaType: 'text/plain', name: 'One.md' });
  const batch = artifacts.batch();
  await batch.put('two', { mediaType: 'text/plain' });
  await batch.sync();
  const address = { path: [{ id: 'a' }], round: 1, try: 1 };
  await new NamedFiles(root, artifacts).layOut(ref, 'run', address);
  const ledger = new LedgerFiles(root);
  await ledger.putIfAbsent(KEY, 'record', 1);
  await ledger.append(KEY, 'log', 1);
  await (await ledger.recordLog(KEY, 'records')).close();
  await new EnvironmentFiles(root).write('run', { env: { SECRET: 'x' } });
  await storeKeyFile(root)();
  const link = { run: 'run', channel: 'c', step: 'a', kind: 'approval', question: 'q', choices: [], shownSha256: 's' } as const;
  await new GateLinkFiles(root).put('a-key', link);
  const refused = new RefusedAnswerFiles(root, () => undefined);
  refused.add({ at: '', status: 403, reason: 'r', way: 'w', from: 'f' });
  await refused.written();
  await workFolder(root, 'run', address);
  fileLog(root, 'me')('warn', 'a line');
  takeLease(files.leases, 'worker', [], new Date(0));
  expect(await withFileLock(files.lock, async () => openPaths(root))).toEqual([]);
  expect(openPaths(join(root, '..', '..'))).toEqual([]);
  expect(readdirSync(root).sort()).toEqual([
    '.gitignore',
    'artifacts',
    'callbacks',
    'environments',
    'leases',
    'ledger',
    'logs',
    'runs',
    'work',
  ]);
});

describe('in a git repository', () => {
  const FIRST_MAKERS: Readonly<Record<string, (root: string) => unknown>> = {
    'a server or a session': (root) => makeStateFolders(serverFiles(root)),
    'a worker': (root) => closeStateFolder(root),
    'an output': (root) => new ArtifactFiles(root).put('one', { mediaType: 'text/plain' }),
    'outputs of a batch': (root) => new ArtifactFiles(root).batch().put('one', { mediaType: 'text/plain' }),
    'a plan': (root) => new ControlFiles(root).put('plan', '{}', 'a.plan.json'),
    'a record': (root) => new LedgerFiles(root).putIfAbsent(KEY, 'record', 1),
    'a line of a log': (root) => fileLog(root, 'me')('warn', 'a line'),
  };

  test.each(Object.keys(FIRST_MAKERS))('a state folder that %s makes leaves the checkout clean', async (maker) => {
    const repository = scratchFolder();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
    git('init', '-q');
    await FIRST_MAKERS[maker]?.(join(repository, '.thermidor'));
    expect(readdirSync(join(repository, '.thermidor'))).toContain('.gitignore');
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
  });

  test('a folder that holds what is somebody else’s is not ignored, and an own .gitignore stays', () => {
    const [mixed, own] = [scratchFolder(), scratchFolder()];
    writeFileSync(join(mixed, 'index.js'), '');
    writeFileSync(join(own, '.gitignore'), '!runs\n');
    for (const root of [mixed, own]) closeStateFolder(root);
    expect(readdirSync(mixed)).toEqual(['index.js']);
    expect(readFileSync(join(own, '.gitignore'), 'utf8')).toBe('!runs\n');
  });
});

describe('a state folder that is there and open', () => {
  function older(...others: string[]): string {
    const root = join(scratchFolder(), '.thermidor');
    for (const folder of ['artifacts', 'ledger', ...others]) mkdirSync(join(root, folder), { recursive: true, mode: 0o755 });
    for (const file of ['temporal.db', 'temporal.db-wal', 'server.json']) writeFileSync(join(root, file), '', { mode: 0o644 });
    chmodSync(root, 0o2775);
    return root;
  }

  test('is narrowed to its owner, with what lies at its top', () => {
    const root = older();
    expect(modesOpenToOthers(root)).toHaveLength(5);
    closeStateFolder(root);
    expect([modesOpenToOthers(root), openPaths(root)]).toEqual([[], []]);
    expect([modeOf(root) & 0o777, modeOf(join(root, 'temporal.db'))]).toEqual([0o700, 0o600]);
  });

  test('is narrowed too once agents have waited in it for their turn', async () => {
    const root = older();
    await new FleetSlotFiles(root).take('p', { workflowId: 'w', run: 'r', step: 'a' }, 1);
    closeStateFolder(root);
    expect([openPaths(root), modeOf(root) & 0o777, readdirSync(root)]).toEqual([[], 0o700, expect.arrayContaining(['.gitignore'])]);
  });

  test('keeps its mode if it holds what is somebody else’s, which keeps its own too', () => {
    const root = older('Documents');
    closeStateFolder(root);
    expect(modesOpenToOthers(root)).toEqual([]);
    expect([modeOf(root) & 0o777, modeOf(join(root, 'Documents')), modeOf(join(root, 'ledger'))]).toEqual([0o775, 0o755, 0o700]);
  });

  test('keeps its mode if it is everybody’s, as /tmp is', () => {
    const root = scratchFolder();
    chmodSync(root, 0o1777);
    closeStateFolder(root);
    expect(modeOf(root)).toBe(0o1777);
  });

  test('what is linked into it keeps its mode', () => {
    const [root, elsewhere] = [older(), mkdtempSync(join(scratchFolder(), 'elsewhere-'))];
    chmodSync(elsewhere, 0o755);
    symlinkSync(elsewhere, join(root, 'work'));
    closeStateFolder(root);
    expect(modeOf(elsewhere)).toBe(0o755);
  });
});

/** Files whose calls make the author's files, in the author's folders: there the umask decides. */
const AUTHORS = new Set([
  'activities/adapters/git/copy-files.ts',
  'activities/adapters/text-files.ts',
  'activities/adapters/work-folder/open-folder.ts',
  'activities/adapters/work-folder/work-folders.ts',
  'cli/init/write-folder.ts',
  'cli/teams/report.ts',
  'cli/commands/journal.ts',
  'cli/commands/test.ts',
  'cli/recording/save.ts',
]);
const MAKES =
  /(?<![.\w]|function |async )(mkdir|mkdirSync|writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|openSync|open)\([^;]*;/g;

test('every call that makes a file or a folder says its mode, but for those that make the author’s', () => {
  const root = join(__dirname, '..', '..');
  const calls = ['records', 'activities', 'cli', 'client', 'worker'].flatMap((room) =>
    (readdirSync(join(root, room), { recursive: true }) as string[])
      .map((path) => join(room, path))
      .filter((path) => path.endsWith('.ts') && !AUTHORS.has(path))
      .flatMap((path) => {
        const text = readFileSync(join(root, path), 'utf8');
        if (!text.includes("'node:fs")) return [];
        return [...text.matchAll(MAKES)].map(([call]) => `${path}: ${call}`);
      }),
  );
  const silent = calls.filter((call) => !/mode|_MODE|O_RDONLY|, 'r'/.test(call));
  expect(silent).toEqual([]);
  expect(calls.length).toBeGreaterThan(10);
});

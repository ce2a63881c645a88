import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { DiskTextFiles } from '../../activities/adapters/text-files';
import { type Invocation, Options } from '../../cli/command';
import { execute as agents } from '../../cli/commands/agents';
import { execute as lint } from '../../cli/commands/brief-lint';
import { execute as briefPlan } from '../../cli/commands/brief-plan';
import { execute as briefRun } from '../../cli/commands/brief-run';
import { execute as graph } from '../../cli/commands/graph';
import { execute as plan } from '../../cli/commands/plan';
import { execute as run } from '../../cli/commands/run';
import { execute as validate } from '../../cli/commands/validate';
import { missingSettings } from '../../cli/init/missing-settings';
import { readWorkflow } from '../../cli/lobster/program';
import { readSettingsFile } from '../../cli/settings/settings-file';
import { TestReader } from '../../cli/testing/read-tests';
import { statIfReadable } from '../../worker/source-file';
import { fakeTerminal } from './fake-terminal';

/** A file that somebody names is refused at once if reading it would not end. */

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'thermidor-named-'));
  writeFileSync(join(cwd, 'thermidor.yaml'), '');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const GIB = 1024 ** 3;

/** What is no source, and how a test leaves it. */
const FILES: Readonly<Record<string, [make: (path: string) => (() => void) | undefined, says: string]>> = {
  'a named pipe': [
    (path) => {
      execFileSync('mkfifo', [path]);
      // Whatever waits for the pipe goes on after this, so that a test that fails also ends.
      const writer = spawn('sh', ['-c', 'sleep 3; : > "$0"', path], { detached: true, stdio: 'ignore' });
      writer.unref();
      return () => process.kill(-(writer.pid as number), 'SIGKILL');
    },
    'it is a named pipe',
  ],
  'a device': [(path) => void symlinkSync('/dev/null', path), 'it is a device'],
  'a folder': [(path) => void mkdirSync(path), 'a folder'],
  'a file of five gigabytes': [
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, 5 * GIB);
      return undefined;
    },
    'at most',
  ],
};

const COMMANDS: Readonly<Record<string, (invocation: Invocation) => Promise<number>>> = {
  ...{ 'brief lint': lint, 'brief plan': briefPlan, 'brief run': briefRun, validate, plan, graph, run, agents },
};

async function refusal(kind: string, file: string, read: (path: string) => unknown): Promise<unknown> {
  const path = join(cwd, file);
  const end = FILES[kind]?.[0](path);
  try {
    return await read(path);
  } catch (error) {
    return error;
  } finally {
    end?.();
  }
}

const CASES = Object.keys(FILES).flatMap((kind) => Object.entries(COMMANDS).map(([name, command]) => ({ kind, name, command })));

/** `validate` goes on with the next file, and says so; the others throw. */
async function refusedBy(command: (invocation: Invocation) => Promise<number>, path: string): Promise<unknown> {
  const terminal = fakeTerminal({ cwd, env: { USER: 'eve' } });
  const options = new Options({ stateDir: join(cwd, 'state') });
  const exit = await command({ args: [path], options, terminal, catalogue: { commands: [], nouns: {} } });
  return { exit, message: terminal.written.out + terminal.written.err };
}

it.each(CASES)('$kind is refused by `thermidor $name`', async ({ kind, command }) => {
  const found = await refusal(kind, 'site.md', () => refusedBy(command, 'site.md'));
  expect(found).toMatchObject({ exit: 2, message: expect.stringMatching(new RegExp(`site\\.md[^]*${FILES[kind]?.[1]}`)) });
});

it.each(Object.keys(FILES))('%s is refused as settings, as a test, and as a file of Lobster’s', async (kind) => {
  const says = new RegExp(FILES[kind]?.[1] ?? '');
  expect(await refusal(kind, 'settings.yaml', (path) => readSettingsFile(path, 'settings.yaml'))).toMatchObject({ exit: 2 });
  expect(String(await refusal(kind, 'a.test.yaml', () => new TestReader(cwd).read('a.test.yaml')))).toMatch(says);
  expect(String(await refusal(kind, 'w.lobster', (path) => readWorkflow(path, 'w.lobster')))).toMatch(says);
});

it.each(Object.keys(FILES))('%s in a folder does not stop the work with the other files', async (kind) => {
  expect(await refusal(kind, 'site.md', statIfReadable)).toBeUndefined();
});

it('a named pipe is refused as the file of a secret, and as a file that a stage reads', async () => {
  const pipe = 'a named pipe';
  const secret = await refusal(pipe, 'hook', (path) => new LocalSecrets({}).resolve(`secret://file${path}`));
  expect(secret).toMatchObject({ code: 'secret.missing', message: expect.stringContaining(`it is ${pipe}`) });
  const file = await refusal(pipe, 'seen.json', (path) => new DiskTextFiles().read(path, 1000));
  expect(file).toMatchObject({ code: 'stage.failed', message: expect.stringContaining(`it is ${pipe}`) });
});

it('`thermidor init` does not read a named pipe', () => {
  const path = join(cwd, 'settings.yaml');
  execFileSync('mkfifo', [path]);
  const writer = spawn('sh', ['-c', 'sleep 3; echo "a: {}" > "$0"', path], { detached: true, stdio: 'ignore' });
  expect(missingSettings(path, 'a: {}')).toBe('a: {}\n');
  process.kill(-(writer.pid as number), 'SIGKILL');
});

it('a socket is refused', async () => {
  const path = join(cwd, 'site.md');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  expect(await refusedBy(validate, 'site.md')).toMatchObject({ exit: 2, message: expect.stringContaining('it is a socket') });
  server.close();
});

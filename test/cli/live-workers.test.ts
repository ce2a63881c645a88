import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkServing } from '../../cli/checks/serving';
import { Options } from '../../cli/command';
import { execute as run } from '../../cli/commands/run';
import { writeJsonFile } from '../../cli/embedded/json-file';
import { takeLease } from '../../cli/embedded/leases';
import { writeServerRecord } from '../../cli/embedded/server-record';
import { makeStateFolders, serverFiles } from '../../cli/embedded/state-files';
import { EXIT } from '../../cli/exit';
import { HELLO } from '../../cli/init/hello-template';
import { contentOf } from '../../cli/init/write-folder';
import { workerLeaseNote } from '../../cli/serving/worker-lease-note';
import { type Configuration, loadConfiguration } from '../../cli/settings/configuration';
import { identifyProcess } from '../../records/locks/process-identity';
import { scratchFolder } from '../activities/workshop';
import { fakeTerminal } from './fake-terminal';

/** Processes that serve a folder record facts about themselves, which the starter of a run uses. */
const KEY = 'sk-ant-of-a-test-1234';
/** Runs as long as the tests, and does nothing. */
const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
const OTHER = other.pid ?? 0;
afterAll(() => other.kill('SIGKILL'));

let cwd = '';
let settings = '';

beforeEach(() => {
  cwd = scratchFolder();
  for (const [path, text] of Object.entries(contentOf(HELLO))) {
    mkdirSync(join(cwd, path, '..'), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  set('');
});

function set(text: string): void {
  settings = `pipelines: [pipelines]\n${text}`;
  writeFileSync(join(cwd, 'thermidor.yaml'), settings);
}

const load = (env: NodeJS.ProcessEnv = {}): Configuration => loadConfiguration(new Options({}), { cwd, env, home: cwd, platform: 'linux' });

/** Begins to serve the folder as another process with that environment would. */
async function serve(env: NodeJS.ProcessEnv | 'nothing said'): Promise<void> {
  const configuration = load();
  const files = serverFiles(configuration.stateDir.value);
  makeStateFolders(files);
  const mark = identifyProcess(OTHER) ?? { pid: OTHER, began: '' };
  writeServerRecord(files.server, { port: 1, uiPort: 2, process: mark, binary: '', startedAt: '' });
  const about = env === 'nothing said' ? undefined : await workerLeaseNote(configuration, env);
  const { path, lease } = takeLease(files.leases, 'worker', [], new Date(0), about);
  writeJsonFile(path, { ...lease, process: mark });
}

async function problems(env: NodeJS.ProcessEnv): Promise<{ problems: string[]; err: string }> {
  const terminal = fakeTerminal({ cwd, env });
  const options = new Options({ live: true, dryRun: true, json: true });
  await run({ args: ['hello'], options, terminal, catalogue: { commands: [], nouns: {} } });
  return { problems: JSON.parse(terminal.written.out).problems, err: terminal.written.err };
}

test('a run is refused whose agents those who serve the folder cannot ask, whatever this process could', async () => {
  await serve({});
  const terminal = fakeTerminal({ cwd, env: { ANTHROPIC_API_KEY: KEY } });
  const order = { args: ['hello'], options: new Options({ live: true }), terminal, catalogue: { commands: [], nouns: {} } };
  await expect(run(order)).rejects.toMatchObject({
    exit: EXIT.unreachable,
    code: 'secret.missing',
    more: { details: { problems: [expect.stringMatching(new RegExp(`writer.*process ${OTHER}.*ANTHROPIC_API_KEY`))] } },
  });
});

test('a run is not refused that one of those who serve the folder can work on, though this process could not', async () => {
  await serve({});
  await serve({ ANTHROPIC_API_KEY: KEY });
  expect(await problems({})).toEqual({ problems: [], err: '' });
});

test('nobody is refused for what is not known: a process that serves says nothing about itself', async () => {
  await serve({});
  await serve('nothing said');
  expect(await problems({})).toEqual({ problems: [], err: '' });
});

test('settings that changed since somebody read them are reported, and nobody is refused for the old ones', async () => {
  await serve({});
  expect(await checkServing(load())).toEqual([]);
  set('models: { claude-haiku-4-5: { model: qwen3, adapter: openai } }\n');
  const told = await problems({});
  expect(told).toEqual({ problems: [], err: expect.stringContaining(`process ${OTHER} `) });
  expect(told.err.split('\n')).toHaveLength(2);
  expect(await checkServing(load())).toMatchObject([{ state: 'warning', says: expect.stringContaining(`process ${OTHER} `) }]);
});

test('what is not a setting of its own does not count as a change', async () => {
  await serve({});
  writeFileSync(join(cwd, 'thermidor.yaml'), `# Of this folder.\n${settings}`);
  expect(await checkServing(load())).toEqual([]);
});

test('a program that is there meanwhile is found; one that is not is reported', async () => {
  set('default_adapter: mybot\nadapters: { mybot: { kind: cli, command: [mybot-of-a-test] } }\n');
  const bin = join(cwd, 'bin');
  await serve({ PATH: bin });
  expect((await problems({ PATH: bin })).problems).toEqual([expect.stringContaining('mybot-of-a-test')]);
  mkdirSync(bin);
  writeFileSync(join(bin, 'mybot-of-a-test'), '#!/bin/sh\n', { mode: 0o755 });
  expect((await problems({ PATH: bin })).problems).toEqual([]);
});

test('a key in a file that is there meanwhile is found', async () => {
  const file = join(cwd, 'key');
  set(`adapters: { anthropic: { key: "secret://file${file}" } }\n`);
  await serve({});
  expect((await problems({})).problems).toEqual([expect.stringContaining(file)]);
  writeFileSync(file, KEY);
  expect((await problems({})).problems).toEqual([]);
});

test('a server of tools is looked at as an adapter is', async () => {
  set('mcp: { docs: { url: "https://docs.example.test/mcp", headers: { authorization: secret://env/DOCS } } }\n');
  writeFileSync(join(cwd, 'pipelines/agents/writer.yaml'), 'title: W\nmodel: m\nrole: Writes.\ntools: [mcp__docs]\n');
  await serve({ ANTHROPIC_API_KEY: KEY });
  expect((await problems({ ANTHROPIC_API_KEY: KEY, DOCS: 'x' })).problems).toEqual([expect.stringContaining('DOCS')]);
});

test('of adapters of an application’s own workers nothing is known', async () => {
  set('default_adapter: house\nadapters: { house: { kind: own } }\n');
  await serve({});
  expect((await problems({})).problems).not.toContainEqual(expect.stringContaining('house'));
});

test('a note has no secret in it', async () => {
  set('adapters: { team: { kind: anthropic, key: secret://env/TEAM } }\nmail: { smtp: "smtp://me:hunter2@x.org", from: a@x.org }\n');
  const note = JSON.stringify(await workerLeaseNote(load(), { ANTHROPIC_API_KEY: KEY, TEAM: 'line\nbreak-hunter2' }));
  expect(note).toContain('"team"');
  expect(note).not.toMatch(/hunter2|sk-ant/);
});

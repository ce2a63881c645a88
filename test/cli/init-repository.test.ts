import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Options } from '../../cli/command';
import { execute as init } from '../../cli/commands/init';
import { execute as runTests } from '../../cli/commands/test';
import { execute as validate } from '../../cli/commands/validate';
import { EXIT } from '../../cli/exit';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

let root = '';
let repo = '';
beforeEach(() => {
  root = scratchFolder();
  repo = join(root, 'my repo');
  mkdirSync(join(repo, 'sub'), { recursive: true });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: repo });
});

const catalogue = { commands: [], nouns: {} };
const call = (
  options: Record<string, unknown> = {},
  { cwd = repo, args = [] as string[], programs = {} as Record<string, string> } = {},
) => {
  const bin = join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const terminal = fakeTerminal({ cwd, env: { PATH: [bin, '/usr/bin', '/bin'].join(delimiter), HOME: root } });
  return { terminal, exit: init({ args, options: new Options({ repo: true, ...options }), terminal, catalogue }) };
};
const adapter = () => /^adapter: (.*)$/m.exec(readFileSync(join(repo, 'pipelines/agents/coder.yaml'), 'utf8'))?.[1];

/** A program of that version. Asked whether somebody is logged in, it ends with `status`. It notes what it was asked. */
const program = (version: string, status: number) =>
  `echo "$*" >> "$HOME/words"; if [ "$*" = --version ]; then echo ${version}; else exit ${status}; fi`;

test('what it writes is valid without a warning, script and all, and lies at the top of the repository', async () => {
  const { terminal, exit } = call({}, { cwd: join(repo, 'sub') });
  expect(await exit).toBe(EXIT.done);
  expect(terminal.written.out).toContain('cd ..\n');
  expect(readdirSync(join(repo, 'sub'))).toEqual([]);
  const pipeline = join(repo, 'pipelines/coding-agent.yaml');
  const checked = fakeTerminal({ cwd: repo, env: {} });
  const options = new Options({ script: 'coding-agent', json: true });
  expect(await validate({ args: [pipeline], options, terminal: checked, catalogue })).toBe(EXIT.done);
  expect(JSON.parse(checked.written.out)).toMatchObject({ ok: true, files: [{ pipeline: 'coding-agent', diagnostics: [] }] });
});

test('what it writes comes with tests that reach all of it', async () => {
  await call().exit;
  const terminal = fakeTerminal({ cwd: repo, env: {} });
  const options = new Options({ json: true, coverageMin: '100', coverageMinBranches: '100' });
  expect(await runTests({ args: ['pipelines/coding-agent.test.yaml'], options, terminal, catalogue })).toBe(EXIT.done);
  expect(JSON.parse(terminal.written.out)).toMatchObject({ ok: true, failed: 0 });
});

test('the lines that it prints commit all that it wrote', async () => {
  const { terminal, exit } = call();
  await exit;
  const lines = terminal.written.out.split('\n').filter((line) => line.startsWith('  git '));
  expect(lines).toHaveLength(2);
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  const git = lines.map((line) => line.trim().replace(/^git /, `git ${identity.join(' ')} `)).join(' && ');
  execFileSync('sh', ['-ec', git], { cwd: repo, stdio: 'ignore' });
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: repo, encoding: 'utf8' })).toBe('');
});

test('files that are there stay as they are, and are not among those to be committed', async () => {
  mkdirSync(join(repo, 'pipelines/agents'), { recursive: true });
  writeFileSync(join(repo, 'pipelines/agents/coder.yaml'), 'role: Mine.\n');
  writeFileSync(join(repo, 'thermidor.yaml'), 'user: eve\n');
  const { terminal, exit } = call();
  expect(await exit).toBe(EXIT.done);
  expect(readFileSync(join(repo, 'pipelines/agents/coder.yaml'), 'utf8')).toBe('role: Mine.\n');
  expect(terminal.written.out).toMatch(
    /git add pipelines\/coding-agent.test.yaml pipelines\/coding-agent.yaml pipelines\/scripts\/coding-agent.yaml\n/,
  );
});

describe('the program is', () => {
  test.each([
    ['the one that is logged in', { claude: program('2.1.197', 1), codex: program('codex-cli 0.169.0', 0) }, 'codex'],
    ['the first of several', { claude: program('2.2.0', 0), codex: program('codex-cli 0.170.0', 0) }, 'claude'],
    ['one that may be logged in, before one that is not', { claude: program('2.1.197', 1), gemini: 'exit 9' }, 'gemini'],
    ['one that nobody is logged in to, where there is no other', { codex: program('codex-cli 0.169.0', 1) }, 'codex'],
    ['claude, where none is installed', {}, 'claude'],
  ])('%s', async (_, programs: Record<string, string>, chosen) => {
    const { exit } = call({}, { programs });
    expect(await exit).toBe(EXIT.done);
    expect(adapter()).toBe(chosen);
  });

  test('the one that is named, installed or not, with what to install', async () => {
    const { terminal, exit } = call({ agent: 'gemini' }, { programs: { claude: program('2.1.197', 0) } });
    expect(await exit).toBe(EXIT.done);
    expect(adapter()).toBe('gemini');
    expect(terminal.written.out).toContain('gemini is not installed');
  });

  test('one of the settings of the repository', async () => {
    writeFileSync(join(repo, 'thermidor.yaml'), 'adapters:\n  mine: { kind: cli, command: [mine] }\n');
    const { exit } = call({ agent: 'mine' });
    expect(await exit).toBe(EXIT.done);
    expect(adapter()).toBe('mine');
  });

  test('asked nothing if its version is older than those that were tried: it might take the words for a task', async () => {
    const { exit } = call({}, { programs: { claude: program('1.0.3', 0) } });
    expect(await exit).toBe(EXIT.done);
    expect(readFileSync(join(root, 'words'), 'utf8')).toBe('--version\n');
  });
});

describe('it refuses, and writes nothing,', () => {
  test.each([
    ['outside of a repository', {}, () => ({ cwd: root }), 'repository.missing'],
    ['in a folder that is not there', {}, () => ({ args: ['none'] }), 'repository.missing'],
    ['a program that there is none of', { agent: 'codx' }, () => ({}), 'usage'],
    ['a service, which is no program', { agent: 'anthropic' }, () => ({}), 'usage'],
    ['--agent without --repo', { repo: false, agent: 'codex' }, () => ({}), 'usage'],
  ])('%s', async (_, options, where, code) => {
    await expect(call(options, where()).exit).rejects.toMatchObject({ exit: EXIT.usage, code, more: { hint: expect.any(String) } });
    expect(readdirSync(repo)).toEqual(['.git', 'sub']);
    expect(readdirSync(root).filter((name) => name.includes('pipelines'))).toEqual([]);
  });
});

test('`--template coding-agent` is the same, and goes with no other template', async () => {
  const terminal = fakeTerminal({ cwd: repo, env: { PATH: '/usr/bin:/bin', HOME: root } });
  const named = (options: Record<string, unknown>) => init({ args: [], options: new Options(options), terminal, catalogue });
  expect(await named({ template: 'coding-agent' })).toBe(EXIT.done);
  expect(terminal.written.out).toContain('+ pipelines/coding-agent.yaml\n');
  expect(terminal.written.out).toContain('git add ');
  await expect(named({ repo: true, template: 'release' })).rejects.toMatchObject({ exit: EXIT.usage });
});

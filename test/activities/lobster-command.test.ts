import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { command } from '../../activities/commands/command';
import type { CommandStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { EnvironmentFiles } from '../../records/directory/environment-files';
import { codeOf, KEY, literal, scratchFolder, type Workshop, workshop } from './workshop';

function shop(): Workshop {
  return workshop({ processes: new GroupProcessRunner() });
}

async function run(at: Workshop, shell: CommandStep['command'], more: Partial<CommandStep> = {}, args: Record<string, Json> = {}) {
  await at.open([{ id: 'build', kind: 'command', command: shell, ...more }], { dialect: 'lobster' }, undefined, args);
  const output = await command(at.toolbox, at.call('build#1~1'), { run: KEY.run });
  return { ...output, stdout: (await at.artifacts.get(output.artifact!)).toString() };
}

describe('a command of a Lobster file', () => {
  test('gets references as raw text', async () => {
    expect((await run(shop(), { shell: ['echo ', literal('a; echo b')], raw: true })).stdout).toBe('a\nb\n');
  });

  test('sees the caller’s environment whole, then the args, then its own', async () => {
    const at = shop();
    const env = { PATH: process.env['PATH'], TOKEN: 'callers', LOBSTER_ARG_MAX_N: 'hidden', MINE: 'hidden' };
    await at.environments.write(KEY.workflowId, { env });
    const shell = 'printf "%s|" "$TOKEN" "$LOBSTER_ARG_MAX_N" "$LOBSTER_ARG_LIST" "$LOBSTER_ARGS_JSON" "$MINE" "$LC_ALL"';
    const { stdout } = await run(at, { shell: [shell], raw: true }, { env: { MINE: ['own'] } }, { 'max-n': 3, list: [1, 2] });
    expect(stdout).toBe('callers|3|1,2|{"max-n":3,"list":[1,2]}|own||');
  });

  test('runs where the caller was; a relative folder is the caller’s', async () => {
    const at = shop();
    await at.environments.write(KEY.workflowId, { env: { PATH: process.env['PATH'] }, cwd: '/usr' });
    expect((await run(at, { shell: ['pwd'] })).stdout).toBe('/usr\n');
    const other = shop();
    await other.environments.write(KEY.workflowId, { env: { PATH: process.env['PATH'] }, cwd: '/usr' });
    expect((await run(other, { shell: ['pwd'] }, { cwd: ['bin/..'] })).stdout).toBe('/usr\n');
  });

  test('sees the worker’s environment if the caller left none, but not Thermidor’s keys', async () => {
    const { stdout } = await run(shop(), { shell: ['env'] });
    expect(stdout).toContain('PATH=');
    expect(stdout).not.toContain('THERMIDOR_');
  });

  test('has no output but stdout if that is not JSON', async () => {
    const { values } = await run(shop(), { shell: ['echo text'] }, { reads: [[]], readsStdout: true });
    expect(values).toEqual({ $: null, $stdout: 'text\n' });
  });

  test('runs in the shell that the caller names', async () => {
    const at = shop();
    await at.environments.write(KEY.workflowId, { env: { PATH: process.env['PATH'], LOBSTER_SHELL: '/bin/echo' } });
    expect((await run(at, { shell: ['true'], raw: true })).stdout).toBe('-lc true\n');
  });
});

describe('a caller’s environment', () => {
  test('is a file that its owner alone can read, and goes when it is removed', async () => {
    const root = scratchFolder();
    const files = new EnvironmentFiles(root, {});
    await files.write('demo', { env: { A: '1', GONE: undefined } });
    expect(statSync(join(root, 'environments', 'demo.json')).mode & 0o777).toBe(0o600);
    expect(await files.callerOf('demo')).toEqual({ env: { A: '1' } });
    await files.remove('demo');
    expect(await files.callerOf('demo')).toEqual({ env: {} });
  });

  test('goes to a child run that has none of its own', async () => {
    const files = new EnvironmentFiles(scratchFolder(), {});
    await files.write('parent', { env: { A: 'parent' } });
    await files.write('known', { env: { A: 'known' } });
    await files.inherit('child', 'parent');
    await files.inherit('known', 'parent');
    await files.inherit('other', 'nobody');
    expect([await files.callerOf('child'), await files.callerOf('known'), await files.callerOf('other')]).toEqual([
      { env: { A: 'parent' } },
      { env: { A: 'known' } },
      { env: {} },
    ]);
  });

  test.each(['{', '{"env": {"A": 1}}', '[]', '{"env": {}, "cwd": 1}'])(
    'that is damaged stops the command and is not replaced: %s',
    async (text) => {
      const root = scratchFolder();
      const files = new EnvironmentFiles(root, {});
      await files.write('demo', { env: {} });
      writeFileSync(join(root, 'environments', 'demo.json'), text);
      expect(await codeOf(files.callerOf('demo'))).toBe('store.unavailable');
    },
  );

  test('never leads to another folder', async () => {
    const files = new EnvironmentFiles(scratchFolder(), {});
    await files.write('../../etc/x', { env: { A: '1' } });
    expect(await files.callerOf('../../etc/x')).toEqual({ env: { A: '1' } });
  });
});

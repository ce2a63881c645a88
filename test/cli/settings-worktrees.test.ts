import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { checkWorktrees, gitCheck } from '../../cli/checks/worktrees';
import { Options } from '../../cli/command';
import { CommandFailure } from '../../cli/exit';
import { type Configuration, gitAccess, loadConfiguration, worktreeSettings } from '../../cli/settings/configuration';
import { configurationOf } from '../../cli/settings/settings';
import { hostName } from '../../records/locks/host-name';
import { folderProblem } from '../../worker/worktrees/folder-problem';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';
import { mistakesOf } from './settings-mistakes';

function load(folder: string, env: NodeJS.ProcessEnv = {}, cwd = folder): Configuration {
  return loadConfiguration(new Options({}), { cwd, env, home: join(folder, 'home'), platform: 'linux' });
}

describe('the settings', () => {
  test('without anything, worktrees lie in the user’s folder of states', () => {
    const folder = scratchFolder();
    expect(worktreeSettings(load(folder))).toEqual({ folder: join(folder, 'home/.local/state/thermidor/worktrees') });
    expect(load(folder, { XDG_STATE_HOME: '/var/state' }).worktreesFolder.value).toBe('/var/state/thermidor/worktrees');
    expect(load(folder, { XDG_STATE_HOME: 'relative' }).worktreesFolder.value).toBe(join(folder, 'home/.local/state/thermidor/worktrees'));
    expect(gitAccess(load(folder))).toEqual({});
  });

  test('paths in the file are relative to it, and variables win', () => {
    const folder = scratchFolder();
    const below = join(folder, 'below');
    mkdirSync(below);
    writeFileSync(
      join(folder, 'thermidor.yaml'),
      'worktrees: {folder: trees, ports: {to: 40000}, keep_refs_days: 7}\ngit: {config: git.conf, ssh: ssh -i key}\n',
    );
    const settings = load(folder, {}, below);
    expect(worktreeSettings(settings)).toEqual({
      folder: join(folder, 'trees'),
      ports: { from: 20_000, to: 40_000, block: 10 },
      keepRefsDays: 7,
    });
    expect(gitAccess(settings)).toEqual({ configFile: join(folder, 'git.conf'), sshCommand: 'ssh -i key' });
    const env = { THERMIDOR_WORKTREES: 'mine', THERMIDOR_GIT_CONFIG: '/etc/git.conf', THERMIDOR_GIT_SSH: 'ssh -F none' };
    const stronger = load(folder, env, below);
    expect(worktreeSettings(stronger).folder).toBe(join(below, 'mine'));
    expect(gitAccess(stronger)).toEqual({ configFile: '/etc/git.conf', sshCommand: 'ssh -F none' });
    expect(stronger.worktreesFolder.source).toBe('THERMIDOR_WORKTREES');
  });

  test('the host is named by the variable, else by the file, else by the system', () => {
    const folder = scratchFolder();
    const named = (env: NodeJS.ProcessEnv) => {
      configurationOf({ options: new Options({}), terminal: fakeTerminal({ cwd: folder, env }) });
      return hostName(env);
    };
    writeFileSync(join(folder, 'thermidor.yaml'), 'worktrees: {host: build-7}\n');
    expect([named({}), named({ THERMIDOR_HOST: 'build-8' }), named({ THERMIDOR_HOST: '' })]).toEqual(['build-7', 'build-8', 'build-7']);
    writeFileSync(join(folder, 'thermidor.yaml'), '');
    expect(named({})).toBe(hostname());
    expect(() => named({ THERMIDOR_HOST: 'a b' })).toThrow('THERMIDOR_HOST is not a valid name for a host');
  });

  test.each([
    ['worktrees: {ports: {from: 30000}}', [1, 13, '"worktrees.ports" ends before it begins: 30000 to 29999']],
    ['worktrees:\n  ports: {from: 20000, to: 20003}', [2, 3, '"worktrees.ports" has 4 ports, fewer than a block of 10: 20000 to 20003']],
    ['worktrees: {ports: {from: 80}}', [1, 27, '"worktrees.ports.from" must be a whole number from 1024 to 65535']],
    ['worktrees: {ports: {block: 0}}', [1, 28, '"worktrees.ports.block" must be a whole number from 1 to 1000']],
    ['worktrees: {silent_seconds: 2}', [1, 29, '"worktrees.silent_seconds" must be a whole number from 3 to 3600']],
    ['worktrees: {keep_refs_days: -1}', [1, 29, '"worktrees.keep_refs_days" must be a whole number from 0 to 36500']],
    ['worktrees: {folder: 7}', [1, 21, '"worktrees.folder" must be text']],
    [
      'worktrees: {host: a b}',
      [1, 19, '"worktrees.host" must be a name: letters, digits, ., _ and -, beginning with a letter or digit, at most 63'],
    ],
    ['worktrees: {folders: x}', [1, 13, '"worktrees" has an unknown key "folders"']],
    ['git: {ssh: "a\\nb"}', [1, 13, '"git.ssh" must be one line, such as "ssh -i /run/secrets/key -o BatchMode=yes"']],
    ['git: {token: x}', [1, 7, '"git" has an unknown key "token"']],
  ])('%s is a mistake at its place', (text, [line, column, says]) => {
    expect(mistakesOf(text)).toMatchObject([{ place: { line, column }, says }]);
  });

  test('a folder that worktrees must not lie in is a mistake at its place', () => {
    const folder = scratchFolder();
    execFileSync('git', ['init', '--quiet', folder]);
    writeFileSync(join(folder, 'thermidor.yaml'), 'user: eve\nworktrees: {folder: trees}\n');
    const mistake = failureOf(() => load(folder));
    expect(mistake.code).toBe('settings.invalid');
    expect(mistake.message).toBe(`thermidor.yaml:2:21: "worktrees.folder" is in the git checkout ${folder}`);
    expect(mistake.more.hint).toContain('THERMIDOR_WORKTREES');
  });
});

describe('a folder of worktrees', () => {
  test('may lie where there is nothing yet', () => {
    const folder = scratchFolder();
    expect(folderProblem(join(folder, 'not', 'there'))).toBeUndefined();
  });

  test('must not be in a checkout, a worktree of one, or a bare repository', () => {
    const folder = scratchFolder();
    const [checkout, bare, linked] = [join(folder, 'checkout'), join(folder, 'bare.git'), join(folder, 'linked')];
    execFileSync('git', ['init', '--quiet', checkout]);
    execFileSync('git', ['init', '--quiet', '--bare', bare]);
    mkdirSync(linked);
    writeFileSync(join(linked, '.git'), 'gitdir: elsewhere\n');
    for (const at of [checkout, join(checkout, 'deep', 'er'), join(checkout, '.git', 'x'), linked]) {
      expect(folderProblem(at)?.says).toMatch(/is in the git (checkout|repository)/);
    }
    expect(folderProblem(join(bare, 'trees'))?.says).toBe(`is in the git repository ${bare}`);
    expect(folderProblem(folder)).toBeUndefined();
  });

  test('must not be below a node_modules, nor in one', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'node_modules', 'x'), { recursive: true });
    expect(folderProblem(join(folder, 'a', 'b'))?.says).toContain(`is below ${join(folder, 'node_modules')}`);
    expect(folderProblem(join(folder, 'node_modules', 'x'))?.says).toContain(`is in ${join(folder, 'node_modules')}`);
  });

  test('is judged by where a link leads', () => {
    const folder = scratchFolder();
    const checkout = join(folder, 'checkout');
    execFileSync('git', ['init', '--quiet', checkout]);
    symlinkSync(checkout, join(folder, 'link'));
    expect(folderProblem(join(folder, 'link', 'trees'))?.says).toBe(`is in the git checkout ${checkout}`);
  });
});

describe('doctor', () => {
  const of = (folder: string, config?: string) =>
    checkWorktrees({ worktreesFolder: { value: folder, source: '' }, gitConfig: { value: config, source: '' } });

  test('says where worktrees lie, and makes nothing', () => {
    const parent = scratchFolder();
    const folder = join(parent, 'a', 'b');
    const [git, worktrees] = of(folder);
    expect(git).toMatchObject({ name: 'git', state: 'ok', says: expect.stringMatching(/^git version/) });
    expect(worktrees).toMatchObject({ name: 'worktrees', says: expect.stringContaining(`${folder} can be written`) });
    expect(readdirSync(parent)).toEqual([]);
  });

  test('warns of a folder in a checkout', () => {
    const folder = scratchFolder();
    execFileSync('git', ['init', '--quiet', folder]);
    expect(of(join(folder, 'trees'))[1]).toMatchObject({ state: 'warning', says: expect.stringContaining('is in the git checkout') });
  });

  test('reads the git configuration', () => {
    const folder = scratchFolder();
    const [good, bad] = [join(folder, 'good'), join(folder, 'bad')];
    writeFileSync(good, '[safe]\n  directory = *\n');
    writeFileSync(bad, '[safe\n');
    expect(of(folder, good)[2]).toMatchObject({ state: 'ok' });
    expect(of(folder, bad)[2]).toMatchObject({ state: 'failed', says: expect.stringContaining('git cannot read') });
    expect(of(folder, join(folder, 'none'))[2]).toMatchObject({ state: 'failed', says: expect.stringContaining('does not exist') });
  });

  test.each([
    ['git version 2.34.1', 'ok'],
    ['git version 3.0.0 (Apple Git-1)', 'ok'],
    ['git version 2.33.9', 'warning'],
    ['something else', 'warning'],
  ])('of "%s" it is %s', (said, state) => {
    expect(gitCheck(() => said).state).toBe(state);
  });

  test('git that does not run is a warning', () => {
    const check = gitCheck(() => {
      throw new Error('ENOENT');
    });
    expect(check).toMatchObject({ state: 'warning', says: 'git does not run: ENOENT' });
  });
});

function failureOf(work: () => unknown): CommandFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof CommandFailure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { never, newRepository, scratchFolder, sh, write } from '../git/scene';
import { isRunning } from '../support/agent-programs/programs';
import { newHost, opened } from './host-scene';

/** A checkout with packages of its own, from which its worker was started. */
function checkoutWithPackages() {
  const folder = newRepository({ 'a.js': '', 'pkg/__init__.py': 'where = "committed"\n', '.gitignore': 'node_modules\n.venv\nbin\n' });
  write(folder, {
    'node_modules/only-main/index.js': 'module.exports = 1;\n',
    'node_modules/.bin/only-main': '#!/bin/sh\necho main\n',
    '.venv/bin/only-venv': '#!/bin/sh\necho main\n',
    'bin/own-tool': '#!/bin/sh\necho main\n',
    'pkg/new_module.py': '',
  });
  execFileSync('chmod', [
    '+x',
    ...['node_modules/.bin/only-main', '.venv/bin/only-venv', 'bin/own-tool'].map((name) => join(folder, name)),
  ]);
  return folder;
}

describe('an import in a worktree', () => {
  it('does not resolve into the main checkout: Node', async () => {
    const folder = checkoutWithPackages();
    const { tree } = await opened({}, { folder });
    const found = (from: string, cwd: string) =>
      execFileSync(
        process.execPath,
        [
          '-e',
          `try { console.log(require('node:module').createRequire(${JSON.stringify(from)}).resolve('only-main')) } catch (e) { console.log(e.code) }`,
        ],
        {
          cwd,
          env: { ...tree.env },
          encoding: 'utf8',
        },
      ).trim();
    expect(found(join(tree.folder, 'a.js'), tree.folder)).toBe('MODULE_NOT_FOUND');
    expect(found(join(folder, 'a.js'), folder)).toBe(join(folder, 'node_modules/only-main/index.js'));
  });

  it('does not resolve into the main checkout: Python', async () => {
    const folder = checkoutWithPackages();
    const { tree } = await opened({}, { folder });
    const python = (code: string) =>
      execFileSync('python3', ['-c', code], { cwd: tree.folder, env: { ...tree.env }, encoding: 'utf8' }).trim();
    expect(python('import pkg; print(pkg.__file__)')).toBe(join(tree.folder, 'pkg/__init__.py'));
    expect(python('import importlib.util; print(importlib.util.find_spec("pkg.new_module"))')).toBe('None');
  });
});

describe('a program in a worktree', () => {
  it('is none of a checkout that the worker was started from, and still one of a version manager in the home folder', async () => {
    const folder = checkoutWithPackages();
    const home = scratchFolder();
    sh(home, 'init', '--quiet');
    const manager = join(home, '.nvm');
    mkdirSync(join(manager, 'bin'), { recursive: true });
    sh(manager, 'init', '--quiet');
    const link = join(scratchFolder(), 'link');
    symlinkSync(join(folder, 'bin'), link);
    const other = checkoutWithPackages();
    const dropped = ['node_modules/.bin', '.venv/bin', 'bin', 'gone'].map((name) => join(folder, name));
    const kept = ['node_modules/.bin', join(manager, 'bin'), join(other, 'bin'), '/usr/bin', '/bin'];
    const host = newHost(home, { environment: { PATH: [...dropped, link, join(home, 'bin'), ...kept].join(delimiter) } });
    const { tree } = await opened({ repo: folder }, { folder, host });
    expect(tree.env['PATH']?.split(delimiter)).toEqual(kept);
  });
});

describe('a process that a step or `setup` left running', () => {
  const start = async (cwd: string, env: NodeJS.ProcessEnv) => {
    const child = spawn('setsid', ['sh', '-c', 'sleep 300 & echo started; wait'], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(createInterface({ input: child.stdout }), 'line');
    return child;
  };

  /** Starts a process that clears its environment, and leaves its session and its folder. */
  const away = async (folder: string, env: Readonly<Record<string, string>>): Promise<number> => {
    const shell = `env -i setsid sh -c 'cd /; exec >/dev/null 2>&1; echo $$ > "$0"; sleep 300 & wait' ${folder}/pid & until [ -s ${folder}/pid ]; do sleep 0.02; done`;
    await new GroupProcessRunner().run({ command: { shell }, cwd: folder, env, outputLimitBytes: 1000 }, never);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    rmSync(join(folder, 'pid'));
    return pid;
  };

  it('ends with the worktree, and a person’s shell there does not', async () => {
    const { tree, close } = await opened();
    const [left, persons] = [await start(tree.folder, { ...process.env, ...tree.env }), await start(tree.folder, process.env)];
    const ended = once(left, 'exit');
    await close();
    expect((await ended)[1]).toBe('SIGKILL');
    expect(persons.exitCode).toBeNull();
    const gone = once(persons, 'exit');
    process.kill(-(persons.pid ?? 0), 'SIGKILL');
    expect((await gone)[1]).toBe('SIGKILL');
  });

  it('ends before the step’s work is saved, and what `setup` has started stays until the end, even if it has cleared its environment', async () => {
    const { tree, save, close } = await opened();
    const { THERMIDOR_WORKTREE_STEP: _ofSteps, ...ofSetup } = tree.env;
    const setups = await away(tree.folder, ofSetup);
    const steps = await away(tree.folder, tree.env);
    expect([setups, steps].map(isRunning)).toEqual([true, true]);
    await save();
    expect([setups, steps].map(isRunning)).toEqual([true, false]);
    await close();
    expect(isRunning(setups)).toBe(false);
  });

  // `body` is what the process does before it reports that it is running.
  const WAYS: Record<string, { start?: string; body?: string; stays?: true }> = {
    'with the step’s own group': {},
    'without a terminal': { start: 'nohup' },
    'in a session of its own': { start: 'setsid' },
    'as nobody’s child': { start: 'setsid sh -c \'"$@" & true\' sh' },
    'elsewhere, with nothing open': { start: 'setsid', body: 'cd /; exec 0<&- 1>&- 2>&-;' },
    'without its environment': { start: 'env -i setsid', body: 'cd /;' },
    'with lower soft limits': { start: 'env -i setsid', body: `cd /; ${lowers('-S')}` },
    'with lower hard limits, and its environment': { start: 'setsid', body: `cd /; ${lowers()}` },
    'with lower hard limits, in the worktree': { start: 'env -i setsid', body: lowers() },
    'with lower hard limits, in a folder of it': { start: 'env -i setsid', body: `mkdir -p deep/er; cd deep/er; ${lowers()}` },
    'with lower hard limits, and a file of it': { start: 'env -i setsid', body: `exec 7< a.txt; cd /; ${lowers()}` },
    'with lower hard limits, and a program of it': {
      start: 'env -i setsid',
      body: `cp "$(command -v sleep)" s; p=$PWD/s; cd /; ${lowers()} echo $$ > "$0"; exec "$p" 300;`,
    },
    // This process stays by intent, and its later changes are found when the next step begins.
    'with lower hard limits, and nothing of it': { start: 'env -i setsid', body: `cd /; ${lowers()}`, stays: true },
  };

  it('ends before the step’s work is saved, however it was started, as docs/worktrees.md has it', async () => {
    const { tree, save, close } = await opened();
    const files = scratchFolder();
    const names = Object.keys(WAYS);
    const started = names.map((name, i) => {
      const { start = '', body = '' } = WAYS[name] ?? {};
      return `${start} sh -c '${body} echo $$ > "$0"; sleep 300 & wait' ${files}/${i} >/dev/null 2>&1 &`;
    });
    const there = names.map((_, i) => `until [ -s ${files}/${i} ]; do sleep 0.02; done;`);
    const shell = [...started, ...there].join('\n');
    await new GroupProcessRunner().run({ command: { shell }, cwd: tree.folder, env: tree.env, outputLimitBytes: 1000 }, never);
    await save();
    const pids = names.map((_, i) => Number(readFileSync(join(files, String(i)), 'utf8')));
    const left = names.filter((_, i) => isRunning(pids[i] ?? 0));
    for (const pid of pids.filter(isRunning)) process.kill(-pid, 'SIGKILL');
    expect(left).toEqual(names.filter((name) => WAYS[name]?.stays));
    await close();
  });
});

/** Lowers limits. Shells have different options for the limit of file locks. */
function lowers(which = ''): string {
  return `{ ulimit ${which} -w 5 || ulimit ${which} -x 5; } 2>/dev/null; ulimit ${which} -m 5;`;
}

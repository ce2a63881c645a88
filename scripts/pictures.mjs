// Draws docs/pictures/*.svg, the terminals that the README shows, from real runs of what is built (`npm run build` first). Scripts play the
// agents, so a picture changes only if Thermidor's output does, apart from how long steps took.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { terminalPicture } from './pictures/terminal-picture.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), 'thermidor-pictures-'));
try {
  mkdirSync(join(root, 'docs', 'pictures'), { recursive: true });
  write('your-repository', yourRepository());
  write('daily-quant-pipeline', dailyQuantPipeline());
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function write(name, { title, lines }) {
  writeFileSync(join(root, 'docs', 'pictures', `${name}.svg`), terminalPicture(title, lines));
}

/** docs/your-repository.md, from the run to the commit. */
function yourRepository() {
  const cwd = join(scratch, 'repository');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'greet.mjs'), 'export const greet = () => `Hello!`;\n');
  git(cwd, 'init', '--quiet', '--initial-branch', 'main');
  git(cwd, 'config', 'user.name', 'Ann');
  git(cwd, 'config', 'user.email', 'ann@example.org');
  thermidor(cwd, 'init', '--repo');
  const calls = [{ tool: 'write_file', args: { path: 'greet.mjs', content: 'export const greet = (name) => `Hello, $' + '{name}!`;\n' } }];
  const text = 'greet() takes a name now.';
  writeFileSync(join(cwd, 'pipelines', 'scripts', 'greet.yaml'), JSON.stringify({ replies: { change: [{ calls, text }] } }));
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '--message', 'A pipeline with a coding agent');
  const task = 'Greet people by name';
  const asked = thermidor(cwd, 'run', 'coding-agent', '--script', 'greet', '--arg', `task=${task}`, '--id', 'first');
  const approved = thermidor(cwd, 'approve', 'first', '--by', 'ann');
  return {
    title: 'A coding agent changes a file, its diff is shown, Ann approves, and it is committed',
    lines: [
      `$ thermidor run coding-agent --script greet --arg task="${task}" --id first`,
      ...between(asked, /waits for a person/, /shown:/),
      '',
      '$ thermidor approve first --by ann',
      ...between(approved, /completed.* s/, /^$/).map(short),
      '',
      '$ git show --stat --format=%s',
      ...git(cwd, 'show', '--stat', '--format=%s').filter((line) => line !== ''),
    ],
  };
}

/** What `npm start` prints if nobody sits at the terminal. */
function dailyQuantPipeline() {
  const file = 'pipelines/daily-quant-pipeline.yaml';
  const out = thermidor(root, 'run', file, '--script', 'daily-quant', '--id', 'today', '--state-dir', join(scratch, 'state'));
  return {
    title: 'Agents research, argue, write and review a strategy, and the chairman approves it',
    lines: [
      '$ npm start -- --id today',
      ...between(out, /completed.* s/, /^$/).map(short),
      '',
      ...out.filter((line) => /^(?:approve|announced): /.test(line)),
    ],
  };
}

/**
 * The first line, of the run itself, without what it cost and who started it; the reason of a step that is skipped is not for a picture.
 */
function short(line, i) {
  return (i === 0 ? line.split('  ').slice(0, 3).join('  ') : line).replace(/ *\S*its condition is false.*/, '');
}

/** The lines from the last one that `begins` matches to the one before `ends`. */
function between(lines, begins, ends) {
  const from = lines.findLastIndex((line) => begins.test(line));
  if (from < 0) throw new Error(`no line matches ${begins}:\n${lines.join('\n')}`);
  const length = lines.slice(from).findIndex((line) => ends.test(line));
  return lines.slice(from, from + length);
}

function thermidor(cwd, ...args) {
  return run(cwd, process.execPath, join(root, 'dist', 'cli', 'main.js'), ...args);
}

function git(cwd, ...args) {
  return run(cwd, 'git', ...args);
}

function run(cwd, command, ...args) {
  const env = { ...process.env, FORCE_COLOR: '1', USER: 'ann', LC_ALL: 'C.UTF-8' };
  const { stdout, stderr, status } = spawnSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  // 3: the run waits for a person.
  if (status !== 0 && status !== 3) throw new Error(`${args.join(' ')}: ${status}\n${stdout}${stderr}`);
  return stdout.split('\n');
}

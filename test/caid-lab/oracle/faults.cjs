/**
 * The mistakes of engineers. Each is a function `(work, planned)`. `work` is `{lab, assignment, restore, sleep, isTargetAhead, diary}`. One
 * that answers `ends` reports nothing to its engine; all others report that they are done.
 */
const { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const { dirname, join } = require('node:path');
const { git } = require('./git.cjs');

const WRONG = '{ return "wrong" }';
const POLL_MS = 50;

function restoreAll({ assignment, restore }, change) {
  for (const path of assignment.target_files) restore(path, change);
}

const FAULTS = {
  /** Every function answers the same, so that tests of it are red. */
  wrong(work) {
    restoreAll(work, () => WRONG);
  },

  /** Its work is right, but it has also changed the file of another task, `with`, differently from that task, which is merged meanwhile. */
  conflict(work, planned) {
    const { lab, assignment, sleep, isTargetAhead, diary } = work;
    const { files } = lab.graph.units.find(({ id }) => id === planned.with);
    for (let waited = 0; !isTargetAhead(files[0]); waited += POLL_MS) {
      if (waited > planned.patienceMs) {
        diary({ event: 'given-up', fault: 'conflict' });
        break;
      }
      sleep(POLL_MS);
    }
    restoreAll(work);
    const stubbed = readFileSync(join(lab.stubbed, files[0]), 'utf8');
    const change = (body) => body.replace('not implemented', `not by ${assignment.task_id}`);
    writeFileSync(
      files[0],
      lab.stubs[files[0]].reduce((text, { stub }) => text.replace(stub, () => change(stub)), stubbed),
    );
  },

  /** Dies of SIGKILL with half of a file written. */
  crash({ assignment, lab }) {
    const [path] = assignment.target_files;
    const text = readFileSync(join(lab.reference, path), 'utf8');
    writeFileSync(path, text.slice(0, text.length / 2));
    process.kill(process.pid, 'SIGKILL');
    return 'ends';
  },

  /**
   * Leaves a process behind that, once it has reported, writes wrong code and commits it, again and again. `escapes`: it leaves its process
   * group.
   */
  zombie(work, { escapes, delayMs }) {
    restoreAll(work);
    const [path] = work.assignment.target_files;
    const script = `
const { spawnSync } = require('node:child_process');
const { appendFileSync, writeFileSync } = require('node:fs');
setInterval(() => {
  if (process.ppid === ${process.pid}) return;
  try { writeFileSync(${JSON.stringify(path)}, 'module.exports = "of a zombie"'); } catch {}
  spawnSync('git', ['-c', 'user.name=Z', '-c', 'user.email=z@localhost', 'commit', '-q', '-a', '-m', 'of a zombie']);
  appendFileSync(${JSON.stringify(`${work.lab.diary}.zombie`)}, 'z');
}, ${delayMs});`;
    const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore', detached: escapes === true });
    child.unref();
    work.diary({ event: 'zombie', zombie: child.pid });
  },

  /** Its work is right, but it has changed a restricted file as well. */
  restricted(work, { path = 'package.json' }) {
    restoreAll(work);
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n`);
  },

  /** Its work is wrong, and it has deleted the test that would show this. */
  'test-deleted'(work, { path }) {
    restoreAll(work, () => WRONG);
    rmSync(path);
  },

  /** Its candidate shares no history with the target. */
  'rewrites-history'(work) {
    restoreAll(work);
    git('add', '-A');
    const tree = git('write-tree').stdout.trim();
    git('reset', '-q', '--hard', git('commit-tree', '-m', 'all of it is mine', tree).stdout.trim());
  },

  /** Takes the worktree out of git. */
  'deletes-git'(work) {
    restoreAll(work);
    rmSync('.git', { recursive: true, force: true });
  },

  /** Writes into every folder except its own, and into `paths`. */
  trespasses(work, { paths = [] }) {
    restoreAll(work);
    const here = process.cwd();
    const beside = readdirSync(dirname(here)).map((name) => join(dirname(here), name));
    for (const folder of [...beside.filter((one) => one !== here), ...paths]) {
      for (const { files } of work.lab.graph.units) {
        const path = join(folder, files[0]);
        if (!existsSync(path)) continue;
        writeFileSync(path, '"of another engineer"\n');
        work.diary({ event: 'trespassed', path });
      }
    }
  },
};

module.exports = { FAULTS };

#!/usr/bin/env node
/**
 * The agent of a CAID run that knows the answer: `oracle.cjs LAB.json`, with the prompt on standard input and its reply on standard output.
 * As a manager it answers with the lab's graph, or accepts; as an engineer it puts back what was taken out of its target files, in the
 * folder that it works in. It takes as long as the lab's seed says, and commits the faults that the lab plans: each in one attempt, even if
 * that begins again because its worker was killed. A crash comes once.
 *
 * LAB.json: `{seed, latencyMs: [least, most], reference, stubbed, repository, branch, graph, stubs, faults: [{task, fault, …}], diary}`. A
 * line of the diary is what one process did.
 */
const { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createHash } = require('node:crypto');
const { spawnSync } = require('node:child_process');
const { dirname, join } = require('node:path');
const { FAULTS } = require('./faults.cjs');
const { git, gitOr } = require('./git.cjs');

const lab = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const prompt = readFileSync(0, 'utf8');
const assignment = objectsIn(prompt).find((one) => typeof one.task_id === 'string' && Array.isArray(one.target_files));

if (assignment) engineer();
else if (prompt.includes('`accepted`')) reply({ accepted: true, summary: 'All of it is there.', warnings: [] });
else reply(lab.graph);

function reply(value) {
  process.stdout.write(JSON.stringify(value));
}

function engineer() {
  const { task_id: task, attempt = 1 } = assignment;
  const work = { lab, assignment, diary, restore, sleep, isTargetAhead };
  const latencyMs = latency(`${task} ${attempt}`);
  diary({ event: 'begun', head: gitOr('', 'rev-parse', 'HEAD').trim(), latencyMs });
  sleep(latencyMs);
  const planned = (lab.faults ?? []).find((fault) => fault.task === task && isOf(attempt, fault));
  putRight();
  if (planned && FAULTS[planned.fault](work, planned) === 'ends') return;
  if (!planned) for (const path of assignment.target_files) restore(path);
  const tests = runTests();
  diary({ event: 'reported', ...tests });
  reply({ task_id: task, status: 'done', summary: `restored ${assignment.target_files.join(', ')}`, tests });
}

/**
 * Resets files that are not the task's own, including those with conflicts, to the assignment's base. In a checkout for all, the files of
 * others stay.
 */
function putRight() {
  const { base_commit: base, target_files: targets, owned_by_others: others = [] } = assignment;
  const own = [...targets, ...others.flatMap(({ target_files }) => target_files)];
  const changed = gitOr('', 'diff', '--name-only', '-z', base).split('\0');
  const added = gitOr('', 'ls-files', '-z', '--others', '--exclude-standard').split('\0');
  for (const path of new Set([...changed, ...added].filter((one) => one !== '' && !own.includes(one)))) {
    if (git('cat-file', '-e', `${base}:${path}`).status === 0) git('checkout', base, '--', path);
    else {
      git('rm', '-f', '-q', '--cached', '--', path);
      rmSync(path, { force: true });
    }
  }
}

/** Restores only the functions of the assignment, if it names some of a file. */
function restore(path, change = (body) => body) {
  const stubs = (lab.stubs[path] ?? []).filter(({ name }) => assignment.functions.length === 0 || assignment.functions.includes(name));
  const isWhole = assignment.functions.length === 0;
  const stubbed = isWhole ? readFileSync(join(lab.stubbed, path), 'utf8') : readFileSync(path, 'utf8');
  const text = stubs.reduce((restored, { stub, body }) => restored.replace(stub, () => change(body)), stubbed);
  mkdirSync(dirname(join(process.cwd(), path)), { recursive: true });
  writeFileSync(path, text);
}

/** Runs the tests by the command of the assignment, whose output is TAP. */
function runTests() {
  const command = assignment.acceptance?.command ?? 'node --test-reporter=tap lab/ready-tests.mjs';
  const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  const count = (word) => Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(stdout)?.[1] ?? 0);
  return { command, passed: count('pass'), failed: count('fail') };
}

/** Whether the target has, by now, the reference of a file. */
function isTargetAhead(path) {
  const { status, stdout } = spawnSync('git', ['-C', lab.repository, 'show', `${lab.branch}:${path}`], { encoding: 'utf8' });
  return status === 0 && stdout === readFileSync(join(lab.reference, path), 'utf8');
}

/** True only for the first attempt that asks; a crash only for one process of that attempt. */
function isOf(attempt, { task, fault }) {
  const had = `${lab.diary}.${createHash('sha1').update(`${task} ${fault}`).digest('hex').slice(0, 12)}`;
  try {
    writeFileSync(had, String(attempt), { flag: 'wx' });
    diary({ event: 'fault', fault });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return fault !== 'crash' && readFileSync(had, 'utf8') === String(attempt);
  }
}

function latency(name) {
  const [least, most] = lab.latencyMs;
  const part = createHash('sha1').update(`${lab.seed} ${name}`).digest().readUInt32BE() / 2 ** 32;
  return least + Math.floor(part * (most - least + 1));
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function diary(entry) {
  const { task_id: task, attempt = 1, engineer_id: engineer } = assignment;
  appendFileSync(
    lab.diary,
    `${JSON.stringify({ at: Date.now(), pid: process.pid, task, attempt, engineer, cwd: process.cwd(), ...entry })}\n`,
  );
}

/** Every outermost JSON object in a text. */
function objectsIn(text) {
  const found = [];
  for (let from = text.indexOf('{'); from >= 0; from = text.indexOf('{', from + 1)) {
    const to = endOf(text, from);
    if (to === undefined) continue;
    try {
      found.push(JSON.parse(text.slice(from, to)));
      from = to - 1;
    } catch {
      // A brace of prose.
    }
  }
  return found;
}

function endOf(text, from) {
  let depth = 0;
  let isText = false;
  for (let i = from; i < text.length; i++) {
    if (isText) {
      if (text[i] === '\\') i++;
      else if (text[i] === '"') isText = false;
    } else if (text[i] === '"') isText = true;
    else if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i + 1;
  }
  return undefined;
}

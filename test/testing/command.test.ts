import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../cli/exit';
import { runCommandLine } from '../../cli/program';
import type { SuiteReport } from '../../cli/testing/report';
import { changedSince, changeIn } from '../../cli/testing/watch';
import { fakeTerminal } from '../cli/fake-terminal';
import { scratchFolder, writeFiles } from '../support/scratch-folder';
import { until } from '../support/until';

const PIPELINE = 'name: p\nsteps: [{id: a, run: x}, {id: b, run: y, when: a == "go"}]\n';
const GOOD = 'commands: {"*": {stdout: stay}}\ntests:\n  - {name: stays, expect: {status: completed, steps: {b: skipped}}}\n';
const GOES = '  - {name: goes, commands: {a: {stdout: go}, b: {stdout: gone}}, expect: {status: completed, steps: {b: done}}}\n';
const BAD = `${GOOD}  - {name: fails, expect: {status: failed}}\n`;

describe('thermidor test', () => {
  let folder: string;
  beforeEach(() => {
    folder = scratchFolder();
    put('thermidor.yaml', 'pipelines: [pipelines]\n');
    put('pipelines/p.yaml', PIPELINE);
  });

  const put = (name: string, text: string) => writeFiles({ [name]: text }, folder);
  const run = async (...argv: string[]) => {
    const terminal = fakeTerminal({ cwd: folder });
    return { exit: await runCommandLine(['test', ...argv], terminal, '0'), ...terminal.written };
  };
  const json = async (...argv: string[]) => {
    const { exit, out } = await run('--json', ...argv);
    return { exit, report: JSON.parse(out) as SuiteReport };
  };

  it('runs what it finds in the folders of pipelines, a line a test', async () => {
    put('pipelines/p.test.yaml', GOOD + GOES);
    const { exit, out } = await run();
    expect(exit).toBe(EXIT.done);
    expect(out.split('\n').filter((line) => line.includes('✓'))).toHaveLength(2);
  });

  it.each([['pipelines/p.test.yaml'], ['pipelines/p.yaml'], ['pipelines']])(
    'takes a test, its pipeline, or a folder: %s',
    async (given) => {
      put('pipelines/p.test.yaml', GOOD);
      expect(await json(given)).toMatchObject({ exit: EXIT.done, report: { ok: true, passed: 1, files: [{ pipeline: 'p' }] } });
    },
  );

  it('ends with 1 if a test fails, and says what was expected and what came', async () => {
    put('pipelines/p.test.yaml', BAD);
    const { exit, out } = await run();
    expect(exit).toBe(EXIT.failed);
    expect(out).toMatch(/status\n\s+expected {2}"failed"\n\s+got {7}"completed"/);
    expect(await json()).toMatchObject({
      exit: EXIT.failed,
      report: {
        ok: false,
        passed: 1,
        failed: 1,
        files: [{ tests: [{ ok: true }, { ok: false, line: 4, failing: [{ what: 'status' }] }] }],
      },
    });
  });

  it('ends with 2 if a file is invalid, and runs the others all the same', async () => {
    put('pipelines/p.test.yaml', GOOD);
    put('pipelines/q.test.yaml', 'tests: [{name: t, expct: {}}]\npipeline: p.yaml\n');
    const { exit, out } = await run();
    expect(exit).toBe(EXIT.usage);
    expect(out).toContain('pipelines/q.test.yaml:1:19  shape.unknown-key');
    expect((await json()).report).toMatchObject({ passed: 1, invalid: 1, files: [{ valid: true }, { valid: false }] });
  });

  it('shows the mistakes of the pipeline if it does not compile', async () => {
    put('pipelines/p.yaml', `${PIPELINE}nmae: q\n`);
    put('pipelines/p.test.yaml', GOOD);
    const { exit, report } = await json();
    expect(exit).toBe(EXIT.usage);
    expect(report.files[0]?.diagnostics).toMatchObject([{ code: 'shape.unknown-key', file: 'pipelines/p.yaml' }]);
  });

  it.each([[[]], [['pipelines/p.yaml']], [['nowhere.test.yaml']], [['--filter', 'nothing', 'pipelines/f.test.yaml']]])(
    'ends with 2 where there is nothing to run: %j',
    async (argv) => {
      if (argv.length > 1) put('pipelines/f.test.yaml', `pipeline: p.yaml\n${GOOD}`);
      const terminal = fakeTerminal({ cwd: folder });
      const exit = await runCommandLine(['test', ...argv], terminal, '0').catch((error: { exit: number }) => error.exit);
      expect(exit).toBe(EXIT.usage);
    },
  );

  it('leaves the check of a test file to validate as well', async () => {
    put('pipelines/p.test.yaml', 'tests: [{name: t, expct: {}}]\n');
    const terminal = fakeTerminal({ cwd: folder });
    expect(await runCommandLine(['validate', 'pipelines/p.yaml', 'pipelines/p.test.yaml'], terminal, '0')).toBe(EXIT.usage);
    expect(terminal.written.out).toContain('pipelines/p.test.yaml:1:19  shape.unknown-key');
  });

  it('runs only what the filter fits', async () => {
    put('pipelines/p.test.yaml', GOOD + GOES);
    expect((await json('--filter', 'GOES')).report.files[0]?.tests).toMatchObject([{ name: 'goes' }]);
  });

  it('shows what no test reached, and fails below what is asked for', async () => {
    put('pipelines/p.test.yaml', GOOD);
    const { report } = await json('--coverage');
    expect(report.coverage).toMatchObject([
      {
        pipeline: 'p',
        steps: { percent: 50 },
        branches: { percent: 50 },
        missed: [
          { step: 'b', kind: 'step' },
          { step: 'b', kind: 'when' },
        ],
      },
    ]);
    expect((await run('--coverage-min', '50')).exit).toBe(EXIT.done);
    expect(await json('--coverage-min', '51')).toMatchObject({ exit: EXIT.failed, report: { ok: false, tooLittle: ['p'] } });
    expect((await run('--coverage-min-branches', '51')).exit).toBe(EXIT.failed);
  });

  it('writes a JUnit report', async () => {
    put('pipelines/p.test.yaml', BAD);
    await run('--junit', 'report.xml');
    expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toContain('<testsuites name="thermidor" tests="2" failures="1" errors="0"');
  });

  it('passes in the folder that init makes, and reaches every step there', async () => {
    await runCommandLine(['init', 'hello'], fakeTerminal({ cwd: folder }), '0');
    const terminal = fakeTerminal({ cwd: join(folder, 'hello') });
    expect(await runCommandLine(['test', '--coverage-min', '100'], terminal, '0')).toBe(EXIT.done);
  });

  it('does not watch and print one document at once', async () => {
    put('pipelines/p.test.yaml', GOOD);
    await expect(run('--watch', '--json')).rejects.toMatchObject({ exit: EXIT.usage });
  });

  it('runs again when a file that was read changes, until it is interrupted', async () => {
    put('pipelines/p.test.yaml', GOOD);
    put('pipelines/agents/w.yaml', 'role: Works.\n');
    const interrupt = new AbortController();
    const terminal = fakeTerminal({ cwd: folder, interrupted: interrupt.signal });
    const ended = runCommandLine(['test', '--watch'], terminal, '0');
    await until(() => terminal.written.err.split('waiting').length === 2);
    put('pipelines/p.test.yaml', BAD);
    await until(() => terminal.written.err.split('waiting').length === 3);
    expect(terminal.written.out).toContain('changed: p.test.yaml');
    interrupt.abort();
    expect(await ended).toBe(EXIT.failed);
  });

  it('passes over what editors leave next to files', async () => {
    const abort = new AbortController();
    const change = changeIn([folder, join(folder, 'not-there')], abort.signal);
    put('.p.yaml.swp', 'x');
    put('p.yaml~', 'x');
    put('real.yaml', 'x');
    expect(await change).toEqual(['real.yaml']);
    expect(changedSince([folder], 0)).toContain('real.yaml');
    expect(changedSince([folder], Number.MAX_SAFE_INTEGER)).toEqual([]);
  });
});

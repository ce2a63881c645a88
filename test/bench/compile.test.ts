import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readAnswer, readTask, type SizeAnswer } from '../../bench/compile/compile-messages';
import { PIPELINES, type PipelineName } from '../../bench/compile/pipelines';
import { type LongCase, longFigures, shortFigures } from '../../bench/compile/sizes';
import { SMALL_FILES } from '../../bench/compile/small-files';
import { lobsterOf, oursOf, startUpFigures } from '../../bench/compile/start-up';
import { TESTED_STEPS, PIPELINE as testedPipeline, testsOf } from '../../bench/compile/tested-pipeline';
import { findLobster } from '../../bench/lobster-program';
import { runTests } from '../../cli/testing/run-file';
import { compilePipeline } from '../../compiler/compile';
import { loadTests } from '../../compiler/test-file/load-tests';
import { everyStep } from '../../plan/steps/walk';
import { scratchFolder } from '../support/scratch-folder';

function compiled(name: PipelineName, steps: number) {
  const { file, text, sources } = PIPELINES[name](steps);
  return compilePipeline(file, text, sources);
}

describe('what is compiled', () => {
  it.each(['mixed', 'graph'] as const)('%s has as many steps as it says', (name) => {
    const { plan, diagnostics } = compiled(name, 200);
    expect(diagnostics).toEqual([]);
    expect([...everyStep(plan?.block.steps ?? [])]).toHaveLength(200);
  });

  it('children are files of a thousand steps each', () => {
    const { plan } = compiled('children', 2000);
    expect(plan?.block.steps.map(({ kind }) => kind)).toEqual(['pipeline', 'pipeline']);
  });

  it('a short command reads without a mistake', () => {
    for (const [file, text] of Object.entries(SMALL_FILES)) {
      expect(compilePipeline(file, text, { read: () => undefined, list: () => [] })).toMatchObject({ diagnostics: [], plan: {} });
    }
  });

  it('the tested pipeline passes its tests, all ten steps of it', async () => {
    const files = new Map([
      ['ten.yaml', testedPipeline],
      ['agents/writer.yaml', 'role: Writes.\n'],
    ]);
    const loaded = loadTests('ten.test.yaml', testsOf(2), { read: (path) => files.get(path), list: () => ['writer.yaml'] });
    if (!loaded.tests) throw new Error(JSON.stringify(loaded.diagnostics));
    expect(loaded.compiled.plan.block.steps).toHaveLength(TESTED_STEPS);
    expect((await runTests(loaded, {})).map(({ ok }) => ok)).toEqual([true, true]);
  });
});

describe('a process that compiles', () => {
  it('takes a task, and no other', () => {
    const task = { pipeline: 'graph', sizes: [{ steps: 10, warmUps: 1, samples: 2, times: 3 }] };
    expect(readTask(JSON.stringify(task))).toEqual(task);
    expect(() => readTask('{"pipeline": "constructor", "sizes": []}')).toThrow(TypeError);
    expect(() => readTask('{"pipeline": "graph", "sizes": [{"steps": 10}]}')).toThrow(TypeError);
  });

  it('answers with what it measured', () => {
    const answer = { sizes: [{ steps: 10, firstMs: 2, warmMs: 1, planBytes: 900 }], peakBytes: 1000 };
    expect(readAnswer(JSON.stringify(answer))).toEqual(answer);
    expect(() => readAnswer('{"sizes": [{"steps": 10}], "peakBytes": 1}')).toThrow(TypeError);
  });
});

describe('figures of the compiler', () => {
  const size = (steps: number, warmMs: number, part: Partial<SizeAnswer> = {}): SizeAnswer => ({ steps, firstMs: 150, warmMs, ...part });

  it('compare a thousand steps with fifty milliseconds, and what a step takes of the plan with its share', () => {
    const [warm, first, bytes] = shortFigures([20, 25, 90].map((ms) => size(1000, ms, { planBytes: 157_286 })));
    expect(warm).toMatchObject({ metric: 'warm', ours: 25, reference: 50, ratio: 0.5, aim: 1 });
    expect(first).toMatchObject({ metric: 'first', ours: 150, reference: 25, ratio: 6, aim: null });
    expect(bytes).toMatchObject({ metric: 'plan-bytes-per-step', ours: 157.3, reference: 167.8, ratio: 0.94, aim: null });
  });

  it('compare ten thousand steps with a thousand of them, and memory with two hundred megabytes', () => {
    const mixed: LongCase = { name: 'mixed-10000', pipeline: 'mixed' };
    const round = {
      short: size(1000, 20),
      half: size(5000, 115),
      long: size(10_000, 230),
      peakBytes: 150_000_000,
    };
    expect(longFigures(mixed, [round])).toMatchObject([
      { case: 'mixed-10000', metric: 'growth', ratio: 11.5, aim: 12 },
      { case: 'mixed-10000', metric: 'growth-from-5000', ratio: 2, aim: null },
      { case: 'mixed-10000', metric: 'peak-memory', ours: 150, reference: 200, ratio: 0.75, aim: 1 },
    ]);
  });

  it('set a short command next to Lobster, or next to Node alone if there is none', () => {
    const medians = new Map([
      [oursOf('validate'), 100],
      ['node', 50],
    ]);
    expect(startUpFigures(medians)).toMatchObject([{ metric: 'validate-by-node', ratio: 2, aim: null }]);
    const both = startUpFigures(new Map([...medians, [lobsterOf(['--version']), 150]]));
    expect(both[0]).toMatchObject({ metric: 'validate', reference: 150, ratio: 0.67, aim: 1.3 });
  });
});

describe('the Lobster next to ours', () => {
  let folder: string;
  beforeAll(() => {
    folder = scratchFolder();
  });

  it('is the first on the PATH that is not ours', () => {
    const [ours, path] = ['own', 'bin'].map((name) => mkdtempSync(join(folder, name)));
    const elsewhere = mkdtempSync(join(folder, 'link'));
    if (!ours || !path) throw new Error('no folder');
    writeFileSync(join(ours, 'lobster'), '', { mode: 0o755 });
    symlinkSync(join(ours, 'lobster'), join(elsewhere, 'lobster'));
    const env = { PATH: [elsewhere, ours, path].join(delimiter) };
    expect(findLobster(env, ours)).toBeUndefined();
    writeFileSync(join(path, 'lobster'), '', { mode: 0o755 });
    expect(findLobster(env, ours)).toBe(join(path, 'lobster'));
  });

  it('is what THERMIDOR_LOBSTER names, and a mistake in it is said', () => {
    const named = join(folder, 'another-name');
    writeFileSync(named, '', { mode: 0o755 });
    expect(findLobster({ THERMIDOR_LOBSTER: named, PATH: '' }, folder)).toBe(named);
    expect(() => findLobster({ THERMIDOR_LOBSTER: join(folder, 'gone') }, folder)).toThrow('THERMIDOR_LOBSTER');
  });
});

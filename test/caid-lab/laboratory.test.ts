import { spawnSync } from 'node:child_process';
import { type Laboratory, laboratory } from '../../bench/caid/laboratory';
import { LIBRARIES, type Tree } from '../../bench/caid/library';
import { writeTree } from '../../bench/caid/load-time';
import { restore } from '../../bench/caid/stub';
import { TASK_GRAPH_SCHEMA, type TaskGraph } from '../../kinds/caid/rules/task-graph';
import { scratchFolder } from '../support/scratch-folder';
import { sweepCase } from '../support/sweep';
import { checkerOf } from './checker';
import { mergeOrder } from './merge-order';

/** The libraries, their stubs and their graphs, on which every proof with them rests. */
const LONG_CHAIN = 5;

describe.each(sweepCase([LIBRARIES.busboy], Object.values(LIBRARIES)))('$name', (library) => {
  let lab: Laboratory;
  beforeAll(() => {
    lab = laboratory(library);
  });

  test('the reference passes all of its tests', () => {
    const { exit, ready, failed } = runTests(lab.reference);
    expect({ exit, failed }).toEqual({ exit: 0, failed: 0 });
    expect(ready).toBe([...lab.reference.keys()].filter(library.isTest).length);
  });

  test('with stubs every file loads, no test is ready, and the tests fail if they run all the same', () => {
    expect(runTests(lab.stubbed)).toMatchObject({ exit: 0, ready: 0, failed: 0 });
    const needsNothing = lab.stubbed.get('lab/tests.json')?.replace('not implemented: ', 'no such mark') ?? '';
    const { exit, failed, ready } = runTests(new Map([...lab.stubbed, ['lab/tests.json', needsNothing]]));
    expect(exit).not.toBe(0);
    expect(ready).toBe([...lab.reference.keys()].filter(library.isTest).length);
    expect(failed).toBeGreaterThan(ready / 2);
  });

  test('the same each time', () => {
    expect(laboratory(library)).toEqual(lab);
  });

  test('putting back what the stubs were gives the reference, and each stub is found once', () => {
    const restored = new Map([...lab.stubbed].map(([path, text]) => [path, restore(text, lab.stubs[path] ?? [])]));
    expect(restored).toEqual(lab.reference);
    for (const [path, stubs] of Object.entries(lab.stubs)) {
      for (const { stub } of stubs) expect([stub, lab.stubbed.get(path)?.split(stub).length]).toEqual([stub, 2]);
    }
  });

  test('its graph fits the schema, and every file with stubs is one unit’s', () => {
    expect(checkerOf(TASK_GRAPH_SCHEMA)(lab.graph)).toEqual([]);
    const owned = lab.graph.units.flatMap(({ files }) => files);
    expect([...owned].sort()).toEqual(Object.keys(lab.stubs).sort());
    expect(mergeOrder(lab.graph)).toHaveLength(lab.graph.units.length);
  });

  test('the tests are green at each third of the way, in an order of the graph', () => {
    const order = mergeOrder(lab.graph);
    const filesOf = new Map(lab.graph.units.map(({ id, files }) => [id, files]));
    const ready = [1 / 3, 2 / 3].map((part) => {
      const merged = new Set(order.slice(0, Math.ceil(order.length * part)).flatMap((id) => filesOf.get(id) ?? []));
      const tree = new Map([...lab.stubbed].map(([path, text]) => [path, merged.has(path) ? (lab.reference.get(path) ?? '') : text]));
      const ran = runTests(tree);
      expect({ exit: ran.exit, failed: ran.failed }).toEqual({ exit: 0, failed: 0 });
      return ran.ready;
    });
    expect(ready[1]).toBeGreaterThanOrEqual(ready[0] ?? 0);
  });
});

test(`one of them has a chain of ${LONG_CHAIN} units or more`, () => {
  expect(longestChain(laboratory(LIBRARIES.cborg).graph)).toBeGreaterThanOrEqual(LONG_CHAIN);
});

test('a test that was deleted, and code that does not load, are red', () => {
  const { reference } = laboratory(LIBRARIES.busboy);
  const without = new Map([...reference].filter(([path]) => path !== 'test/basename.test.js'));
  expect(runTests(without)).toMatchObject({ failed: 1 });
  expect(runTests(without).exit).not.toBe(0);
  expect(runTests(new Map([...reference, ['lib/utils/basename.js', 'module.exports = {']])).exit).not.toBe(0);
});

function runTests(tree: Tree): { exit: number | null; ready: number; failed: number } {
  const folder = scratchFolder();
  writeTree(folder, tree);
  const { status, stdout } = spawnSync(process.execPath, ['--test-reporter=tap', 'lab/ready-tests.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const count = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  return { exit: status, ready: count(/^# ready (\d+)/m), failed: count(/^# fail (\d+)/m) };
}

function longestChain({ units }: TaskGraph): number {
  const depth = new Map<string, number>();
  for (const id of mergeOrder({ units })) {
    const unit = units.find((one) => one.id === id);
    depth.set(id, 1 + Math.max(0, ...(unit?.depends_on ?? []).map((one) => depth.get(one) ?? 0)));
  }
  return Math.max(...depth.values());
}

import { availableParallelism } from 'node:os';
import { defined } from '../../plan/defined';
import type { Bench, BenchOptions } from '../bench';
import type { Figure } from '../figure';
import { inScratch } from '../scratch';
import { LONG_CASES, measureLong, measureShort, SHORT_CASE } from './sizes';
import type { Stage } from './stage';
import { measureStartUp, START_UP } from './start-up';
import { measureTestBench, TEST_BENCH } from './test-bench';

/**
 * What lies between a file and its plan: compiling, the start of the command line, and the pipeline test bench. Everything measured is a
 * process of its own, and no other part of the bench runs at the same time.
 */
export const compile: Bench = {
  name: 'compile',
  doc: 'the compiler by length and memory, short commands beside Lobster’s, and `thermidor test`',
  cases: [SHORT_CASE.name, ...LONG_CASES.map(({ name }) => name), START_UP, TEST_BENCH],
  measure: measureCompile,
};

const MEASURES: ReadonlyMap<string, (stage: Stage) => Promise<Figure[]>> = new Map([
  [SHORT_CASE.name, measureShort],
  ...LONG_CASES.map((of): [string, typeof measureShort] => [of.name, (stage) => measureLong(stage, of)]),
  [START_UP, measureStartUp],
  [TEST_BENCH, measureTestBench],
]);

function measureCompile({ cases, rounds, profileDir, say }: BenchOptions): Promise<Figure[]> {
  return inScratch(async (scratch) => {
    const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`;
    say(`${machine}; medians of ${rounds}`);
    const figures: Figure[] = [];
    for (const name of cases) {
      const measure = MEASURES.get(name);
      if (measure) figures.push(...(await measure({ ...scratch, rounds, say, ...defined({ profileDir }) })));
    }
    return figures;
  });
}

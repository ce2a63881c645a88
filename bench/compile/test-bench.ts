import { isJsonObject } from '../../plan/text/json';
import { type Figure, figureOf, median } from '../figure';
import { runProgramWell } from '../run-program';
import { commandLine, distFolder, profiling, type Stage } from './stage';
import { TESTED_STEPS, TESTS, writeTestedPipeline } from './tested-pipeline';

/** `thermidor test`, from the start of its process to its report. */
const AIM_SECONDS = 5;

export const TEST_BENCH = `tests-${TESTS}x${TESTED_STEPS}`;

export async function measureTestBench({ folder, signal, rounds, say, profileDir }: Stage): Promise<Figure[]> {
  const file = writeTestedPipeline(folder);
  const args = [...profiling(profileDir), commandLine(distFolder()), 'test', file, '--json'];
  const seconds: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const { wallMs, stdout } = await runProgramWell(process.execPath, args, { cwd: folder, signal });
    const report: unknown = JSON.parse(stdout);
    if (!isJsonObject(report) || report['passed'] !== TESTS) throw new Error(`not ${TESTS} tests passed`);
    seconds.push(wallMs / 1000);
    say(`round ${round}/${rounds} ${TEST_BENCH}: ${(wallMs / 1000).toFixed(2)} s`);
  }
  return testBenchFigures(seconds);
}

function testBenchFigures(seconds: readonly number[]): Figure[] {
  return [
    figureOf({ bench: 'compile', case: TEST_BENCH, metric: 'wall', ours: median(seconds), reference: AIM_SECONDS, unit: 's', aim: 1 }),
  ];
}

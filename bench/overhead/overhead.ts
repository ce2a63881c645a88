import { defined } from '../../plan/defined';
import type { Bench, BenchOptions } from '../bench';
import type { Figure } from '../figure';
import { OVERHEAD_CASES, WARM_UP } from './cases';
import { type Measurement, overheadFigures } from './figures';
import { type Sample, takeSample } from './sample';
import { onStage } from './stage';

/**
 * What the interpreter costs: each case as a pipeline and as a hand-written workflow that calls the same no-op activities on the same
 * server, in the same run.
 *
 * Invariants: 1. at any time one side works and the other is idle; 2. they take turns, and the first one changes with the round, so that
 * neither has the quieter machine or the smaller database; 3. figures are medians over the rounds.
 */
export const overhead: Bench = {
  name: 'overhead',
  doc: 'the interpreter against a hand-written Temporal workflow, both with activities that do nothing',
  cases: OVERHEAD_CASES.map(({ name }) => name),
  measure: measureOverhead,
};

function measureOverhead({ cases, rounds, memory, address, profileDir, say }: BenchOptions): Promise<Figure[]> {
  const wanted = OVERHEAD_CASES.filter(({ name }) => cases.includes(name));
  return onStage({ memory, say, ...defined({ address, profileDir }) }, async ({ client, ours, reference, machine }) => {
    say(`${machine}; medians of ${rounds}`);
    for (const side of [ours, reference]) await takeSample(client, side, WARM_UP, 'warm-up');
    const samples = wanted.map((each) => ({ case: each, ours: [] as Sample[], reference: [] as Sample[] }));
    for (let round = 1; round <= rounds; round += 1) {
      for (const measured of samples) {
        for (const side of round % 2 === 1 ? [ours, reference] : [reference, ours]) {
          const sample = await takeSample(client, side, measured.case, String(round));
          measured[side.name].push(sample);
          say(`round ${round}/${rounds} ${measured.case.name} ${side.name}: ${inWords(sample)}`);
        }
      }
    }
    return overheadFigures(samples satisfies Measurement[]);
  });
}

function inWords({ wallMs, cpuMs, executions, events, bytes }: Sample): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  return `${seconds(wallMs)}, CPU ${seconds(cpuMs)}, ${events} events and ${bytes} bytes in ${executions} executions`;
}

import type { Bench, BenchOptions } from '../bench';
import { type Figure, figureOf, median } from '../figure';
import { inScratch } from '../scratch';
import { COUNT } from './candidates';
import { type Played, playQueue } from './play';

const CASES = ['load-200'];
const BATCH = 4;
/** The share of the time that a batch of four may take: 1.6 times the throughput. */
const AIM = 0.62;

/** A merge queue on real git, one candidate after the other and in batches. */
export const queue: Bench = { name: 'queue', doc: 'merge queues: 200 candidates on real git', cases: CASES, measure };

async function measure({ rounds, say }: BenchOptions): Promise<Figure[]> {
  const batches: Played[] = [];
  const singles: Played[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`queue: load-200, round ${round} of ${rounds}`);
    batches.push(await inScratch(({ folder, signal }) => playQueue(folder, COUNT, BATCH, signal)));
    singles.push(await inScratch(({ folder, signal }) => playQueue(folder, COUNT, 1, signal)));
  }
  return queueFigures(batches, singles);
}

export function queueFigures(batches: readonly Played[], singles: readonly Played[]): Figure[] {
  const of = (metric: string, unit: string, aim: number | null, value: (played: Played) => number): Figure =>
    figureOf({
      bench: 'queue',
      case: 'load-200',
      metric,
      ours: median(batches.map(value)),
      reference: median(singles.map(value)),
      unit,
      aim,
    });
  return [
    of('wall', 's', AIM, ({ wallMs }) => wallMs / 1000),
    of('landed', '', null, ({ landed }) => landed),
    of('advances', '', null, ({ advances }) => advances),
    of('git processes a candidate', '', null, ({ gitProcesses }) => gitProcesses / COUNT),
  ];
}

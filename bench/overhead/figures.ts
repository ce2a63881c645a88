import { type Figure, figureOf, type Measured, median } from '../figure';
import { activitiesOf, type OverheadCase } from './cases';
import type { Sample } from './sample';

/** The aims of the bench: the highest good ratio of ours to the hand-written workflow. */
const AIMS = { wall: 1.05, cpu: 1.1, addedEvents: 1, bytesPerStep: 1.1, growth: 1.2 } as const;

export interface Measurement {
  case: OverheadCase;
  ours: readonly Sample[];
  reference: readonly Sample[];
}

/** Medians of all measurements, and the figures derived from both lengths of sequence, if both were measured. */
export function overheadFigures(measurements: readonly Measurement[]): Figure[] {
  const middles = measurements.map(({ case: of, ours, reference }) => ({ case: of, ours: middle(ours), reference: middle(reference) }));
  const figures = middles.flatMap(figuresOfCase);
  const short = middles.find((each) => each.case.name === 'sequence-100');
  const long = middles.find((each) => each.case.name === 'sequence-1000');
  if (short && long) figures.push(...addedFigures(short, long), ...growthFigures(short, long));
  return figures;
}

interface Middle {
  case: OverheadCase;
  ours: Sample;
  reference: Sample;
}

function middle(samples: readonly Sample[]): Sample {
  const of = (field: keyof Sample): number => median(samples.map((sample) => sample[field]));
  return { wallMs: of('wallMs'), cpuMs: of('cpuMs'), executions: of('executions'), events: of('events'), bytes: of('bytes') };
}

function figuresOfCase({ case: of, ours, reference }: Middle): Figure[] {
  const steps = activitiesOf(of) * of.runs;
  return [
    figure(of.name, 'wall', ours.wallMs / 1000, reference.wallMs / 1000, 's', AIMS.wall),
    figure(of.name, 'cpu', ours.cpuMs / 1000, reference.cpuMs / 1000, 's', AIMS.cpu),
    figure(of.name, 'executions', ours.executions, reference.executions, 'executions', null),
    figure(of.name, 'events', ours.events, reference.events, 'events', null),
    figure(of.name, 'bytes', ours.bytes, reference.bytes, 'B', null),
    figure(of.name, 'bytes-per-step', ours.bytes / steps, reference.bytes / steps, 'B', AIMS.bytesPerStep),
  ];
}

/** What one more step costs in history: the fixed cost of a run is in both lengths and cancels out. */
function addedFigures(short: Middle, long: Middle): Figure[] {
  const steps = long.case.steps - short.case.steps;
  const added = (side: 'ours' | 'reference', field: 'events' | 'bytes'): number => (long[side][field] - short[side][field]) / steps;
  const name = 'sequence-100-to-1000';
  return [
    figure(name, 'events-per-added-step', added('ours', 'events'), added('reference', 'events'), 'events', AIMS.addedEvents),
    figure(name, 'bytes-per-added-step', added('ours', 'bytes'), added('reference', 'bytes'), 'B', AIMS.bytesPerStep),
  ];
}

/** Whether a step of a long run costs more than one of a short run: here "reference" is the short run of the same side. */
function growthFigures(short: Middle, long: Middle): Figure[] {
  const grown = (side: 'ours' | 'reference', field: 'wallMs' | 'cpuMs', metric: string, aim: number | null): Figure => {
    const name = side === 'ours' ? 'step-1000-vs-100' : 'step-1000-vs-100-of-reference';
    return figure(name, metric, long[side][field] / long.case.steps, short[side][field] / short.case.steps, 'ms', aim);
  };
  return [
    grown('ours', 'wallMs', 'wall-per-step', AIMS.growth),
    grown('ours', 'cpuMs', 'cpu-per-step', AIMS.growth),
    grown('reference', 'wallMs', 'wall-per-step', null),
    grown('reference', 'cpuMs', 'cpu-per-step', null),
  ];
}

function figure(name: string, metric: string, ours: number, reference: number, unit: string, aim: Measured['aim']): Figure {
  return figureOf({ bench: 'overhead', case: name, metric, ours, reference, unit, aim });
}

import { bound } from '../../kinds/caid/rules/bound';
import { AIMED_ENGINEERS, SPEED_UP_AIM } from '../caid/speed-up';
import { type Figure, figureOf, median } from '../figure';
import { latencyOf, TASKS } from './tasks';

/** Times from the first assignment to the last merge, by the number of engineers: one for each round. */
export type TeamSamples = ReadonlyMap<number, readonly number[]>;

export const CASE = 'sleeps-16';

/** The share of one engineer's time that several take, compared with list scheduling of the same sleeps with one merge at a time. */
export function teamFigures(samples: TeamSamples): Figure[] {
  const measured = (engineers: number): number => median(samples.get(engineers) ?? []);
  const possible = (engineers: number): number => bound({ units: TASKS }, latencyOf, engineers).finishMs;
  const figure = (metric: string, ours: number, reference: number, unit: string, aim: number | null): Figure =>
    figureOf({ bench: 'teams', case: CASE, metric, ours, reference, unit, aim });
  return [
    ...AIMED_ENGINEERS.map((many) =>
      figure(`wall-of-${many}-by-1`, measured(many) / measured(1), possible(many) / possible(1), '', 1 / SPEED_UP_AIM),
    ),
    ...[1, ...AIMED_ENGINEERS].map((many) => figure(`wall-of-${many}`, measured(many) / 1000, possible(many) / 1000, 's', null)),
  ];
}

import { SPEED_UP_AIM } from '../caid/speed-up';
import { type Figure, figureOf, median } from '../figure';
import { listSchedule } from './list-schedule';
import { playBoard } from './play';
import { randomWork } from './tasks';

export const CASES = ['free-1000', 'roles-1000'] as const;
export const TEAMS = [3, 8, 20] as const;

const TASKS = 1000;
const SEED = 7;

/** The aim is a tenth less than the throughput of list scheduling. The time of an event is measured, all else is the same each time. */
export function boardFigures(name: string, rounds: number): Figure[] {
  return TEAMS.flatMap((members) => {
    const work = randomWork(SEED, { tasks: TASKS, members, roles: name === 'roles-1000' });
    const reference = listSchedule(work);
    const played = Array.from({ length: rounds }, () => {
      const fromMs = performance.now();
      const { finishMs, events } = playBoard(work);
      return { finishMs, eventMs: (performance.now() - fromMs) / events };
    });
    const finishMs = median(played.map((one) => one.finishMs));
    const common = { bench: 'board', case: name };
    return [
      figureOf({
        ...common,
        ...{ metric: `wall-of-${members}`, ours: finishMs / 1000, reference: reference / 1000, unit: 's', aim: 1 / SPEED_UP_AIM },
      }),
      figureOf({
        ...common,
        ...{ metric: `event-of-${members}`, ours: median(played.map((one) => one.eventMs)), reference: 1, unit: 'ms', aim: 1 },
      }),
    ];
  });
}

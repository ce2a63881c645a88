import type { Bench } from '../bench';
import { boardFigures, CASES, TEAMS } from './figures';

/** The machine of a board without a server: 1,000 tasks, on a clock of its own, next to list scheduling of the same tasks. */
export const board: Bench = {
  name: 'board',
  doc: `a board of 1,000 tasks by ${TEAMS.join(', ')} members, next to list scheduling`,
  cases: CASES,
  async measure({ cases, rounds }) {
    return cases.flatMap((name) => boardFigures(name, rounds));
  },
};

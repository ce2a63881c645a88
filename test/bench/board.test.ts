import { boardFigures, TEAMS } from '../../bench/board/figures';

it('compares the time of a board of 1,000 tasks with list scheduling, for each team', () => {
  const figures = boardFigures('roles-1000', 1);
  expect(figures.map(({ metric }) => metric)).toEqual(TEAMS.flatMap((members) => [`wall-of-${members}`, `event-of-${members}`]));
  for (const { metric, ratio, aim } of figures) if (metric.startsWith('wall')) expect(ratio).toBeLessThanOrEqual(aim ?? 0);
});

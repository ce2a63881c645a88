import { teamFigures } from '../../bench/teams/figures';
import { latencyOf, PIPELINE, pipelineText, scriptText, TASKS } from '../../bench/teams/tasks';
import { bound } from '../../kinds/caid/rules/bound';
import { checkGraph } from '../../kinds/caid/rules/check-graph';

it('measures a graph that a team takes as it is, with work of 8 to 20 s and tests that do not limit eight engineers', () => {
  expect(checkGraph({ units: [...TASKS] })).toEqual([]);
  for (const { id } of TASKS) {
    expect(latencyOf(id).workMs).toBeGreaterThanOrEqual(8000);
    expect(latencyOf(id).workMs).toBeLessThanOrEqual(20_000);
    expect(latencyOf(id)).toEqual(latencyOf(id));
  }
  const [one = 0, many = 0] = [1, 8].map((engineers) => bound({ units: TASKS }, latencyOf, engineers).finishMs);
  expect(one / many).toBeGreaterThan(5);
});

it('has a reply for each task, which takes as long as the bound says', () => {
  const { replies } = JSON.parse(scriptText());
  const said = replies.build_engineer.map(({ after, json }: { after: string; json: { task_id: string } }) => [json.task_id, after]);
  expect(said).toEqual(TASKS.map(({ id }) => [id, `${latencyOf(id).workMs}ms`]));
  expect(JSON.parse(pipelineText(8))).toMatchObject({ name: PIPELINE, steps: [{ engineers: { max: 8 } }] });
});

it('compares the part of one engineer’s time that several take with the possible part', () => {
  const finish = (engineers: number): number => bound({ units: TASKS }, latencyOf, engineers).finishMs;
  const perfect = new Map([1, 2, 4, 8].map((engineers) => [engineers, [finish(engineers)]]));
  expect(teamFigures(perfect).map(({ metric, ratio }) => [metric, ratio])).toEqual([
    ...[2, 4, 8].map((many) => [`wall-of-${many}-by-1`, 1]),
    ...[1, 2, 4, 8].map((many) => [`wall-of-${many}`, 1]),
  ]);
  const slow = new Map([...perfect, [8, [finish(8) * 1.25]]]);
  expect(teamFigures(slow)).toContainEqual(expect.objectContaining({ metric: 'wall-of-8-by-1', ratio: 1.25 }));
  // The aim is nine tenths of the speed-up.
  for (const { aim } of teamFigures(slow).slice(0, 3)) expect(aim).toBeCloseTo(1.11, 2);
});

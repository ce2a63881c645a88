import { block, execution, plan, review, subTask } from '../brief/replies';
import { briefText, playBrief } from './brief-play';

/** A brief within containers: the addresses of its parts have those of what is around it. */

const STEP = briefText().split('\n').slice(1, 3);
const indented = STEP.map((line) => `    ${line}`).join('\n');
const reply = block(execution('a'));
const says = {
  planner: [block(plan(subTask('a'))), block(plan(subTask('a')))],
  executor: [reply, reply],
  reviewer: [block(review('a', 'pass')), block(review('a', 'pass'))],
};

describe('a brief within', () => {
  it.each([
    ['for_each', `steps:\n  - {id: list, run: ls}\n  - id: each\n    for_each: "\${list.output}"\n    steps:\n${indented}\n`, 6],
    ['parallel', `steps:\n  - id: both\n    parallel:\n${indented}\n`, 3],
  ])('%s', async (_kind, text, calls) => {
    const brief = playBrief({ text, lists: { each: [1, 2] }, says });
    for (let i = 0; i < 100; i++) await brief.world.settle();
    expect(brief.calls).toHaveLength(calls);
    expect(brief.world.status().state).toBe('completed');
    expect(new Set(brief.world.order()).size).toBe(brief.world.order().length);
  });
});

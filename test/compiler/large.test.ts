import { compilePipeline, type Sources } from '../../compiler/index';
import { STEP_LIMIT } from '../../plan/run/artifact';
import { sweepCount } from '../support/sweep';

const NO_FILES: Sources = { read: () => undefined, list: () => [] };

function pipelineOf(steps: number): string {
  const lines = Array.from({ length: steps }, (_, i) => `  - {id: s${i}, run: "true"${i === 0 ? '' : `, needs: [s${i >> 1}]`}}\n`);
  return `name: large\nsteps:\n${lines.join('')}`;
}

describe('a pipeline of very many steps', () => {
  it('compiles', () => {
    const steps = sweepCount(20_000, STEP_LIMIT);
    const compiled = compilePipeline('large.yaml', pipelineOf(steps), NO_FILES);
    expect(compiled.diagnostics).toEqual([]);
    expect(compiled.plan?.block.steps).toHaveLength(steps);
  });

  it('is as large as one may be: the step after the last is named, and those after it are not', () => {
    const { diagnostics } = compilePipeline('large.yaml', pipelineOf(STEP_LIMIT + 2), NO_FILES);
    expect(diagnostics).toMatchObject([{ code: 'plan.too-large', line: STEP_LIMIT + 3 }]);
  });
});

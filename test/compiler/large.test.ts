import { compilePipeline, type Sources } from '../../compiler/index';
import { STEP_LIMIT } from '../../plan/run/artifact';

const NO_FILES: Sources = { read: () => undefined, list: () => [] };

function pipelineOf(steps: number): string {
  const lines = Array.from({ length: steps }, (_, i) => `  - {id: s${i}, run: "true"${i === 0 ? '' : `, needs: [s${i >> 1}]`}}\n`);
  return `name: large\nsteps:\n${lines.join('')}`;
}

describe('a pipeline of a hundred thousand steps', () => {
  it('compiles', () => {
    const compiled = compilePipeline('large.yaml', pipelineOf(STEP_LIMIT), NO_FILES);
    expect(compiled.diagnostics).toEqual([]);
    expect(compiled.plan?.block.steps).toHaveLength(STEP_LIMIT);
  });

  it('is as large as one may be: the step after the last is named, and those behind it are not', () => {
    const { diagnostics } = compilePipeline('large.yaml', pipelineOf(STEP_LIMIT + 2), NO_FILES);
    expect(diagnostics).toMatchObject([{ code: 'plan.too-large', line: STEP_LIMIT + 3 }]);
  });
});

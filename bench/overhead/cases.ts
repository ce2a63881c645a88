import { compilePipeline, formatDiagnostics, type Sources } from '../../compiler/index';
import type { Plan } from '../../plan/plan';

/** A case that runs on both sides, in the same shape: as a pipeline here, as plain workflow code in `reference-workflow.ts`. */
export interface OverheadCase {
  /** Also the pipeline's name, and with that the workflow type. */
  name: string;
  /** `parallel`: one step first, then all the others at once. */
  order: 'sequence' | 'parallel';
  /** How many steps run in sequence, or at once. */
  steps: number;
  /** Started together. */
  runs: number;
  /** Commands of the sequence run in one activity, as the compiler marks them; otherwise each in its own. */
  chained?: true;
}

export const OVERHEAD_CASES: readonly OverheadCase[] = [
  { name: 'sequence-100', order: 'sequence', steps: 100, runs: 1 },
  { name: 'sequence-1000', order: 'sequence', steps: 1000, runs: 1 },
  { name: 'parallel-300', order: 'parallel', steps: 300, runs: 1 },
  { name: 'runs-100x10', order: 'sequence', steps: 10, runs: 100 },
  { name: 'chained-1000', order: 'sequence', steps: 1000, runs: 1, chained: true },
];

/** Runs unmeasured before the others, so that the first of them does not pay for cold code. */
export const WARM_UP: OverheadCase = { name: 'warm-up', order: 'sequence', steps: 20, runs: 5 };

/** Activities that one run of the case calls. */
export function activitiesOf({ order, steps }: OverheadCase): number {
  return order === 'parallel' ? steps + 1 : steps;
}

/** The plan of a case, made by the real compiler: the interpreter pays for plans. */
export function planOf(wanted: OverheadCase): Plan {
  const compiled = compilePipeline(`${wanted.name}.yaml`, pipelineOf(wanted), NO_FILES);
  if (!compiled.plan) throw new Error(`case ${wanted.name} does not compile\n${formatDiagnostics(compiled.diagnostics)}`);
  return wanted.chained ? compiled.plan : withoutChains(compiled.plan);
}

/** The hand-written workflow runs one step at a time, so the comparison must too. */
function withoutChains(plan: Plan): Plan {
  const steps = plan.block.steps.map((step) => {
    const { chained: _chained, ...alone } = step;
    return alone;
  });
  return { ...plan, block: { ...plan.block, steps } };
}

const NO_FILES: Sources = { read: () => undefined, list: () => [] };

function pipelineOf({ name, order, steps }: OverheadCase): string {
  const after = order === 'parallel' ? ', depends_on: [first]' : '';
  return [
    `name: ${name}`,
    // The language's maximum; the reference has no such limit.
    ...(order === 'parallel' ? ['limits: {concurrent: 64}'] : []),
    'steps:',
    ...(order === 'parallel' ? ['  - {id: first, run: "true"}'] : []),
    ...Array.from({ length: steps }, (_, i) => `  - {id: s${i + 1}, run: "true"${after}}`),
    '',
  ].join('\n');
}

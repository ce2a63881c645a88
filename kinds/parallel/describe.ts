import { defined } from '../../plan/defined';
import { describeQuorum, type Join, joinOf } from '../../plan/people/quorum';
import type { Description } from '../../plan/steps/description';
import { fact, parallelism, stepLabel } from '../../plan/steps/description-parts';
import type { ParallelStep } from '../../plan/steps/step';

export interface ShownParallel {
  kind: 'parallel';
  wait: Join;
  maxConcurrent?: number;
  merge?: { how: string; key: string };
}

export const PARALLEL_DESCRIPTION: Description<ParallelStep, ShownParallel> = {
  data: (step) => ({
    kind: 'parallel',
    wait: joinOf(step),
    ...defined({ maxConcurrent: step.maxConcurrent, merge: step.merge }),
  }),
  line: ({ wait, maxConcurrent }) => `side by side: ${joined(wait)}${maxConcurrent === undefined ? '' : `, ${maxConcurrent} at once`}`,
  facts: ({ merge }) => fact('merge', merge && `${merge.how} over ${merge.key}`),
  label: (step) => stepLabel([waitOf(joinOf(step)), parallelism(step.maxConcurrent)]),
  shape: 'frame',
  frame: 'side by side',
};

function joined(join: Join): string {
  if (join === 'all') return 'all must give a result';
  return join === 'any' ? 'the first to end decides' : `${describeQuorum(join.needed, join.of)} must give a result`;
}

function waitOf(join: Join): string {
  if (join === 'all') return 'all';
  return join === 'any' ? 'the first' : describeQuorum(join.needed, join.of);
}

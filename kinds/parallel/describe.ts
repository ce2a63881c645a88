import { atOnce, fact, labelOf } from '../../plan/describing';
import type { Description } from '../../plan/description';
import { describeQuorum, type Join, joinOf } from '../../plan/quorum';
import type { ParallelStep } from '../../plan/step';

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
    ...(step.maxConcurrent === undefined ? {} : { maxConcurrent: step.maxConcurrent }),
    ...(step.merge === undefined ? {} : { merge: step.merge }),
  }),
  line: ({ wait, maxConcurrent }) => `side by side: ${joined(wait)}${maxConcurrent === undefined ? '' : `, ${maxConcurrent} at once`}`,
  facts: ({ merge }) => fact('merge', merge && `${merge.how} over ${merge.key}`),
  label: (step) => labelOf([waitOf(joinOf(step)), atOnce(step.maxConcurrent)]),
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

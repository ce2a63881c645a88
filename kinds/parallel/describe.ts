import { defined } from '../../plan/defined';
import { describeQuorum, type Join, joinOf } from '../../plan/people/quorum';
import type { Description } from '../../plan/steps/description';
import { fact, parallelism, stepLabel } from '../../plan/steps/description-parts';
import type { MergeSpec } from '../../plan/steps/merged-output';
import type { ParallelStep } from '../../plan/steps/step';

export interface ShownParallel {
  kind: 'parallel';
  wait: Join;
  maxConcurrent?: number;
  merge?: MergeSpec;
}

export const PARALLEL_DESCRIPTION: Description<ParallelStep, ShownParallel> = {
  data: (step) => ({
    kind: 'parallel',
    wait: joinOf(step),
    ...defined({ maxConcurrent: step.maxConcurrent, merge: step.merge }),
  }),
  line: ({ wait, maxConcurrent }) => `side by side: ${joined(wait)}${maxConcurrent === undefined ? '' : `, ${maxConcurrent} at once`}`,
  facts: ({ merge }) => fact('merge', merge && mergedBy(merge)),
  label: (step) => stepLabel([waitOf(joinOf(step)), parallelism(step.maxConcurrent)]),
  shape: 'frame',
  frame: 'side by side',
};

function joined(join: Join): string {
  if (join === 'all') return 'all must give a result';
  if (join === 'some') return 'those that fail or are late are missing';
  return join === 'any' ? 'the first to end decides' : `${describeQuorum(join.needed, join.of)} must give a result`;
}

function waitOf(join: Join): string {
  if (join === 'all') return 'all';
  if (join === 'some') return 'as many as answer';
  return join === 'any' ? 'the first' : describeQuorum(join.needed, join.of);
}

function mergedBy({ how, key, weights = {}, minWeight }: MergeSpec): string {
  const heavier = Object.entries(weights).map(([branch, weight]) => `${branch} counts ${weight}`);
  return [`${how} over ${key}`, ...heavier, ...(minWeight === undefined ? [] : [`at least ${minWeight}`])].join(', ');
}

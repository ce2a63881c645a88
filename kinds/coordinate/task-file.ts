import { madeNode } from '../../compiler/read/made-node';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { type StepSource, stepsIn } from '../../compiler/shape/source';
import { COORDINATE_KIND } from './keys';

/** The name of a task file's step. */
const TASK_STEP = 'work';

/** A file with a `task` and without `steps` is a pipeline of one coordinate step, whose keys it has. */
export function withTask(root: MappingNode): MappingNode {
  const task = entryOf(root, 'task');
  if (!task || entryOf(root, 'steps')) return root;
  const { keyAt } = task;
  const made = (key: string, value: Parameters<typeof madeNode>[0]): Entry => ({ key, keyAt, value: madeNode(value, keyAt) });
  const keys: readonly string[] = COORDINATE_KIND.rows.map(({ key }) => key);
  const own = root.entries.filter(({ key }) => keys.includes(key));
  const step: MappingNode = { kind: 'mapping', at: root.at, entries: [made('id', TASK_STEP), made('type', 'coordinate'), ...own] };
  const others = root.entries.filter((entry) => !own.includes(entry));
  return { ...root, entries: [...others, made('steps', [step])] };
}

/** A post-mortem is the last pattern that a coordinate step selects, even if the file names none. */
export function withPostMortem(root: MappingNode, steps: readonly StepSource[]): Entry | undefined {
  const step = everySource(steps).find(({ work }) => work?.kind === 'coordinate');
  return entryOf(root, 'post_mortem') ?? (step && { key: 'post_mortem', keyAt: step.at, value: madeNode(true, step.at) });
}

function everySource(steps: readonly StepSource[]): StepSource[] {
  return steps.flatMap((step) => [step, ...everySource(stepsIn(step.work))]);
}

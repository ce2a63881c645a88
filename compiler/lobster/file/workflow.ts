import { holdsBranches } from '../../../kinds/questions';
import { type ArgSpec, DEFAULT_CONCURRENT, IR_VERSION, type Plan } from '../../../plan/plan';
import type { Step } from '../../../plan/step';
import type { Lowered, Surroundings } from '../../child';
import { OPEN } from '../../expression/output-shape';
import { sha256 } from '../../freeze/blobs';
import { markChained } from '../../lower/chain';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../read/node';
import { headOf } from '../../shape/keys';
import { resultsWithin } from '../text/results';
import { readArgs } from './args';
import { type LobsterContext, type Place, warnOfUnknownKeys } from './context';
import { readCostLimit } from './cost-limit';
import { readEnvironment, readFolder } from './environment';
import { stepIds } from './ids';
import type { StepBefore } from './input';
import { workflowName } from './name';
import { noteReads } from './reads';
import { readFileStep } from './step';

/**
 * A Lobster workflow file → its plan. Where Lobster is lenient there are warnings, where it refuses there is its own reason.
 *
 * Invariants: 1. steps run in the order of the file; a text names results of steps before it, and what it names beyond these
 * stays as it is; 2. ids of the plan are unique and fit for addresses, whatever the file's are; 3. every place where
 * Lobster's values differ from the language's is an internal function in the plan, so that there is one evaluator.
 */
export function lowerLobster(file: string, root: MappingNode, around: Surroundings): Lowered {
  const { report, blobs, include } = around;
  const get = (key: string): Entry | undefined => entryOf(root, key);
  const list = get('steps');
  const items = list?.value.kind === 'sequence' ? list.value.items : [];
  const args = readArgs(get('args'), { report });
  const context: LobsterContext = {
    report,
    blobs,
    include,
    args: new Set(args.keys()),
    ids: stepIds(...idsIn(items)),
    seen: new Set(),
    complained: new Set(),
  };
  warnOfUnknownKeys(root, 'a workflow', ['name', 'description', 'args', 'env', 'cwd', 'cost_limit', 'steps'], context);
  readCostLimit(get('cost_limit'), report);
  if (items.length === 0) {
    const at = list?.value.at ?? headOf(root);
    report('lobster.no-steps', at, 'Workflow file requires a non-empty steps array', 'write `steps:` with a list of {id, run}');
  }
  const place: Place = {
    kind: 'file',
    results: resultsWithin(),
    env: [readEnvironment(get('env'), context)],
    who: (id) => `Workflow step ${id}`,
  };
  const cwd = readFolder(get('cwd'), 'Workflow', place, context);
  if (cwd) place.cwd = cwd;
  const before: StepBefore[] = [];
  const steps = items.flatMap((item) => readFileStep(item, place, before, context) ?? []);
  markChained(steps);
  noteReads(steps);
  return { plan: planOf(root, file, around.sourceText, args, steps), output: OPEN };
}

function planOf(root: MappingNode, file: string, text: string, args: ReadonlyMap<string, ArgSpec>, steps: Step[]): Plan {
  const [name, description] = ['name', 'description'].map((key) => textOf(entryOf(root, key)));
  const plan: Plan = {
    irVersion: IR_VERSION,
    name: workflowName(name, file),
    dialect: 'lobster',
    source: sha256(text),
    trigger: { kind: 'manual' },
    block: { order: 'sequence', steps },
  };
  if (description) plan.description = description.trim();
  if (args.size > 0) plan.args = Object.fromEntries(args);
  // Lobster starts all branches at once.
  const widest = steps.reduce((most, step) => Math.max(most, holdsBranches(step) ? step.branches.length : 0), 0);
  if (widest > DEFAULT_CONCURRENT) plan.concurrent = Math.min(widest, MOST_CONCURRENT);
  return plan;
}

const MOST_CONCURRENT = 64;

function textOf(entry: Entry | undefined): string | undefined {
  return entry?.value.kind === 'scalar' && typeof entry.value.value === 'string' ? entry.value.value : undefined;
}

/** Ids of steps and branches, and of steps within loops, before anything is read. */
function idsIn(items: readonly SourceNode[]): [own: Set<string>, inner: Set<string>] {
  const own = new Set<string>();
  const inner = new Set<string>();
  const note = (node: SourceNode, into: Set<string>): void => {
    const id = node.kind === 'mapping' ? textOf(entryOf(node, 'id')) : undefined;
    if (id) into.add(id);
  };
  const within = (node: SourceNode, key: string): readonly SourceNode[] => {
    const value = node.kind === 'mapping' ? entryOf(node, key)?.value : undefined;
    return value?.kind === 'sequence' ? value.items : [];
  };
  for (const item of items) {
    note(item, own);
    const parallel = item.kind === 'mapping' ? entryOf(item, 'parallel')?.value : undefined;
    for (const branch of parallel ? within(parallel, 'branches') : []) note(branch, own);
    for (const sub of within(item, 'steps')) note(sub, inner);
  }
  return [own, inner];
}

import { posix } from 'node:path';
import { holdsBranches } from '../../../kinds/questions';
import { type ArgSpec, DEFAULT_CONCURRENT, IR_VERSION, type Plan } from '../../../plan/plan';
import type { Step } from '../../../plan/steps/step';
import type { CompileContext, LoweredPlan } from '../../compile-context';
import type { Report } from '../../diagnostics/diagnostic';
import { OPEN } from '../../expression/output-shape';
import { sha256 } from '../../freeze/blobs';
import { markChained } from '../../lower/chain';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../read/node';
import { headOf } from '../../shape/keys';
import { resultsWithin } from '../text/results';
import { readLobsterArgs } from './args';
import { type LobsterContext, type LobsterScope, warnOfUnknownKeys } from './context';
import { readEnvironment, readFolder } from './environment';
import { stepIds } from './ids';
import type { StepBefore } from './input';
import { noteReads } from './reads';
import { readFileStep } from './step';

/** What the name of a run's workflow type must match; a Lobster file's own name may not, or may be missing. */
const SAFE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** The pipeline's name: from the file's `name`, or else from the file name; always a valid name of a pipeline. */
function workflowName(name: string | undefined, file: string): string {
  const wanted = name?.trim() || posix.basename(file).replace(/\.(?:lobster|ya?ml|json)$/i, '');
  if (isSafe(wanted)) return wanted;
  const plain = wanted
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, 50);
  if (isSafe(plain)) return plain;
  return plain === '' ? 'workflow' : `workflow-${plain}`;
}

function isSafe(name: string): boolean {
  return SAFE.test(name) && !INHERITED.has(name) && !name.startsWith('__');
}

/**
 * Lowers a Lobster workflow file to its plan. It warns where Lobster is lenient; where Lobster refuses, it gives Lobster's own reason.
 *
 * Invariants: 1. steps run in the order of the file; a text names results of steps before it, and any other name in it stays as it is; 2.
 * ids of the plan are unique and fit for addresses, whatever the file's are; 3. every place where Lobster's values differ from the
 * language's is an internal function in the plan, so that there is one evaluator.
 */
export function lowerLobster(file: string, root: MappingNode, around: CompileContext): LoweredPlan {
  const { report, blobs, include } = around;
  const get = (key: string): Entry | undefined => entryOf(root, key);
  const list = get('steps');
  const items = list?.value.kind === 'sequence' ? list.value.items : [];
  const args = readLobsterArgs(get('args'), { report });
  const context: LobsterContext = {
    report,
    blobs,
    include,
    args: new Set(args.keys()),
    argSpec: (name) => args.get(name),
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
  const place: LobsterScope = {
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

/** Reads `cost_limit {max_usd, action}`: checked as Lobster does, and not enforced. */
function readCostLimit(entry: Entry | undefined, report: Report): void {
  if (!entry) return;
  const { value: node } = entry;
  if (node.kind !== 'mapping') {
    report('lobster.bad-value', node.at, 'Workflow cost_limit must be an object', 'write {max_usd: 5, action: stop}');
    return;
  }
  const [most, action] = [entryOf(node, 'max_usd')?.value, entryOf(node, 'action')?.value];
  const amount = most?.kind === 'scalar' ? Number(most.value ?? 0) : Number.NaN;
  const word = action?.kind === 'scalar' ? action.value : undefined;
  if (!(Number.isFinite(amount) && amount >= 0)) {
    report('lobster.bad-value', most?.at ?? entry.keyAt, 'Workflow cost_limit.max_usd must be a non-negative number', 'write a number');
  } else if (action && word !== 'warn' && word !== 'stop') {
    report('lobster.bad-value', action.at, 'Workflow cost_limit.action must be "warn" or "stop"', 'write warn or stop');
  } else report('lobster.cost-limit', entry.keyAt, 'cost_limit is not enforced yet: the run continues at any cost', 'watch its usage');
}

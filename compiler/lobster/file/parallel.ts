import type { ParallelStep, Step, StepBase } from '../../../plan/steps/step';
import type { SourceSpan } from '../../diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../../read/node';
import { headOf } from '../../shape/keys';
import { call, type LobsterStepResult, outputOfResult, workResult } from '../text/results';
import { readLobsterApproval } from './approval';
import { type LobsterContext, type LobsterScope, type StepDraft, type Templates, warnOfIgnored, warnOfUnknownKeys } from './context';
import { readEnvironment, readFolder } from './environment';
import { executorOf } from './executor';
import { POLICY_KEYS, readPolicies, readWhen, TIMEOUT_WANTED, timeoutMs } from './policies';
import { withReads } from './templates';
import { commandStep, handOnStep, pipeStep } from './work';

const KEYS = ['wait', 'timeout_ms', 'branches'];
const BRANCH_KEYS = ['id', 'run', 'command', 'pipeline', 'env', 'cwd', 'stdin', 'when', 'condition', 'approval', ...POLICY_KEYS];
const STEP_KEYS_ELSEWHERE = ['workflow', 'workflow_args', 'parallel', 'for_each', 'steps', 'input'];

export interface LobsterBranch {
  id: string;
  step: Step;
  result: LobsterStepResult;
}

/** Reads `parallel {wait, timeout_ms, branches}`. Later texts can name its branches. */
export function parallelStep(
  node: MappingNode,
  base: StepBase,
  place: LobsterScope,
  context: LobsterContext,
): { step: ParallelStep; branches: LobsterBranch[] } {
  const id = base.as ?? base.id;
  const who = place.who(id);
  const refuse = (at: SourceSpan, message: string): void => context.report('lobster.bad-value', at, `${who} parallel ${message}`);
  warnOfUnknownKeys(node, '"parallel"', KEYS, context);
  const step: ParallelStep = { ...base, kind: 'parallel', branches: [] };
  const wait = entryOf(node, 'wait')?.value;
  const word = wait?.kind === 'scalar' ? wait.value : undefined;
  if (word === 'any') step.wait = 'any';
  else if (wait && word !== 'all') refuse(wait.at, 'wait must be "all" or "any"');
  const timeout = entryOf(node, 'timeout_ms')?.value;
  const ms = timeout && timeoutMs(timeout);
  if (ms !== undefined) step.timeoutMs = Math.min(ms, step.timeoutMs ?? ms);
  else if (timeout) refuse(timeout.at, TIMEOUT_WANTED);

  const list = entryOf(node, 'branches');
  const items = list?.value.kind === 'sequence' ? list.value.items : [];
  if (items.length === 0) refuse(list?.value.at ?? headOf(node), 'requires a non-empty branches array');
  const seen = new Set<string>();
  const branches = items.flatMap((item) => {
    if (item.kind !== 'mapping') {
      refuse(item.at, 'branches must be objects');
      return [];
    }
    const branchId = branchIdOf(item, id, who, seen, context);
    return branchId === undefined ? [] : (readBranch(item, branchId, id, place, context) ?? []);
  });
  step.branches = branches.map((branch) => branch.step);
  return { step, branches };
}

/** What a parallel's `$id.stdout` is: its output as text, or with `any` the output of the branch that won. */
export function parallelResult(id: string, step: ParallelStep, branches: readonly LobsterBranch[]): LobsterStepResult {
  const texts = branches.flatMap(({ result }) => result.fields.get('stdout') ?? []);
  const stdout = step.wait === 'any' ? call('first', ...texts) : call('stdout', outputOfResult(step.id));
  return workResult(id, step.id, { approval: step.approval !== undefined, stdout });
}

function branchIdOf(node: MappingNode, of: string, who: string, seen: Set<string>, context: LobsterContext): string | undefined {
  const entry = entryOf(node, 'id');
  const id = entry?.value.kind === 'scalar' ? entry.value.value : undefined;
  const at = entry?.value.at ?? headOf(node);
  if (typeof id !== 'string' || id === '') {
    context.report('lobster.bad-id', at, `${who} parallel branch requires an id`, 'add `id:`');
    return undefined;
  }
  if (id === of) context.report('lobster.bad-id', at, `${who} parallel branch id cannot match the step id`, 'rename the branch');
  else if (seen.has(id)) context.report('lobster.duplicate-id', at, `${who} duplicate parallel branch id: ${id}`, 'rename one of them');
  else if (context.seen.has(id))
    context.report('lobster.duplicate-id', at, `Duplicate workflow id across steps/parallel branches: ${id}`, 'rename one of them');
  seen.add(id);
  return id;
}

function readBranch(node: MappingNode, id: string, of: string, outer: LobsterScope, context: LobsterContext): LobsterBranch | undefined {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const place: LobsterScope = {
    ...outer,
    kind: 'branch',
    env: [...outer.env, readEnvironment(get('env'), context)],
    who: (branch) => `${outer.who(of)} parallel branch ${branch}`,
  };
  const who = place.who(id);
  const cwd = readFolder(get('cwd'), who, place, context) ?? outer.cwd;
  if (cwd) place.cwd = cwd;
  warnOfUnknownKeys(node, `branch "${id}"`, [...BRANCH_KEYS, ...STEP_KEYS_ELSEWHERE], context);
  warnOfIgnored(STEP_KEYS_ELSEWHERE.map(get), 'a branch is a command or a pipe', context);
  const planId = context.ids.take(id, true);
  const base: StepBase = planId === id ? { id } : { id: planId, as: id };
  const when = readWhen(node, place.results, context);
  if (when) base.when = when;
  readPolicies(node, base, who, place, context);
  const approval = readLobsterApproval(get('approval'), id, who, context);
  if (approval) base.approval = approval;
  const executor = executorOf(node, id, place, context);
  if (!executor) return undefined;
  const templates: Templates = [];
  const draft: StepDraft = { node, base, place, templates, context };
  const step =
    executor.kind === 'shell'
      ? commandStep(executor.text, draft)
      : executor.kind === 'pipe'
        ? pipeStep(executor.text, draft)
        : handOnStep(draft);
  return { id, step: withReads(step, templates, context), result: workResult(id, planId, { approval: approval !== undefined }) };
}

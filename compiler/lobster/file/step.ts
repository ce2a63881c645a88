import type { Step, StepBase } from '../../../plan/steps/step';
import { unreachable } from '../../../plan/unreachable';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../read/node';
import { headOf } from '../../shape/keys';
import { call, inputResult, type LobsterStepResult, outputOfResult, workResult } from '../text/results';
import { readLobsterApproval } from './approval';
import { childStep } from './child';
import { type LobsterContext, type LobsterScope, type StepDraft, type Templates, warnOfIgnored, warnOfUnknownKeys } from './context';
import { readEnvironment, readFolder } from './environment';
import { type Executor, executorOf } from './executor';
import { forEachStep, LOOP_KEYS } from './for-each';
import { inputStep, type StepBefore } from './input';
import { type LobsterBranch, parallelResult, parallelStep } from './parallel';
import { POLICY_KEYS, readPolicies, readWhen } from './policies';
import { withReads } from './templates';
import { commandStep, handOnStep, pipeStep } from './work';

const EXECUTORS = ['run', 'command', 'pipeline', 'workflow', 'workflow_args', 'parallel', 'for_each', 'input', ...LOOP_KEYS];
const STEP_KEYS = ['id', 'description', ...EXECUTORS, 'env', 'cwd', 'stdin', 'approval', 'when', 'condition', ...POLICY_KEYS];

interface Made {
  step: Step;
  result: LobsterStepResult;
  branches?: readonly LobsterBranch[];
}

/** Reads one step of the file itself. Later steps can name its result even if the step could not be read. */
export function readFileStep(node: SourceNode, file: LobsterScope, before: StepBefore[], context: LobsterContext): Step | undefined {
  if (node.kind !== 'mapping') {
    context.report('lobster.bad-value', node.at, 'Workflow step must be an object', 'write {id, run}');
    return undefined;
  }
  const id = idOf(node, context);
  if (id === undefined) return undefined;
  warnOfUnknownKeys(node, `step "${id}"`, STEP_KEYS, context);
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const place: LobsterScope = { ...file, env: [...file.env, readEnvironment(get('env'), context)] };
  const who = place.who(id);
  const cwd = readFolder(get('cwd'), who, place, context) ?? file.cwd;
  if (cwd) place.cwd = cwd;
  const planId = context.ids.take(id, true);
  const base = baseOf(node, id, planId, who, place, context);
  const executor = executorOf(node, id, place, context);
  const made = executor && makeStep(executor, node, base, place, before, context);
  const result = made?.result ?? workResult(id, planId, { approval: true });
  for (const branch of made?.branches ?? []) file.results.add(branch.id, branch.result);
  file.results.add(id, result);
  for (const branch of made?.branches ?? []) context.seen.add(branch.id);
  before.push({ planId, result, always: !base.when && !base.onError });
  return made?.step;
}

function idOf(node: MappingNode, { report, seen }: LobsterContext): string | undefined {
  const entry = entryOf(node, 'id');
  const id = entry?.value.kind === 'scalar' ? entry.value.value : undefined;
  if (typeof id !== 'string' || id === '') {
    report('lobster.bad-id', entry?.value.at ?? headOf(node), 'Workflow step requires an id', 'add `id:` with a text');
    return undefined;
  }
  if (seen.has(id))
    report('lobster.duplicate-id', entry?.value.at ?? headOf(node), `Duplicate workflow step id: ${id}`, 'rename one of them');
  seen.add(id);
  return id;
}

function baseOf(node: MappingNode, id: string, planId: string, who: string, place: LobsterScope, context: LobsterContext): StepBase {
  const base: StepBase = planId === id ? { id } : { id: planId, as: id };
  const description = entryOf(node, 'description')?.value;
  if (description?.kind === 'scalar' && typeof description.value === 'string') base.description = description.value.trim();
  const when = readWhen(node, place.results, context);
  if (when) base.when = when;
  readPolicies(node, base, who, place, context);
  const approval = readLobsterApproval(entryOf(node, 'approval'), id, who, context);
  if (approval) base.approval = approval;
  return base;
}

function makeStep(
  executor: Executor,
  node: MappingNode,
  base: StepBase,
  place: LobsterScope,
  before: readonly StepBefore[],
  context: LobsterContext,
): Made | undefined {
  const id = base.as ?? base.id;
  const templates: Templates = [];
  const draft: StepDraft = { node, base, place, templates, context };
  const approval = base.approval !== undefined;
  if (executor.kind !== 'for_each') {
    const why = 'it is only allowed with `for_each`';
    warnOfIgnored(
      LOOP_KEYS.map((key) => entryOf(node, key)),
      why,
      context,
    );
  }
  const finished = (step: Step, result: LobsterStepResult, branches?: readonly LobsterBranch[]): Made => {
    const found = { step: withReads(step, templates, context), result };
    return branches ? { ...found, branches } : found;
  };
  switch (executor.kind) {
    case 'shell':
      return finished(commandStep(executor.text, draft), workResult(id, base.id, { approval }));
    case 'pipe':
      return finished(pipeStep(executor.text, draft), workResult(id, base.id, { approval }));
    case 'none':
      return finished(handOnStep(draft), workResult(id, base.id, { approval }));
    case 'workflow': {
      warnOfIgnored([entryOf(node, 'stdin')], 'a child takes `workflow_args`', context);
      const step = childStep(executor.text, draft);
      return step && finished(step, workResult(id, base.id, { approval }));
    }
    case 'parallel': {
      warnOfIgnored([entryOf(node, 'stdin')], 'each branch has its own', context);
      const { step, branches } = parallelStep(executor.node, base, place, context);
      return finished(step, parallelResult(id, step, branches), branches);
    }
    case 'for_each': {
      const step = forEachStep(executor.text, draft);
      return finished(step, workResult(id, base.id, { approval: false, stdout: call('stdout', outputOfResult(base.id)) }));
    }
    case 'input':
      return finished(inputStep(executor.node, before, draft), inputResult(id, base.id));
    default:
      return unreachable(executor);
  }
}

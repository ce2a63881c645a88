import type { SourceSpan } from '../../diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode, type ScalarNode } from '../../read/node';
import { headOf } from '../../shape/keys';
import { asksApproval } from './approval';
import { type LobsterContext, type LobsterScope, warnOfIgnored } from './context';

/** What a step does: exactly one thing, before any approval. */
export type Executor =
  | { kind: 'shell' | 'pipe' | 'workflow' | 'for_each'; text: ScalarNode }
  | { kind: 'parallel' | 'input'; node: MappingNode }
  /** Nothing but the question of its `approval`, or a command of blanks. */
  | { kind: 'none' };

/** The one executor of a step; undefined if Lobster refuses the step, which has been reported. */
export function executorOf(node: MappingNode, id: string, place: LobsterScope, context: LobsterContext): Executor | undefined {
  const who = place.who(id);
  const refuse = (at: SourceSpan, message: string, hint?: string): undefined => {
    context.report('lobster.bad-value', at, `${who} ${message}`, hint);
    return undefined;
  };
  const atFile = place.kind === 'file';
  const [run, command, pipe] = [entryOf(node, 'run'), entryOf(node, 'command'), entryOf(node, 'pipeline')];
  let faulty = false;
  for (const entry of [run, command, pipe]) {
    if (!entry || textIn(entry)) continue;
    faulty = true;
    refuse(entry.value.at, `${entry.key} must be a string`, 'put it in quotes');
  }
  const blanksCount = place.kind !== 'loop';
  const shell = given(run && textIn(run), blanksCount) ?? (run && blanksCount ? undefined : given(command && textIn(command), blanksCount));
  if (run && blanksCount) warnOfIgnored([command], '"run" wins', context);
  const found: { executor: Executor; at: SourceSpan }[] = [];
  const add = (executor: Executor, at: SourceSpan): void => {
    found.push({ executor, at });
  };
  if (shell) add(isBlank(shell) ? { kind: 'none' } : { kind: 'shell', text: shell }, shell.at);
  const stages = given(pipe && textIn(pipe), blanksCount);
  if (stages) add(isBlank(stages) ? { kind: 'none' } : { kind: 'pipe', text: stages }, stages.at);
  if (atFile) faulty = addFileExecutors(node, add, refuse) || faulty;
  const input = atFile ? entryOf(node, 'input') : undefined;
  if (input && input.value.kind !== 'mapping') {
    faulty = true;
    refuse(input.value.at, 'input must be an object', 'write {prompt, responseSchema}');
  }
  if (faulty) return undefined;
  const known = atFile ? 'run, command, pipeline, workflow, parallel, or for_each' : 'run, command, or pipeline';
  const [only, second] = found;
  if (second) {
    const loops = found.some(({ executor }) => executor.kind === 'for_each');
    const rule = loops ? 'for_each cannot also define run, command, pipeline, workflow, or parallel' : `can only define one of ${known}`;
    context.report('lobster.several-executors', second.at, `${who} ${rule}`, 'split it into two steps');
    return undefined;
  }
  if (input?.value.kind === 'mapping') return inputExecutor(input.value, only?.at, entryOf(node, 'approval'), who, context);
  if (only) return only.executor;
  if (atFile && asksApproval(entryOf(node, 'approval'))) return { kind: 'none' };
  const all = atFile ? 'run, command, pipeline, workflow, parallel, for_each, approval, or input' : known;
  context.report('lobster.no-executor', headOf(node), `${who} requires ${all}`, 'add `run:` with a command');
  return undefined;
}

/** Adds the executors that only the file's own steps may have. Returns whether one of them is refused. */
function addFileExecutors(
  node: MappingNode,
  add: (executor: Executor, at: SourceSpan) => void,
  refuse: (at: SourceSpan, message: string, hint?: string) => undefined,
): boolean {
  const [workflow, parallel, loop] = [entryOf(node, 'workflow'), entryOf(node, 'parallel'), entryOf(node, 'for_each')];
  let faulty = false;
  const fail = (at: SourceSpan, message: string, hint?: string): void => {
    faulty = true;
    refuse(at, message, hint);
  };
  const path = workflow && textIn(workflow);
  if (workflow && !path) fail(workflow.value.at, 'workflow must be a string (file path)');
  else if (path && isBlank(path)) fail(path.at, 'workflow path cannot be blank');
  else if (path) add({ kind: 'workflow', text: path }, path.at);
  if (parallel && parallel.value.kind !== 'mapping') fail(parallel.value.at, 'parallel must be an object', 'write {branches: […]}');
  else if (parallel?.value.kind === 'mapping') add({ kind: 'parallel', node: parallel.value }, parallel.keyAt);
  const items = loop && textIn(loop);
  if (loop && !items) fail(loop.value.at, 'for_each must be a string (step reference expression)', 'write for_each: $step.json');
  else if (items) add({ kind: 'for_each', text: items }, items.at);
  return faulty;
}

function inputExecutor(
  node: MappingNode,
  other: SourceSpan | undefined,
  approval: Entry | undefined,
  who: string,
  { report }: LobsterContext,
): Executor | undefined {
  const keys = 'run, command, pipeline, workflow, parallel, or for_each';
  if (other) report('lobster.several-executors', other, `${who} input steps cannot define ${keys}`, 'split it into two steps');
  if (asksApproval(approval))
    report('lobster.several-executors', approval?.keyAt ?? node.at, `${who} cannot define both approval and input`);
  return other || asksApproval(approval) ? undefined : { kind: 'input', node };
}

export function textIn(entry: Entry): ScalarNode | undefined {
  return entry.value.kind === 'scalar' && typeof entry.value.value === 'string' ? entry.value : undefined;
}

/** The node if it says something. An empty text does not; one of blanks alone does, except in a loop. */
function given(node: ScalarNode | undefined, blanksCount: boolean): ScalarNode | undefined {
  if (!node || node.text === '') return undefined;
  return blanksCount || !isBlank(node) ? node : undefined;
}

function isBlank(node: ScalarNode): boolean {
  return node.text.trim() === '';
}

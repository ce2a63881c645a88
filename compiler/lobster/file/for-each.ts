import { INDEX_VAR, ITEM_VAR } from '../../../plan/steps/item-names';
import type { ForEachStep, Step, StepBase } from '../../../plan/steps/step';
import type { SourceSpan } from '../../diagnostics/diagnostic';
import { markChained } from '../../lower/chain';
import { type Entry, entryOf, type MappingNode, type ScalarNode } from '../../read/node';
import { headOf } from '../../shape/keys';
import { wholeReference } from '../text/references';
import { resultsWithin, valueOfResult, variableResult, workResult } from '../text/results';
import { asksApproval } from './approval';
import { type LobsterContext, type LobsterScope, type StepDraft, type Templates, warnOfIgnored, warnOfUnknownKeys } from './context';
import { readEnvironment, readFolder } from './environment';
import { executorOf, textIn } from './executor';
import { delayIn, numberIn, POLICY_KEYS, readPolicies, readWhen } from './policies';
import { withReads } from './templates';
import { commandStep, pipeStep, reportUnknown } from './work';

export const LOOP_KEYS = ['steps', 'item_var', 'index_var', 'batch_size', 'pause_ms'];
const SUB_KEYS = ['id', 'run', 'command', 'pipeline', 'env', 'cwd', 'stdin', 'when', 'condition', ...POLICY_KEYS];
const REFUSED_KEYS = ['workflow', 'parallel', 'for_each', 'approval', 'input'];

/** Reads `for_each: "$ref"` with `steps`: one item after the other, unless it says otherwise. */
export function forEachStep(items: ScalarNode, { node, base, place: outer, templates, context }: StepDraft): ForEachStep {
  const id = base.as ?? base.id;
  const who = outer.who(id);
  const refuse = (at: SourceSpan, message: string, hint?: string): void =>
    context.report('lobster.bad-value', at, `${who} ${message}`, hint);
  refuseGates(node, who, context);
  const step: ForEachStep = { ...base, kind: 'for_each', items: { kind: 'literal', value: null }, block: { order: 'sequence', steps: [] } };
  readItems(items, step, outer, context, refuse);
  if (step.items) templates.push([step.items]);

  const [item, index] = [nameIn(node, 'item_var', ITEM_VAR, refuse), nameIn(node, 'index_var', INDEX_VAR, refuse)];
  if (item === index) refuse(entryOf(node, 'index_var')?.value.at ?? headOf(node), 'item_var and index_var cannot be the same');
  if (item !== ITEM_VAR) step.itemVar = item;
  if (index !== INDEX_VAR) step.indexVar = index;
  readPace(node, step, refuse);

  const place: LobsterScope = {
    ...outer,
    kind: 'loop',
    results: resultsWithin(outer.results),
    who: (sub) => `${outer.who(id)} for_each sub-step ${sub}`,
  };
  place.results.add(item, variableResult(item));
  place.results.add(index, variableResult(index));
  step.block.steps = readSteps(node, who, [item, index], place, context, refuse);
  markChained(step.block.steps);
  return step;
}

function refuseGates(node: MappingNode, who: string, { report }: LobsterContext): void {
  const refuse = (entry: Entry | undefined, key: string, why: string): void => {
    if (entry)
      report('lobster.not-here', entry.keyAt, `${who} for_each steps cannot define ${key} (${why})`, 'move it to a step of its own');
  };
  const approval = entryOf(node, 'approval');
  refuse(asksApproval(approval) ? approval : undefined, 'approval', 'use a separate step after the loop');
  const input = entryOf(node, 'input');
  refuse(input?.value.kind === 'mapping' ? input : undefined, 'input', 'use a separate step after the loop');
  const stdin = entryOf(node, 'stdin');
  const given = stdin && !(stdin.value.kind === 'scalar' && stdin.value.value === null);
  refuse(given ? stdin : undefined, 'stdin', 'loop input comes from the for_each expression');
}

type Refuse = (at: SourceSpan, message: string, hint?: string) => void;

/** The items must be one reference: any other text is not a list. */
function readItems(items: ScalarNode, step: ForEachStep, outer: LobsterScope, context: LobsterContext, refuse: Refuse): void {
  const reference = wholeReference(items.text);
  const result = reference && outer.results.find(reference.id);
  if (!reference) refuse(items.at, 'for_each: expected array, got string', 'write for_each: $step.json.field');
  else if (!result) reportUnknown(items, context.report);
  else step.items = valueOfResult(result, reference.path);
}

function nameIn(node: MappingNode, key: string, otherwise: string, refuse: Refuse): string {
  const entry = entryOf(node, key);
  const text = entry && textIn(entry);
  if (entry && !text) refuse(entry.value.at, `${key} must be a string`);
  return text?.text ?? otherwise;
}

function readPace(node: MappingNode, step: ForEachStep, refuse: Refuse): void {
  const [batch, pause] = [entryOf(node, 'batch_size')?.value, entryOf(node, 'pause_ms')?.value];
  const size = batch && numberIn(batch);
  if (size !== undefined && Number.isInteger(size) && size >= 1) {
    if (size > 1) step.batchSize = size;
  } else if (batch) refuse(batch.at, 'batch_size must be a positive integer');
  const ms = pause && delayIn(pause);
  if (ms !== undefined) {
    if (ms > 0) step.pauseMs = ms;
  } else if (pause) refuse(pause.at, 'pause_ms must be a finite non-negative number');
}

function readSteps(
  node: MappingNode,
  who: string,
  variables: readonly string[],
  place: LobsterScope,
  context: LobsterContext,
  refuse: Refuse,
): Step[] {
  const list = entryOf(node, 'steps');
  const items = list?.value.kind === 'sequence' ? list.value.items : [];
  if (items.length === 0) refuse(list?.value.at ?? headOf(node), 'for_each requires a non-empty steps array');
  const seen = new Set<string>();
  return items.flatMap((item) => {
    const entry = item.kind === 'mapping' ? entryOf(item, 'id') : undefined;
    const id = entry?.value.kind === 'scalar' ? entry.value.value : undefined;
    if (item.kind !== 'mapping' || typeof id !== 'string' || id === '') {
      const at = entry?.value.at ?? (item.kind === 'mapping' ? headOf(item) : item.at);
      context.report('lobster.bad-id', at, `${who} for_each sub-step requires an id`, 'add `id:`');
      return [];
    }
    const at = entry?.value.at ?? item.at;
    if (variables.includes(id)) {
      context.report('lobster.bad-id', at, `${who} for_each sub-step id '${id}' conflicts with loop variable`, 'rename the step');
    } else if (seen.has(id))
      context.report('lobster.duplicate-id', at, `${who} duplicate for_each sub-step id: ${id}`, 'rename one of them');
    seen.add(id);
    return readSubStep(item, id, who, place, context) ?? [];
  });
}

function readSubStep(node: MappingNode, id: string, loop: string, outer: LobsterScope, context: LobsterContext): Step | undefined {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const place: LobsterScope = { ...outer, env: [...outer.env, readEnvironment(get('env'), context)] };
  const who = place.who(id);
  const cwd = readFolder(get('cwd'), who, place, context) ?? outer.cwd;
  if (cwd) place.cwd = cwd;
  warnOfUnknownKeys(node, `step "${id}"`, [...SUB_KEYS, ...REFUSED_KEYS, 'workflow_args', ...LOOP_KEYS], context);
  warnOfIgnored([get('workflow_args'), ...LOOP_KEYS.map(get)], 'a step of a loop is a command or a pipe', context);
  const refused = refuseNested(node, who, loop, context);
  const planId = context.ids.take(id, false);
  const base: StepBase = planId === id ? { id } : { id: planId, as: id };
  const when = readWhen(node, place.results, context);
  if (when) base.when = when;
  readPolicies(node, base, who, place, context);
  const executor = refused ? undefined : executorOf(node, id, place, context);
  place.results.add(id, workResult(id, planId, { approval: false }));
  if (executor?.kind !== 'shell' && executor?.kind !== 'pipe') return undefined;
  const templates: Templates = [];
  const make = executor.kind === 'shell' ? commandStep : pipeStep;
  return withReads(make(executor.text, { node, base, place, templates, context }), templates, context);
}

/** Refuses gates and containers within a loop. */
function refuseNested(node: MappingNode, who: string, loop: string, { report }: LobsterContext): boolean {
  const [approval, input] = [entryOf(node, 'approval'), entryOf(node, 'input')];
  const gate = asksApproval(approval) ? approval : input?.value.kind === 'mapping' ? input : undefined;
  if (gate)
    report('lobster.not-here', gate.keyAt, `${loop} for_each sub-steps cannot contain approval or input steps`, 'ask after the loop');
  const container = ['workflow', 'parallel', 'for_each'].map((key) => entryOf(node, key)).find((entry) => entry && !isNothing(entry));
  if (container)
    report('lobster.not-here', container.keyAt, `${who} cannot define workflow, parallel, or for_each`, 'make it a step of the file');
  return gate !== undefined || container !== undefined;
}

function isNothing({ value }: Entry): boolean {
  return value.kind === 'scalar' && (value.value === null || value.value === '' || value.value === false || value.value === 0);
}

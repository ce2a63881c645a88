import { holdsBlock, holdsBranches } from '../../kinds/questions';
import type { Plan } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';
import { everyStep } from '../../plan/steps/walk';
import { field, isJsonObject, type Json, type JsonObject, textIn } from '../../plan/text/json';
import { namesLater, objects } from '../lobster/dry-run-commands';
import { conditionMet, type DryRunNotes, note, noted, stdinNote, textWithArgs } from './lobster-dry-run-text';

/**
 * What Lobster's own dry run writes to stderr, line for line: one numbered line for each step, and below it the author's text, with args
 * inserted and references to outputs unchanged (Lobster 2026.9, read from its public sources).
 *
 * Conditions are decided as Lobster decides them here: approvals count as given, outputs as missing. The compiler has reported all mistakes
 * of the file.
 */
export interface LobsterDryRun {
  plan: Plan;
  /** The file as read, before the compiler: its own text is printed. */
  document: Json;
  /** Defaults filled in. */
  args: Readonly<Record<string, Json>>;
}

export function renderLobsterDryRun(request: LobsterDryRun): string {
  const steps = objects(field(request.document, 'steps'));
  const notes: DryRunNotes = {
    args: request.args,
    steps: stepsById(request.plan.block.steps),
    ids: new Map([...everyStep<Step>(request.plan.block.steps)].map(({ id, as = id }) => [id, as])),
    results: new Map(),
    indexes: new Set(),
  };
  const lines = [`[DRY RUN] Would execute ${steps.length} step${steps.length === 1 ? '' : 's'}:`, ''];
  steps.forEach((source, i) => void lines.push(...stepLines(source, i + 1, notes)));
  return `${lines.join('\n')}\n`;
}

/** The steps of a block and its branches, by the ids that the file has. */
function stepsById(steps: readonly Step[]): Map<string, Step> {
  const all = steps.flatMap((step) => (holdsBranches(step) ? [step, ...step.branches] : [step]));
  return new Map(all.map((step) => [step.as ?? step.id, step]));
}

function stepLines(source: JsonObject, number: number, notes: DryRunNotes): string[] {
  const id = textIn(source, 'id') ?? '';
  const head = `  ${number}. ${id}  `;
  if (!conditionMet(id, notes)) {
    notes.results.set(id, { skipped: true });
    return [`${head}[skipped — condition: false]`];
  }
  const input = source['input'];
  if (isJsonObject(input)) {
    notes.results.set(id, { response: { pending: true } });
    return [`${head}[input]`, `     prompt: ${String(input['prompt'])}`, '     [input required]'];
  }
  const approves = asksApproval(source['approval']);
  const lines = [...executorLines(source, id, head, notes)];
  const note = typeof source['for_each'] === 'string' ? undefined : stdinNote(source['stdin']);
  if (note !== undefined) lines.push(`     stdin: ${note}`);
  lines.push(...policyLines(source));
  if (approves) lines.push('     [approval required]');
  notes.results.set(id, approves ? { approved: true } : {});
  return lines;
}

function executorLines(source: JsonObject, id: string, head: string, notes: DryRunNotes): string[] {
  if (typeof source['for_each'] === 'string') return loopLines(source, source['for_each'], notes.steps.get(id), head, notes);
  if (isJsonObject(source['parallel'])) return parallelLines(source['parallel'], head, notes);
  const workflow = textIn(source, 'workflow');
  if (workflow !== undefined) {
    const names = Object.keys(isJsonObject(source['workflow_args']) ? source['workflow_args'] : {});
    const args = names.length === 0 ? [] : [`     args: ${names.join(', ')}`];
    return [`${head}[workflow]`, `     workflow: ${noted(workflow, notes)}`, ...args];
  }
  const shell = shellOf(source);
  if (shell !== undefined) return [`${head}[shell]`, `     run: ${noted(shell, notes)}`];
  const pipeline = textIn(source, 'pipeline');
  if (pipeline === undefined) return [`${head}[no-op]`];
  const later = namesLater(textWithArgs(pipeline, notes)) ? ['     [command validation deferred — stage name depends on step output]'] : [];
  return [`${head}[pipeline]`, `     pipeline: ${noted(pipeline, notes)}`, ...later];
}

function parallelLines(parallel: JsonObject, head: string, notes: DryRunNotes): string[] {
  const lines = [`${head}[parallel]`, `     wait: ${textIn(parallel, 'wait') ?? 'all'}`];
  if (parallel['timeout_ms']) lines.push(`     timeout: ${String(parallel['timeout_ms'])}ms`);
  for (const branch of objects(parallel['branches'])) {
    const id = textIn(branch, 'id') ?? '';
    const [pipeline, shell] = [textIn(branch, 'pipeline'), shellOf(branch)];
    if (pipeline !== undefined) lines.push(`     branch ${id}: [pipeline] ${noted(pipeline, notes)}`);
    else lines.push(`     branch ${id}: ${shell === undefined ? '[no-op]' : `[shell] ${noted(shell, notes)}`}`);
    notes.results.set(id, {});
  }
  return lines;
}

function loopLines(source: JsonObject, items: string, loop: Step | undefined, head: string, notes: DryRunNotes): string[] {
  const [item, index] = [textIn(source, 'item_var') ?? 'item', textIn(source, 'index_var') ?? 'index'];
  const steps = objects(source['steps']);
  const lines = [`${head}[for_each]`, `     for_each: ${items}${note(items)}`, `     item_var: ${item}, index_var: ${index}`];
  for (const key of ['batch_size', 'pause_ms']) if (source[key]) lines.push(`     ${key}: ${String(source[key])}`);
  lines.push(`     sub-steps: ${steps.length}`);
  // Results within a loop are known only within it.
  const inner: DryRunNotes = {
    ...notes,
    steps: stepsById(loop && holdsBlock(loop) ? loop.block.steps : []),
    results: new Map(notes.results),
    indexes: new Set([...notes.indexes, index]),
  };
  steps.forEach((sub, i) => {
    const id = textIn(sub, 'id') ?? '';
    const begin = `       ${i + 1}. ${id}  `;
    const [shell, pipeline] = [shellOf(sub), textIn(sub, 'pipeline')];
    if (!conditionMet(id, inner)) lines.push(`${begin}[skipped — condition: false]`);
    else if (shell !== undefined) lines.push(`${begin}[shell] run: ${textWithArgs(shell, inner)}`);
    else lines.push(pipeline === undefined ? `${begin}[no-op]` : `${begin}[pipeline] pipeline: ${textWithArgs(pipeline, inner)}`);
    inner.results.set(id, conditionMet(id, inner) ? {} : { skipped: true });
  });
  return lines;
}

function policyLines(source: JsonObject): string[] {
  const lines: string[] = [];
  if (source['timeout_ms']) lines.push(`     timeout: ${String(source['timeout_ms'])}ms`);
  const onError = textIn(source, 'on_error');
  if (onError !== undefined && onError !== 'stop') lines.push(`     on_error: ${onError}`);
  const retry = source['retry'];
  if (isJsonObject(retry) && Number(retry['max'] ?? 1) > 1) {
    const { max, backoff, delay_ms: delay, jitter } = retry;
    const base = `base: ${String(delay ?? 1000)}ms${jitter ? ', jitter' : ''}`;
    lines.push(`     retry: up to ${String(max)} attempts, ${String(backoff ?? 'fixed')} backoff (${base})`);
  }
  return lines;
}

/** Whether it asks: `true`, a text or an object do; an empty one asks nobody. */
export function asksApproval(approval: Json | undefined): boolean {
  return approval === true || (typeof approval === 'string' && approval.trim() !== '') || isJsonObject(approval);
}

function shellOf(source: JsonObject): string | undefined {
  return textIn(source, 'run') ?? textIn(source, 'command');
}

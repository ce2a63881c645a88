import { traitsOf } from '../../kinds/traits';
import type { Report } from '../diagnostics/diagnostic';
import { listWords } from '../diagnostics/suggest';
import { foreignWordHint } from '../language/foreign-word-hint';
import { kindRow, ownRows, stepRows } from '../language/kinds';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { readAfterApproval } from './approval';
import { type Defaults, withDefaults } from './defaults';
import { checkKeys, headOf, requireKey } from './keys';
import { kindOf } from './kind';
import { BEHIND, READERS, RESPELLINGS } from './kinds';
import { stepsHint } from './list-hint';
import { checkName } from './names';
import type { ReadContext } from './read-context';
import { readMapping, readRows } from './read-rows';
import type { OwnSources, StepSource, WorkSource } from './source';
import type { WorktreeSource } from './source-parts';
import { sequenceOf, textOf, wrongType } from './values';
import { ALL_STEP_KEYS, KIND_KEYS_LATER, STEP_KEYS, STEP_TYPES, type WrittenKind } from './vocabulary';

/** Reads the steps of a block, and of the blocks within. */
export function stepsReading(defaults: Defaults, report: Report): ReadContext {
  const reading: ReadContext = { defaults, report, steps: (entry, options) => readBlock(entry, options?.branches === true, reading) };
  return reading;
}

function readBlock(entry: Entry, asBranches: boolean, reading: ReadContext): StepSource[] {
  const { report } = reading;
  const one = asBranches ? (entry.key === 'switch' ? 'case' : 'branch') : 'step';
  const list = sequenceOf(entry, report, `a list of ${one === 'branch' ? 'branches' : `${one}s`}`, stepsHint);
  if (list?.items.length === 0) report('shape.out-of-range', entry.value.at, `"${entry.key}" is empty`, `add a ${one}`);
  const read = list?.items.map((item) => stepsOf(item, entry.key, asBranches, reading)) ?? [];
  return read.some(([step]) => step?.dependsOn) ? read.flatMap(inOrder) : read.flat();
}

/**
 * Makes each step depend on those before it: in a graph a step without dependencies waits for nothing, and nobody has written any for steps
 * made from keys.
 */
function inOrder(steps: StepSource[]): StepSource[] {
  return steps.map((step, i) => (i === 0 ? step : { ...step, dependsOn: steps.slice(0, i).map(({ id, at }) => ({ value: id, at })) }));
}

/** A step, followed by the steps that its keys put behind it. */
function stepsOf(item: SourceNode, key: string, asBranch: boolean, reading: ReadContext): StepSource[] {
  const step = readStep(item, key, asBranch, reading);
  if (!step) return [];
  const putBehind = step.work && BEHIND[step.work.kind];
  const behind = (item.kind === 'mapping' && putBehind?.(item, step.id, asBranch, reading.report)) || [];
  return [step, ...behind.flatMap((made) => readStep(made, key, asBranch, reading) ?? [])];
}

/** Reads one step. Its kind is chosen first, by `type` or by its keys; the kind says which keys are allowed. */
function readStep(written: SourceNode, key: string, asBranch: boolean, reading: ReadContext): StepSource | undefined {
  const { report } = reading;
  if (written.kind !== 'mapping') return wrongType(written, key, 'a list of steps, each a mapping with an "id"', report);
  const node = RESPELLINGS.reduce<MappingNode>((spelled, respell) => respell(spelled, report), written);
  const idEntry = entryOf(node, 'id');
  requireKey(node, 'id', asBranch ? 'a branch' : 'a step', report);
  const id = idEntry && textOf(idEntry, report);
  if (id) checkName(id, 'step', report);
  const step: StepSource = { id: id?.value ?? '', at: id?.at ?? headOf(node) };

  const kind = kindOf(node, step.id, asBranch, report);
  if (kind === 'later') {
    return { ...step, ...readCommon(node, undefined, { ...reading, report: () => undefined }) };
  }
  const known = kind === undefined ? ALL_STEP_KEYS : STEP_KEYS[kind];
  const what = kind === undefined ? 'a step' : calledOf(kind);
  checkKeys(
    node,
    { what, known, later: KIND_KEYS_LATER, elsewhere: ALL_STEP_KEYS, place: 'key of a step', belongs: (key) => whoTakes(key, kind) },
    report,
  );
  const whole: MappingNode = kind === undefined ? node : withDefaults(node, kind, reading.defaults);
  Object.assign(step, readCommon(whole, kind, reading));
  if (kind !== undefined) step.work = readWork(kind, whole, step, reading);
  return step;
}

/** Reads what a step says, whatever it does. Of a list that does not parse nothing is left, and not less: the step has the key. */
function readCommon(node: MappingNode, kind: WrittenKind | undefined, reading: ReadContext): Partial<StepSource> {
  const source: Partial<StepSource> = readRows(node, stepRows(kind), 'a step', reading);
  if (entryOf(node, 'depends_on') ?? entryOf(node, 'needs')) source.dependsOn ??= [];
  if (entryOf(node, 'on_error')) source.onError ??= [];
  return source;
}

/** What to write instead; else the kinds of step that have the key. A review is written as an agent's step. */
function whoTakes(key: string, kind: WrittenKind | undefined): string {
  const place = kind && kindRow(kind).spellings;
  const own = (place && foreignWordHint(place, key)) ?? foreignWordHint('key of a step', key);
  if (own) return own;
  const takers = [...STEP_TYPES].filter(([type, of]) => STEP_KEYS[of].includes(key) && type === of).map(([, of]) => of);
  const whose = takers.length === 0 ? '' : `\`${key}:\` belongs to steps of type ${listWords(takers)}`;
  const [only, another] = takers;
  const isVariant = only !== undefined && another === undefined && kindRow(only).variant?.of === kind;
  return isVariant ? `add \`type: ${only}\`: ${whose}` : whose;
}

/** Reads what a step of a kind does. A gate is itself an approval, so `on_reject` on it is the gate's own. */
function readWork(kind: WrittenKind, node: MappingNode, step: StepSource, reading: ReadContext): WorkSource {
  const { report } = reading;
  if (traitsOf(kind).gate === undefined) readAfterApproval(node, step, report);
  if (!ownRows(kind).some(({ key }) => key === 'worktree')) readWorktree(node, step, report);
  const own = kind in READERS ? READERS[kind as keyof OwnSources](node, step, reading) : {};
  return { kind, ...readRows(node, ownRows(kind), calledOf(kind), reading), ...own } as WorkSource;
}

function calledOf(kind: WrittenKind): string {
  return kindRow(kind).types.length === 0 ? 'a branch of several steps' : `a step of kind "${kind}"`;
}

/** Reads `worktree: true`, the id of a step whose worktree it continues in, or `{repo, remote, base, copy, setup, teardown, keep}`. */
function readWorktree(node: MappingNode, step: StepSource, report: Report): void {
  const entry = entryOf(node, 'worktree');
  const found = entry && worktreeAt(entry, report);
  if (found) step.worktree = found;
}

function worktreeAt(entry: Entry, report: Report): WorktreeSource | undefined {
  const { value, keyAt: at } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value ? { kind: 'own', at } : undefined;
  if (value.kind === 'scalar') {
    const step = textOf(entry, report);
    return step && { kind: 'of', at, step };
  }
  const takes = 'true, the id of a step, or a mapping such as {base: main}';
  const own = readMapping(entry, 'worktree', { report }, { takes });
  return own && { kind: 'own', at, ...own };
}

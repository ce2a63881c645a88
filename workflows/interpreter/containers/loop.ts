import { defined, unlessEmpty } from '../../../plan/defined';
import type { ArtifactRef } from '../../../plan/run/artifact';
import { type IterationsComposition, NAMES_AHEAD } from '../../../plan/steps/container-activities';
import { pathKey } from '../../../plan/steps/step-activity';
import type { Json } from '../../../plan/text/json';
import type { Interpreter } from '../interpreter';
import type { PlaceOf } from '../scheduling/place';
import { openKindState } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import { QUICK_ACTIVITY_MS } from '../steps/activity-timeouts';
import { readable } from '../steps/step-input';
import type { LoopRecord } from './container-record';
import { closeRecords, recordsIn } from './iteration';

/** A loop's state, and how it is kept small. */

type LoopPlace = PlaceOf<'for_each'>;

/** How many items' control values are fetched at once. */
const VALUES_AHEAD = 25;
const WHOLE_ITEM = pathKey([]);
/** How many references the input of one activity has that makes a part of the output. */
const REFERENCES_PER_PART = 200;

/** Evaluates and stores the list, unless an earlier try or execution has. */
export async function openLoop(it: Interpreter, place: LoopPlace, record: StepRecord): Promise<LoopRecord> {
  const kept = openKindState(record, place.step.kind);
  if (kept.loop) return kept.loop;
  const { run } = it;
  const { list, count, names } = await run.activity(place, 'items', readable(run, place, place.step.inputs), {
    address: `${run.address(place.path)}/items`,
    startToCloseMs: QUICK_ACTIVITY_MS,
  });
  kept.loop = { list, total: count, next: 0, live: [], done: {}, parts: [], unparted: 0 };
  if (names) addNames(kept.loop, 0, names.first);
  if (names?.list) kept.loop.nameList = names.list;
  return kept.loop;
}

/** Brings an item's control values into state. */
export async function fetchItemValues(it: Interpreter, place: LoopPlace, loop: LoopRecord, index: number): Promise<void> {
  const { itemReads: paths } = place.step;
  const { list } = loop;
  loop.values ??= {};
  if (!paths || !list || loop.values[index]) return;
  const { run } = it;
  const to = Math.min(loop.total, index + VALUES_AHEAD);
  const fetched = await run.activity(
    place,
    'itemValues',
    { run: run.ctx.info.firstRunId, list, from: index, to, paths },
    { address: `${run.address(place.path)}/values-${index}`, startToCloseMs: QUICK_ACTIVITY_MS },
  );
  for (const [i, values] of fetched.entries()) loop.values[index + i] = values;
}

/** Whether the names of the items from an index on are not in state yet. */
export function wantsNames({ nameList }: LoopRecord, index: number): boolean {
  return nameList !== undefined && index > 0 && index % NAMES_AHEAD === 0;
}

/** Brings the names of the next items into state. */
export async function fetchItemNames(it: Interpreter, place: LoopPlace, loop: LoopRecord, index: number): Promise<void> {
  const { nameList } = loop;
  if (!nameList) return;
  const { run } = it;
  const to = Math.min(loop.total, index + NAMES_AHEAD);
  const fetched = await run.activity(
    place,
    'itemValues',
    { run: run.ctx.info.firstRunId, list: nameList, from: index, to, paths: [[]] },
    { address: `${run.address(place.path)}/names-${index}`, startToCloseMs: QUICK_ACTIVITY_MS },
  );
  addNames(
    loop,
    index,
    fetched.map((values) => values[WHOLE_ITEM] ?? null),
  );
}

function addNames(loop: LoopRecord, from: number, names: readonly Json[]): void {
  const known = names.flatMap((name, i) => (typeof name === 'string' ? [[String(from + i), name] as const] : []));
  loop.names = { ...loop.names, ...Object.fromEntries(known) };
}

/** An iteration is done: only its output stays. */
export function closeIteration(it: Interpreter, place: LoopPlace, loop: LoopRecord, index: number): void {
  const results: Record<string, ArtifactRef> = {};
  for (const [id, { output }] of recordsIn(it, place, place.step.block, index)) if (output?.artifact) results[id] = output.artifact;
  closeRecords(it, place, index, loop);
  loop.live = loop.live.filter((other) => other !== index);
  loop.done[index] = results;
  if (loop.values) delete loop.values[index];
  if (loop.names) delete loop.names[index];
}

/** Makes parts of the output from consecutive finished iterations; `rest` takes the last ones too. */
export async function composeLoopParts(it: Interpreter, place: LoopPlace, loop: LoopRecord, rest?: 'rest'): Promise<void> {
  const { run } = it;
  const size = Math.max(1, Math.floor(REFERENCES_PER_PART / place.step.block.steps.length));
  for (;;) {
    const results = contiguous(loop, size);
    if (results.length === 0 || (results.length < size && rest === undefined)) return;
    const from: IterationsComposition = { kind: 'iterations', ...itemsOf(loop, results.length), from: loop.unparted, results };
    const { artifact } = await run.activity(
      place,
      'compose',
      { run: run.ctx.info.firstRunId, from },
      { address: `${run.address(place.path)}/part-${loop.parts.length}`, startToCloseMs: QUICK_ACTIVITY_MS },
    );
    if (artifact) loop.parts.push(artifact);
    for (let i = 0; i < results.length; i++) {
      delete loop.done[loop.unparted + i];
      delete loop.stream?.items[loop.unparted + i];
      delete loop.stream?.errors?.[loop.unparted + i];
    }
    loop.unparted += results.length;
  }
}

/** The outputs of the next iterations that become a part. */
function itemsOf({ list, stream, unparted }: LoopRecord, count: number): Pick<IterationsComposition, 'list' | 'items' | 'errors'> {
  if (list) return { list };
  const indexes = Array.from({ length: count }, (_, i) => unparted + i);
  const errors = indexes.flatMap((index) => {
    const error = stream?.errors?.[index];
    return error ? [[String(index), error] as const] : [];
  });
  const items = indexes.flatMap((index) => stream?.items[index]?.item ?? []);
  return { items, ...defined({ errors: unlessEmpty(Object.fromEntries(errors)) }) };
}

function contiguous({ done, unparted }: LoopRecord, most: number): Record<string, ArtifactRef>[] {
  const found: Record<string, ArtifactRef>[] = [];
  for (let i = unparted; found.length < most; i++) {
    const results = done[i];
    if (!results) break;
    found.push(results);
  }
  return found;
}

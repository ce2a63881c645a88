import { type ControlRef, type FrozenRef, readControlRef } from '../../../plan/artifact';
import { ThermidorFailure } from '../../../plan/failure';
import { JOURNAL_PAGE_ENTRIES } from '../../../plan/journal';
import { isJsonObject, type Json } from '../../../plan/json';
import type { RunContext } from '../../run-context';
import type { Run } from '../run';
import type { Snapshot } from './state';

/**
 * What one execution hands to the next, in the store.
 *
 * Invariant: nothing that is handed to or from an activity here is larger than Temporal takes (2 MiB): of the journal at most a page
 * is left in the state, and a state that is large all the same is stored in parts.
 */
const LOCAL_MS = 60_000;
/** In characters. As text within JSON each takes up to three bytes. */
const PART_CHARACTERS = 400_000;

export async function saveSnapshot(run: Run): Promise<ControlRef<'snapshot'>> {
  const { ctx, state } = run;
  if (state.journal.tail.length >= JOURNAL_PAGE_ENTRIES) await run.journal.flush();
  const { plan: _plan, ...opened } = run.opened;
  const snapshot: Snapshot = { opened, state };
  const text = JSON.stringify(snapshot);
  if (text.length <= PART_CHARACTERS) return save(ctx, snapshot);
  const parts: ControlRef<'snapshot'>[] = [];
  for (let from = 0; from < text.length; from += PART_CHARACTERS) {
    parts.push(await save(ctx, { part: text.slice(from, from + PART_CHARACTERS) }));
  }
  return save(ctx, { parts });
}

/** Fails with `internal` where it is none. */
export async function loadSnapshot(ctx: RunContext, ref: ControlRef<'snapshot'>): Promise<Snapshot> {
  const stored = await load(ctx, ref);
  const parts = isJsonObject(stored) ? stored['parts'] : undefined;
  return readSnapshot(Array.isArray(parts) ? await joined(ctx, parts) : stored);
}

async function joined(ctx: RunContext, parts: readonly Json[]): Promise<Json> {
  let text = '';
  for (const one of parts) {
    const ref = readControlRef(one, 'snapshot');
    const part = ref && (await load(ctx, ref));
    if (!isJsonObject(part) || typeof part['part'] !== 'string') throw unreadable();
    text += part['part'];
  }
  const whole: Json = JSON.parse(text);
  return whole;
}

function save(ctx: RunContext, state: object): Promise<ControlRef<'snapshot'>> {
  return ctx.activity('saveState', { run: ctx.info.firstRunId, state }, { local: true, kept: true, startToCloseMs: LOCAL_MS });
}

function load(ctx: RunContext, ref: FrozenRef<'snapshot'>): Promise<Json> {
  return ctx.activity('loadState', { run: ctx.info.firstRunId, ref }, { local: true, kept: true, startToCloseMs: LOCAL_MS });
}

function readSnapshot(stored: Json): Snapshot {
  if (!isSnapshot(stored)) throw unreadable();
  return stored;
}

function isSnapshot(stored: unknown): stored is Snapshot {
  return isJsonObject(stored) && isJsonObject(stored['state']) && isJsonObject(stored['state']['records']);
}

function unreadable(): ThermidorFailure {
  return new ThermidorFailure('internal', 'the stored state of the run is invalid');
}

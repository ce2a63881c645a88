import { ThermidorFailure } from '../../../plan/run/failure';
import type { SignalPayload } from '../../../plan/run/signal';
import { isSettled } from '../../../plan/run/step-state';
import { type EmitItemOutput, MOST_ITEM_BYTES, type SentItem } from '../../../plan/steps/stream';
import type { Json } from '../../../plan/text/json';
import { wakeAt } from '../agents/spawned-agents';
import { type CheckKind, checkTogether } from '../inbound/check-together';
import type { NotApplied, PlannedCommand } from '../inbound/planned-command';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { stepIdAt } from '../scheduling/place';
import { QUICK_ACTIVITY_MS } from '../steps/activity-timeouts';
import { outsideEmits, streamAt, streamSleeper } from './stream-room';

/**
 * An item from outside, for the stream of a step that is at work: it is recorded as any other, and counts against the same bounds. The
 * stream stays open until it is recorded or refused.
 */
export function planEmit({ run }: Interpreter, { step, item, by }: SignalPayload): PlannedCommand {
  if (step === undefined || item === undefined) return { outcome: 'unreadable', reason: 'emit needs "step" and "item"' };
  // Together with others it must fit into one activity's input.
  if (JSON.stringify(item).length > MOST_ITEM_BYTES)
    return { outcome: 'refused', reason: `the item is too large: an item has at most ${MOST_ITEM_BYTES} bytes` };
  const found = producerNamed(run, step);
  if ('outcome' in found) return found;
  const { path } = found;
  const name = run.name(path);
  return {
    step: name,
    check: () => record(run, path, item, by ?? 'somebody'),
    apply: () => wakeAt(run, streamAt(run, path)),
  };
}

async function record(run: Run, path: string, item: Json, by: string): Promise<NotApplied | undefined> {
  const stream = streamAt(run, path);
  const emits = outsideEmits(run);
  emits.set(path, (emits.get(path) ?? 0) + 1);
  try {
    const said = await checkTogether(run, ITEMS, { stream, step: stepIdAt(path), item, by });
    if ('outcome' in said) return said;
    const { problem, again } = said;
    if (problem !== undefined) return { outcome: 'refused', reason: `the item for ${run.name(path)} was not taken: ${problem}` };
    return again ? { outcome: 'duplicate', reason: `${run.name(path)} has emitted an item with this key before` } : undefined;
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return { outcome: 'unavailable', reason: `the item for ${run.name(path)} could not be recorded: ${error.message}` };
  } finally {
    emits.set(path, (emits.get(path) ?? 1) - 1);
    run.wake(streamSleeper(path));
  }
}

const ITEMS: CheckKind<SentItem, EmitItemOutput> = {
  most: 100,
  perform(run, items) {
    run.state.checks = (run.state.checks ?? 0) + 1;
    const options = { address: `run/items-${run.state.checks}`, kept: true, startToCloseMs: QUICK_ACTIVITY_MS } as const;
    return run.ctx.activity('emitItems', { run: run.ctx.info.firstRunId, items }, options);
  },
};

/** A working step that emits, by its path or the end of it. */
function producerNamed(run: Run, named: string): { path: string } | NotApplied {
  const path = named.replace(/[#~]\d+/g, '');
  const open = [...run.index.live(run.state.records)].flatMap(([at]) => (run.steps.get(stepIdAt(at))?.step.emits ? [at] : []));
  const exact = open.filter((at) => at === path);
  const fits = exact.length > 0 ? exact : open.filter((at) => at.endsWith(`/${path}`));
  const [only, second] = fits;
  if (second !== undefined) return { outcome: 'misdirected', reason: `"${named}" could be ${fits.map((at) => run.name(at)).join(' or ')}` };
  if (only !== undefined) {
    if (run.record(only).unread) return { outcome: 'late', reason: `nobody takes up what ${run.name(only)} emits any more` };
    return { path: only };
  }
  const known = run.steps.get(stepIdAt(path))?.step.emits;
  const list = open.map((at) => run.name(at)).join(', ') || 'none';
  if (!known) return { outcome: 'misdirected', reason: `there is no step "${named}" that emits items; at work: ${list}` };
  const records = Object.entries(run.state.records).filter(([at]) => at === path || at.endsWith(`/${path}`));
  return records.some(([, { state }]) => isSettled(state))
    ? { outcome: 'late', reason: `${named} has ended, and with it its stream` }
    : { outcome: 'early', reason: `${named} has not begun` };
}

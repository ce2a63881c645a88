import type { ArtifactRef } from '../../../plan/artifact';
import type { ControlStep } from '../../../plan/control';
import type { Json } from '../../../plan/json';
import type { VerdictRecord } from '../../../plan/verdict';
import { forget } from '../containers/within';
import { openFrame, retireFrame } from '../frames';
import type { Interpreter } from '../interpreter';
import { type Frame, isWithin, type Place, partsFrame, pathWithin } from '../place';
import { verdictOf } from '../state/kept';
import { type FailureRecord, partsIn, type Scope } from './memory';
import { thrown } from './scope-log';
import type { Within } from './step-context';

/**
 * A step that the plan has beneath another, with an address of its own: `decide[1]/security` is the part `security` in turn 1 of `decide`.
 * It is tried, repaired, budgeted and journalled as a step that is in the file.
 */
export type Part = ControlStep;

export interface PartCall {
  /** From 1. The same part runs once in a turn. */
  turn: number;
  /** What it reads beside its own inputs, by name. */
  given?: Record<string, ArtifactRef>;
}

export interface PartEnd {
  state: 'done' | 'skipped';
  artifact?: ArtifactRef;
  values?: Record<string, Json>;
  verdict?: VerdictRecord;
}

export function runPart({ it, place, enter, known, marked }: Within, part: Part, call: PartCall): Promise<PartEnd> {
  const path = pathWithin(place.path, call.turn, part.id);
  const entry = enter<'part'>({ kind: 'part', key: `${part.id}[${call.turn}]`, path });
  return (
    known<PartEnd>(entry) ??
    marked(entry, untilSettled(it, place, part, call), (value) => {
      entry.end = { value };
    })
  );
}

async function untilSettled(it: Interpreter, place: Place, part: Part, call: PartCall): Promise<PartEnd> {
  const path = pathWithin(place.path, call.turn, part.id);
  const sleeper = `part:${path}`;
  let settled = false;
  const frame = openPart(it, place, part, call, () => {
    settled = true;
    it.run.wake(sleeper);
  });
  while (!settled) await it.run.sleepUntilWoken(sleeper, path);
  retireFrame(it, frame);
  const end = endOfPart(it, path);
  if ('failure' in end) throw thrown(end.failure);
  return end.value;
}

/** Lets a part run, from wherever its record says that it is. `settled` is called once, also where it had settled before. */
export function openPart(it: Interpreter, place: Place, part: Part, { turn, given }: PartCall, settled: () => void): Frame {
  const frame = partsFrame(place, [part], turn);
  const record = it.run.record(pathWithin(place.path, turn, part.id));
  if (given) record.brief = { ...record.brief, given };
  openFrame(it, frame, { done: settled, stopped: () => undefined });
  return frame;
}

/** How a part has ended that has settled. */
export function endOfPart({ run }: Interpreter, path: string): { value: PartEnd } | { failure: FailureRecord } {
  const record = run.record(path);
  const { state, artifact, values, error } = record;
  if (state === 'failed' && error) return { failure: error };
  const verdict = verdictOf(record);
  return {
    value: {
      state: state === 'done' ? 'done' : 'skipped',
      ...(artifact ? { artifact } : {}),
      ...(values ? { values } : {}),
      ...(verdict ? { verdict } : {}),
    },
  };
}

/** Parts of a turn that is over leave nothing behind but what they have used, and the rounds that they have had. */
export function forgetParts({ run }: Interpreter, { path: container }: Place, scope: Scope): void {
  const parts = partsIn(scope);
  const over = run.index
    .within(run.state.records, container)
    .flatMap(([path]) => (parts.some((part) => path === part || isWithin(path, part)) ? [path] : []));
  forget(run, run.record(container), over);
}

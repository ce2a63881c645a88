import { scopeOf } from '../../../plan/brief/role';
import { defined } from '../../../plan/defined';
import { isWithin } from '../../../plan/steps/address';
import { forget } from '../containers/inner-steps';
import type { Interpreter } from '../interpreter';
import { openFrame, retireFrame } from '../scheduling/frames';
import { type Frame, type Place, partsFrame, pathWithin } from '../scheduling/place';
import { agentStateOf, verdictInState } from '../state/kind-state';
import { type FailureRecord, type LogScope, partsIn } from './attempt-log';
import type { OpenScope } from './open-scope';
import { failureOfEntry } from './scope-log';
import type { Part, PartCall, PartEnd } from './step-context';

export function runPart({ it, place, enter, known, marked }: OpenScope, part: Part, call: PartCall): Promise<PartEnd> {
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
  if ('failure' in end) throw failureOfEntry(end.failure);
  return end.value;
}

/** Runs a part from wherever its record says that it is. `settled` is called once, even if it had settled before. */
export function openPart(it: Interpreter, place: Place, part: Part, { turn, ...given }: PartCall, settled: () => void): Frame {
  const frame = partsFrame(place, [part], turn);
  const record = it.run.record(pathWithin(place.path, turn, part.id));
  const { authority, toolCalls, requests } = given;
  const scoped = authority && { ...authority, role: scopeOf(authority.role) };
  // What its tries have made since counts, also in a fresh execution.
  const sofar = { toolCalls: record.brief?.toolCalls ?? toolCalls, requests: record.brief?.requests ?? requests };
  const brief = defined({ ...given, authority: scoped, ...sofar });
  if (Object.keys(brief).length > 0) record.brief = { ...record.brief, ...brief };
  openFrame(it, frame, { done: settled, stopped: () => undefined });
  return frame;
}

/** How a part has ended that has settled. */
export function endOfPart({ run }: Interpreter, path: string): { value: PartEnd } | { failure: FailureRecord } {
  const record = run.record(path);
  const { state, output, error, usage } = record;
  if (state === 'failed' && error) return { failure: error };
  const verdict = verdictInState(record);
  return {
    value: {
      state: state === 'done' ? 'done' : 'skipped',
      ...defined({ artifact: output?.artifact, values: output?.values, verdict, used: usage, work: agentStateOf(record)?.memberTurn }),
    },
  };
}

/** Parts of a finished turn leave only their usage, and the rounds that they have had. */
export function forgetParts(it: Interpreter, { path: container }: Place, scope: LogScope): void {
  const { run } = it;
  const parts = partsIn(scope);
  const over = run.index
    .within(run.state.records, container)
    .flatMap(([path]) => (parts.some((part) => path === part || isWithin(path, part)) ? [path] : []));
  forget(it, run.record(container), over);
}

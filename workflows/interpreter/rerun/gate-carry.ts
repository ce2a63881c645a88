import { isGate, isInput } from '../../../kinds/questions';
import { traitsOf } from '../../../kinds/traits';
import { defined } from '../../../plan/defined';
import type { CarriedGates, CarryQuery } from '../../../plan/run/carry';
import { interestedOf, whyBarred } from '../gates/four-eyes-record';
import { passedGates } from '../gates/passed-gates';
import type { Place } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import { pathById } from '../steps/expression-scope';
import { type CarryState, isCarried, placeFinder } from './carry-state';
import { changedInputs, readsAnswer } from './changed-inputs';
import { coverFinder } from './decision-cover';
import { readsOfSteps } from './step-reads';

/**
 * Which decisions of people hold in the new run. One holds if and only if its own content and every value that enters its cover from
 * outside are unchanged, and if its approvers could make it in the new run.
 */
export interface GateVerdicts {
  /** Gates to ask again, by path, and why. */
  again: Map<string, string>;
  /** A decision that does not hold and that no gate can ask for again, in words. */
  problem?: string;
}

export function judgeCarriedGates(to: CarryState, query: CarryQuery): GateVerdicts {
  const { run } = to;
  const find = placeFinder(run);
  const entering = changedInputs(to);
  const again = new Map<string, string>();
  const coverOf = coverFinder((place) => asks(to, place));
  for (const [path, record] of Object.entries(to.records)) {
    const place = find(path);
    if (!place) continue;
    const gates = record.carried ? passedAt(place, record) : [];
    if (gates.length === 0 && !record.within?.eyes) continue;
    const cover = coverOf(place);
    const behind = cover.reachesEnd ? query.behind : undefined;
    if (!behind && !entering.runs(cover)) continue;
    const eyes = interestedOf(place.step, record);
    const because = (eyes && whyBarred(eyes, query)) ?? entering.why(place, cover) ?? behind;
    if (because === undefined) continue;
    if (record.within?.eyes || !canAskAgain(place, record)) {
      const name = run.name(path);
      return { again, problem: `${because}; a decision at ${name} covers it, so rerun from ${name} or before` };
    }
    again.set(path, because);
  }
  return { again };
}

/** The changes after the child pipeline in which the rerun begins. */
export function whatChangedBehind(to: CarryState, path: string, query: CarryQuery): string | undefined {
  const place = placeFinder(to.run)(path);
  if (!place) return undefined;
  const cover = coverFinder((other) => asks(to, other))(place);
  return changedInputs(to).why(place, cover) ?? (cover.reachesEnd ? query.behind : undefined);
}

/** Paths of the steps that read the answer to a gate that is asked again. */
export function readersOfAnswers({ run, asked }: Pick<CarryState, 'run' | 'asked'>): Set<string> {
  const found = new Set<string>();
  const find = placeFinder(run);
  const readsOf = readsOfSteps(run);
  for (const gate of asked.keys()) {
    const place = find(gate);
    for (const source of place ? outputsWith(place) : []) {
      for (const { step: reader, container } of run.steps.values()) {
        const { steps, decisions } = readsOf(reader);
        if (!steps.has(source.step.id)) continue;
        if (!readsAnswer(source.step, decisions.has(source.step.id) ? 'decision' : 'output') && source === place) continue;
        // For a read within a loop further in than the gate, the whole loop reads it.
        let at = pathById(run, source.frame, reader.id);
        for (let outer = container; at === undefined && outer; outer = outer.container) at = pathById(run, source.frame, outer.step.id);
        if (at !== undefined) found.add(at);
      }
    }
  }
  return found;
}

/** The gate, and for an input the containers whose output contains the answer. */
function outputsWith(gate: Place): Place[] {
  const found = [gate];
  if (!isInput(gate.step)) return found;
  for (let container = gate.frame.container; container; container = container.frame.container) found.push(container);
  return found;
}

/** The description that people read before the new run starts. */
export function describeCarriedGates(to: CarryState): CarriedGates {
  const { run } = to;
  const carriedGates: CarriedGates = { carried: [], again: [] };
  const find = placeFinder(run);
  for (const [path, record] of Object.entries(run.state.records)) {
    const place = find(path);
    if (!place) continue;
    const gate = run.name(path);
    const last = passedAt(place, record).at(-1);
    if (last && isCarried(to, path)) {
      const by = last.voices.flatMap((voice) => voice.by ?? []);
      const voice = last.voices.at(-1);
      carriedGates.carried.push({ gate, choice: last.choice, by, ...defined({ at: voice?.at, identity: voice?.identity }) });
    } else if (last) carriedGates.again.push({ gate, because: whyAgain(to, place) });
    else if (place.step.category !== undefined && record.asked?.decision && !isCarried(to, path))
      carriedGates.again.push({ gate, because: 'the approval of an action holds for that action alone, once' });
  }
  return carriedGates;
}

function whyAgain(to: CarryState, { path, step }: Place): string {
  const because = to.asked.get(path);
  if (because !== undefined) return because;
  if (path === to.start.path) return 'the rerun starts there';
  const value = to.changed.get(step.id);
  return value === undefined ? 'a step before it runs again' : `it reads ${value}, which has changed`;
}

function passedAt({ step }: Place, record: StepRecord): ReturnType<typeof passedGates> {
  const holdsGate = isGate(step) || step.approval !== undefined || traitsOf(step.kind).asksWithin === true;
  return passedGates(record, holdsGate && step.category === undefined);
}

/** Whether an approval is asked in the new run, or its decision is carried into it. */
function asks(to: CarryState, place: Place): boolean {
  const record = to.records[place.path];
  return !record?.carried || passedAt(place, record).length > 0;
}

/** An escalation, or a question amid a pipe of stages, comes of work that would have to be done again. */
function canAskAgain({ step }: Place, record: StepRecord): boolean {
  if (isGate(step)) return true;
  return step.approval !== undefined && record.asked?.question !== undefined && record.state === 'done';
}

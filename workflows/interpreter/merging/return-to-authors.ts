import { asksAgent, holdsBlock, iterates, joinsBranches } from '../../../kinds/questions';
import { defined } from '../../../plan/defined';
import { isWithin } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import { reviseCone, stepsBehind } from '../../../plan/steps/order';
import type { Findings } from '../../../plan/steps/step-activity';
import { hasParts } from '../../../plan/steps/walk';
import type { ReturnedCause } from '../context/attempt-log';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import { type Frame, frameIn, isContainerPlace, type Place } from '../scheduling/place';
import { beginNextRound, restart } from '../steps/revisions';
import type { StepResult } from '../steps/step-result';
import { type Fault, instructionsFor } from './outcomes';

/**
 * Sends returned candidates back to their authors, like a review sends back what it judged: each author begins its next round, with the
 * findings and an updated worktree, and so do the steps between it and the merge.
 *
 * Invariants: 1. parallel work stays done, in the branches of a `parallel` too, and landed candidates are not offered again; 2. an author
 * that has no tries left, or no way to react, sends all of them up: `next`.
 */
export function returnToAuthors(it: Interpreter, place: Place, ctx: StepContext, cause: ReturnedCause, max: number): StepResult | 'next' {
  const { run } = it;
  if (!ctx.once('return', () => cause.faults.every(({ path }) => mayReturn(it, place, path, max)))) return 'next';
  for (const { path } of cause.faults) run.state.revisions[counter(place, path)] = timesReturned(it, place, path) + 1;
  return sendBack(it, place, cause);
}

/**
 * By somebody's decision, however often it was returned before. An author that cannot be reached leaves its candidate unchanged, and it is
 * merged again.
 */
export function returnWith(it: Interpreter, place: Place, cause: ReturnedCause, comment: string | undefined): StepResult {
  const reached = cause.faults.filter(({ path }) => placeWithin(place.frame, path));
  return sendBack(it, place, { ...cause, faults: reached }, comment);
}

function sendBack(it: Interpreter, place: Place, cause: ReturnedCause, comment?: string): StepResult {
  const { run } = it;
  const { frame } = place;
  const faults = new Map(cause.faults.map(({ path, fault }) => [path, fault]));
  const tops = frame.places.filter(({ path }) => leadsTo(path, faults));
  const cone = new Set([place.step, ...tops.flatMap(({ step }) => reviseCone(frame.block, step.id, place.step.id))]);
  const again = frame.places.filter(({ step }) => cone.has(step));
  const back: Return = { by: place, faults, cause, ...defined({ comment }) };
  restart(it, place, again, `returned by ${run.name(place.path)}`, (one) => nextRoundOf(it, one, back));
  return 'settled';
}

interface Return {
  by: Place;
  faults: ReadonlyMap<string, Fault>;
  cause: ReturnedCause;
  /** The comment of the person who sends it back. */
  comment?: string;
}

function leadsTo(path: string, faults: ReadonlyMap<string, Fault>): boolean {
  return [...faults.keys()].some((author) => author === path || isWithin(author, path));
}

/** An author gets the findings on its own work; steps that only follow it learn just that there were some. */
function nextRoundOf(it: Interpreter, place: Place, back: Return): void {
  const { by, faults, cause, comment } = back;
  const fault = faults.get(place.path);
  const review = it.run.name(by.path);
  const findings: Findings = {
    review,
    instructions: [fault ? instructionsFor(fault, cause.into) : cause.reason, comment].filter((text) => text !== undefined).join('\n\n'),
    ...defined({ report: fault?.kind === 'red' ? fault.output : undefined }),
  };
  const kept = place.path === by.path ? it.run.record(place.path).kept : undefined;
  const isAround = !fault && isContainerPlace(place.step) && leadsTo(place.path, faults);
  const next = beginNextRound(it, place, findings, isAround ? 'keep what is within' : undefined);
  // Landed work is not offered again.
  if (kept) next.kept = kept;
  if (fault && 'onto' in fault) next.brief = { ...next.brief, onto: fault.onto };
  if (isAround) for (const inner of restartedWithin(place, faults)) nextRoundOf(it, inner, back);
}

/** The way to the authors, and the steps after them in its block. */
function restartedWithin(container: Place, faults: ReadonlyMap<string, Fault>): Place[] {
  const frame = innerFrame(container);
  if (!frame) return [];
  const ways = frame.places.filter(({ path }) => leadsTo(path, faults));
  const behind = stepsBehind(
    frame.block,
    ways.map(({ step }) => step.id),
  );
  return frame.places.filter((one) => ways.includes(one) || behind.has(one.step.id));
}

/** The frame of a container's inner steps if the work goes on with them: with branches that are all needed, or with one block. */
function innerFrame({ step, ...place }: Place): Frame | undefined {
  if (joinsBranches(step)) return step.wait === undefined ? frameIn({ ...place, step }) : undefined;
  return holdsBlock(step) && !iterates(step) ? frameIn({ ...place, step }) : undefined;
}

function mayReturn(it: Interpreter, place: Place, author: string, max: number): boolean {
  const found = placeWithin(place.frame, author);
  if (!found) return false;
  // A program would do the same again: it is repeated on the new base only if the pipeline allows retries.
  const most = isWorkOfAgents(found.step) ? max : found.step.retry ? 1 : 0;
  return timesReturned(it, place, author) < most;
}

function isWorkOfAgents(step: ControlStep): boolean {
  return asksAgent(step) || (hasParts<ControlStep>(step) && step.parts.some((part) => asksAgent(part)));
}

function placeWithin(frame: Frame, path: string): Place | undefined {
  for (const place of frame.places) {
    if (place.path === path) return place;
    if (!isWithin(path, place.path)) continue;
    const inner = innerFrame(place);
    return inner && placeWithin(inner, path);
  }
  return undefined;
}

function timesReturned(it: Interpreter, place: Place, author: string): number {
  return it.run.state.revisions[counter(place, author)] ?? 0;
}

function counter({ path }: Place, author: string): string {
  return `${path}:returned to ${author}`;
}

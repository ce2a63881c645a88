import type { KindTraits } from '../plan/steps/kind-traits';
import type { KindView } from '../plan/steps/kind-view';
import type { StepKind } from '../plan/steps/step';
import { type KindsWith, type KindViews, traitsOf } from './traits';

/** Questions about a step's kind, answered by its traits; afterwards the type of the step is narrowed to matching kinds. */

interface OfKind {
  kind: StepKind;
}
type With<S, T extends Partial<KindTraits>> = Extract<S, { kind: KindsWith<T> }>;

/** Its work is its inner steps: it takes no place among the steps in flight. */
export function isContainer<S extends OfKind>(step: S): step is With<S, { container: 'branches' | 'block' }> {
  return traitsOf(step.kind).container !== undefined;
}

export function holdsBranches<S extends OfKind>(step: S): step is With<S, { container: 'branches' }> {
  return traitsOf(step.kind).container === 'branches';
}

/** It outputs its branches' outputs, joined. */
export function joinsBranches<S extends OfKind>(step: S): step is With<S, { joins: true }> {
  return traitsOf(step.kind).joins === true;
}

export function holdsBlock<S extends OfKind>(step: S): step is With<S, { container: 'block' }> {
  return traitsOf(step.kind).container === 'block';
}

/** Its block runs many times, and addresses within it have a number. */
export function iterates<S extends OfKind>(step: S): step is With<S, { iterates: 'items' | 'rounds' }> {
  return traitsOf(step.kind).iterates !== undefined;
}

/** Its block runs in rounds, one after the other. */
export function goesInRounds<S extends OfKind>(step: S): step is With<S, { iterates: 'rounds' }> {
  return traitsOf(step.kind).iterates === 'rounds';
}

/** The number of the first of the times that its block runs. */
export function firstIteration({ kind }: OfKind): number {
  return traitsOf(kind).iterates === 'rounds' ? 1 : 0;
}

export function goesOverItems<S extends OfKind>(step: S): step is With<S, { iterates: 'items' }> {
  return traitsOf(step.kind).iterates === 'items';
}

export function asksAgent<S extends OfKind>(step: S): step is With<S, { agents: true }> {
  return traitsOf(step.kind).agents === true;
}

export function judges<S extends OfKind>(step: S): step is With<S, { judges: true }> {
  return traitsOf(step.kind).judges === true;
}

export function deliversPlan<S extends OfKind>(step: S): step is With<S, { delivers: true }> {
  return traitsOf(step.kind).delivers === true;
}

export function votesOnProposal<S extends OfKind>(step: S): step is With<S, { votes: true }> {
  return traitsOf(step.kind).votes === true;
}

/** Members claim tasks from its board. */
export function hasBoard<S extends OfKind>(step: S): step is With<S, { board: true }> {
  return traitsOf(step.kind).board === true;
}

/** A planner divides its work among roles. */
export function hasRoleTeam<S extends OfKind>(step: S): step is With<S, { roleTeam: true }> {
  return traitsOf(step.kind).roleTeam === true;
}

export function isGate<S extends OfKind>(step: S): step is With<S, { gate: 'approval' | 'input' }> {
  return traitsOf(step.kind).gate !== undefined;
}

/** A person says yes or no. */
export function isApproval<S extends OfKind>(step: S): step is With<S, { gate: 'approval' }> {
  return traitsOf(step.kind).gate === 'approval';
}

/** A person gives a value. */
export function isInput<S extends OfKind>(step: S): step is With<S, { gate: 'input' }> {
  return traitsOf(step.kind).gate === 'input';
}

export function chains<S extends OfKind>(step: S): step is With<S, { chains: true }> {
  return traitsOf(step.kind).chains === true;
}

export function prints<S extends OfKind>(step: S): step is With<S, { prints: true }> {
  return traitsOf(step.kind).prints === true;
}

/** An action of another step may call it. */
export function isCallable<S extends OfKind>(step: S): step is With<S, { callable: NonNullable<KindTraits['callable']> }> {
  return traitsOf(step.kind).callable !== undefined;
}

/** A run has one of its kind at a time. */
export function isOneAtATime({ kind }: OfKind): boolean {
  return traitsOf(kind).oneAtATime === true;
}

/** Another plan runs within it. */
export function runsChild<S extends OfKind>(step: S): step is With<S, { child: true }> {
  return traitsOf(step.kind).child === true;
}

/** The last of a run's steps: it runs even if a person refused before it. */
export function isAlwaysLast({ kind }: OfKind): boolean {
  return traitsOf(kind).last === true;
}

/** The author's own signal for which the step waits, if it does. */
export function signalOf(step: OfKind & { signal?: string }): string | undefined {
  return traitsOf(step.kind).waits ? step.signal : undefined;
}

/** What a step shows of its kind, and the words for it; undefined if that is nothing. */
export function shownOf(step: OfKind & KindViews): { words: KindView; view: unknown } | undefined {
  const words = traitsOf(step.kind).view;
  const view = words && step[words.key as keyof KindViews];
  return words && view !== undefined ? { words, view } : undefined;
}

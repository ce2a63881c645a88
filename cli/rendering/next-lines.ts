import type { RunView } from '../../plan/status';
import { word } from './answer';
import { placeOf } from './step-tree';

/**
 * The lines with which an operator goes on with a run that is paused, held, failed or cancelled. `from` is where one that broke off
 * begins again; `flags` lead to its server.
 */
export function nextLines(view: RunView, flags = '', from?: string): string[] {
  const run = word(view.run);
  const line = (text: string): string => `thermidor ${text}${flags}`;
  if (from !== undefined) return [line(`rerun ${run} --from ${word(from)}`)];
  if (view.state === 'paused') return [line(`unpause ${run}`)];
  // What is held in a child pipeline is taken up here too. A run of an earlier version names only its own.
  const own = view.steps.flatMap((step) => (step.state === 'held' ? [placeOf(step)] : []));
  const held = view.held?.map(({ step }) => step) ?? own;
  if (held.length > 0) return [...held.flatMap((at) => heldLines(at).map((text) => line(text(run)))), line(`abort ${run}`)];
  return view.state === 'held' ? childrenOf(view).map((child) => line(`status ${word(child)}`)) : [];
}

function heldLines(at: string): ((run: string) => string)[] {
  return ['retry', 'skip'].map((order) => (run) => `${order} ${run} ${word(at)}`);
}

function childrenOf({ steps }: RunView): string[] {
  return steps.flatMap(({ state, child }) => (child !== undefined && (state === 'running' || state === 'waiting') ? [child] : []));
}

/** As they are printed below what they are about: what a run that is over goes on with is told as such. */
export function renderNext(lines: readonly string[], ended: boolean): string {
  if (lines.length === 0) return '';
  return `${ended ? 'To go on from where it broke off:\n' : ''}${lines.map((line) => `  ${line}\n`).join('')}`;
}

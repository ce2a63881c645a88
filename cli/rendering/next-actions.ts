import { workerLine } from '../../client/unserved-queues';
import type { WaitReason } from '../../client/wait-reason';
import { reasonsOf } from '../../client/wait-reasons';
import type { GateForm } from '../../plan/people/gate';
import type { RunView } from '../../plan/run/status';
import { shellWord } from '../../plan/text/shell-word';
import { isImported } from '../../records/runs/imported-run';
import { answerLines, type ServerPlace } from './answer';

interface Asked {
  /** No other gate is open. */
  only: boolean;
  place: ServerPlace;
  form?: GateForm | undefined;
}

/** The commands that clear what a run waits for, ready to paste; none if it clears by itself. */
export function clearLines(run: string, reason: WaitReason, { only, place, form }: Asked): string[] {
  const { kind, gate, queue, hosts = [] } = reason;
  if (gate !== undefined) return answerLines(run, gate, only, place, form).map(({ thermidor }) => thermidor);
  const line = (text: string): string => `thermidor ${text}${place.flags ?? ''}`;
  if (kind === 'no-worker') return place.embedded ? [line('up'), line(`watch ${shellWord(run)}`)] : [line(workerLine(queue))];
  if (kind === 'drained') return hosts.map((host) => line(`fleet undrain ${shellWord(host)}`));
  return operatorLines(run, reason, place.flags);
}

/** The commands that an operator gives. */
export function operatorLines(run: string, { kind, step }: WaitReason, flags = ''): string[] {
  const line = (order: string, ...words: string[]): string => `thermidor ${[order, run, ...words].map(shellWord).join(' ')}${flags}`;
  if (kind === 'paused') return [line('unpause')];
  if (kind !== 'held' || step === undefined) return [];
  return [line('retry', step), line('skip', step), line('abort')];
}

/**
 * The commands with which an operator continues a run that is paused, held, failed or cancelled; those of gates are printed with the gates.
 * An imported run cannot be continued.
 * `from` is where a run that broke off begins again; `flags` lead to its server.
 */
export function nextLines(view: RunView, flags = '', from?: string): string[] {
  if (isImported(view.firstRunId)) return [];
  const line = (text: string): string => `thermidor ${text}${flags}`;
  if (from !== undefined) return [line(`rerun ${shellWord(view.run)} --from ${shellWord(from)}`)];
  const lines = operatorReasons(view).flatMap((reason) => operatorLines(view.run, reason, flags));
  if (lines.length === 0 && view.state === 'held') return childrenOf(view).map((child) => line(`status ${shellWord(child)}`));
  // The command that ends the run is listed once, and last.
  const abort = line(`abort ${shellWord(view.run)}`);
  return [...lines.filter((one) => one !== abort), ...(lines.includes(abort) ? [abort] : [])];
}

/** The reasons that wait for an operator, including steps held in child pipelines. */
export function operatorReasons(view: RunView): WaitReason[] {
  return reasonsOf(view, []).filter(({ kind }) => kind === 'held' || kind === 'paused');
}

function childrenOf({ steps }: RunView): string[] {
  return steps.flatMap(({ state, child }) => (child !== undefined && (state === 'running' || state === 'waiting') ? [child] : []));
}

/** Commands printed below their subject; those that continue a run that is over are marked. */
export function renderNext(lines: readonly string[], ended: boolean): string {
  if (lines.length === 0) return '';
  return `${ended ? 'To continue from where it stopped:' : 'To continue:'}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

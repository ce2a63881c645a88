import { type Figure, figureOf, median } from '../figure';
import { AGENTS, BUDGET, CASE, REPLIES, STREAM_S } from './cases';
import type { WorkerFigures } from './messages';

/** One run of all agents. */
export interface AgentsSample extends WorkerFigures {
  heartbeatS: number;
  wallMs: number;
  requests: number;
  atOnce: number;
}

/** Medians, compared with their budgets. The time is compared with that of the streams alone, and the requests with the needed replies. */
export function agentsFigures(samples: readonly AgentsSample[]): Figure[] {
  const middle = (of: keyof AgentsSample): number => median(samples.map((sample) => sample[of]));
  const figure = (metric: string, ours: number, reference: number, unit: string, aim: number | null): Figure =>
    figureOf({ bench: 'agents', case: CASE, metric, ours, reference, unit, aim });
  const wallS = middle('wallMs') / 1000;
  return [
    figure('peak-memory', middle('peakMb'), BUDGET.memoryMb, 'MB', 1),
    figure('longest-stall', middle('stallMs'), BUDGET.stallMs, 'ms', 1),
    figure('longest-own-stall', middle('ownStallMs'), BUDGET.stallMs, 'ms', 1),
    figure('oldest-heartbeat', middle('heartbeatS'), BUDGET.heartbeatS, 's', 1),
    figure('requests-by-replies', middle('requests'), AGENTS * REPLIES, 'requests', 1),
    figure('at-once', middle('atOnce'), AGENTS, 'steps', null),
    figure('wall-by-stream', wallS, STREAM_S, 's', null),
    figure('cpu-by-wall', middle('cpuMs') / 1000, wallS, 's', null),
  ];
}

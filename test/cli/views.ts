import type { GateView } from '../../plan/people/gate';
import type { RunView, StepView } from '../../plan/run/status';

const START = Date.parse('2026-11-21T07:30:00.000Z');

/** A time `seconds` after the run began. */
export function at(seconds: number): string {
  return new Date(START + seconds * 1000).toISOString();
}

export function stepView(id: string, more: Partial<StepView> = {}): StepView {
  return { id, kind: 'agent', address: id, state: 'pending', round: 1, try: 1, ...more };
}

export function runView(steps: StepView[], more: Partial<RunView> = {}): RunView {
  return {
    run: 'daily-20261121-7f3k2a',
    runId: 'r1',
    firstRunId: 'r1',
    pipeline: 'daily',
    state: 'running',
    startedAt: at(0),
    plan: { kind: 'plan', sha256: '0'.repeat(64), sizeBytes: 1, mediaType: 'application/json' },
    args: {},
    steps,
    offset: 0,
    totalSteps: steps.length,
    gates: [],
    ...more,
  };
}

export function gateView(step: string, more: Partial<GateView> = {}): GateView {
  return {
    step,
    kind: 'approval',
    question: 'Trade?',
    choices: ['approve', 'reject'],
    openedAt: at(5),
    shown: [],
    shownSha256: '0'.repeat(64),
    ...more,
  };
}

import type { BlockOf, StepBase } from '../../plan/steps/step-base';
import type { SelectedPattern } from './rules/select';

/**
 * A task is planned, executed and validated by the patterns that fit it (docs/patterns.md). The compiler selects them; `block` is the
 * result. Outputs `{patterns, unrouted, <step id>: its output}`.
 */
export interface CoordinateOf<S> extends StepBase {
  kind: 'coordinate';
  /** The agent that gets messages which nothing else handles. Absent: nobody does. */
  coordinator?: string;
  selected: SelectedPattern[];
  /** Its writer's facts, by key, for people. */
  written: [key: string, text: string][];
  block: BlockOf<S>;
}

export const BLOCKED_ACTIONS = ['escalate', 'swarm'] as const;
export type BlockedAction = (typeof BLOCKED_ACTIONS)[number];

export const DEFAULT_BLOCKED_AFTER_MS = 30 * 60_000;

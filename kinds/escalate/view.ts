import type { KindView } from '../../plan/steps/kind-view';
import type { EscalationMove } from './rules/diagnose';
import type { EscalationOutcome } from './rules/issue';

/** The state of an issue, as people see it while it is open and afterwards. */
export interface EscalationView {
  issue: string;
  /** Who is on each level, from L0 on. */
  levels: string[];
  /** Counts from 0. */
  level: number;
  /** Which attempt of the level it is. */
  attempt: number;
  /** What is being done about the issue. */
  doing: EscalationMove['kind'];
  /** How it ended. Absent while it is open. */
  outcome?: EscalationOutcome;
  /** Who solved it, or found the root cause. */
  by?: string;
}

/** Whose answer is awaited. Nobody's once it has ended. */
function awaitedLevel({ levels, level, doing, outcome }: EscalationView): string | undefined {
  if (outcome !== undefined) return undefined;
  return levels[doing === 'ask' ? level : 0];
}

/** `L1 of 3: specialist, attempt 1`, or how it ended. */
export function describeLevel(view: EscalationView): string {
  const { levels, level, attempt, doing, outcome, by } = view;
  const where = `L${level}`;
  if (outcome !== undefined) return `${ENDED[outcome]} at ${where}${by === undefined || outcome === 'unsolved' ? '' : ` by ${by}`}`;
  const who = awaitedLevel(view) ?? '';
  const last = `L${levels.length - 1}`;
  if (doing === 'workaround') return `${where} of ${last}: ${who} takes the most conservative option`;
  if (doing === 'apply') return `${where} of ${last}: ${who} carries out what ${levels[level]} says`;
  return `${where} of ${last}: ${who}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
}

const ENDED: Readonly<Record<EscalationOutcome, string>> = {
  solved: 'solved',
  workaround: 'WORKAROUND',
  root_cause: 'root cause found',
  unsolved: 'unsolved',
};

export const ESCALATION_VIEW: KindView<'escalation', EscalationView> = {
  key: 'escalation',
  awaits(view) {
    const name = awaitedLevel(view);
    return name === undefined ? undefined : `the answer of ${name} (L${view.level})`;
  },
  facts: (view) => [describeLevel(view)],
  news: describeLevel,
};

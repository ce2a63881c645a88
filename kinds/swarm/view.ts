import type { KindView } from '../../plan/steps/kind-view';
import type { SwarmOutcome } from './rules/diagnosis';
import type { CandidateView } from './rules/turns';

/** The state of a swarm, as people see it while it is open and afterwards. */
export interface SwarmView {
  issue: string;
  round: number;
  rounds: number;
  doing: 'wait' | 'diagnose' | 'fix';
  agents: SwarmAgentView[];
  /** The diagnosis that is tried, or has solved it. */
  best?: CandidateView;
  /** Who applies it. */
  fixer?: string;
  /** The swarm that it waits for: a run has one at a time. */
  behind?: string;
  /** How it ended. Absent while it is open. */
  outcome?: SwarmOutcome;
}

export interface SwarmAgentView {
  name: string;
  perspective: string;
  /** How sure it is of its diagnosis. */
  confidence?: number;
  /** Why it has none. */
  skipped?: string;
}

/** Whose diagnosis, or fix, is awaited. Nobody's once it has ended. */
export function awaitedOfSwarm({ doing, agents, fixer, outcome }: SwarmView): string[] {
  if (outcome !== undefined || doing === 'wait') return [];
  if (doing === 'fix') return fixer === undefined ? [] : [fixer];
  return agents.flatMap(({ name, confidence, skipped }) => (confidence === undefined && skipped === undefined ? [name] : []));
}

/** `round 1 of 2: planner (architecture), tester (environment) diagnose`, or how it ended. */
export function describeSwarm(view: SwarmView): string {
  const { round, rounds, doing, agents, best, fixer, behind, outcome } = view;
  if (outcome === 'solved') return `solved in round ${round} by ${fixer ?? ''}, as ${best?.by ?? ''} diagnosed`;
  if (outcome !== undefined) return `${outcome} after round ${round}`;
  if (doing === 'wait') return `waits for the swarm ${behind ?? ''} to end`;
  const where = `round ${round} of ${rounds}`;
  if (doing === 'fix') return `${where}: ${fixer ?? ''} applies what ${[best?.by ?? '', ...(best?.with ?? [])].join(' and ')} diagnosed`;
  const awaited = new Set(awaitedOfSwarm(view));
  const at = agents.filter(({ name }) => awaited.has(name)).map(({ name, perspective }) => `${name} (${perspective})`);
  const { length: said } = agents.filter(({ confidence }) => confidence !== undefined);
  return `${where}: ${said} of ${agents.length} diagnoses${at.length > 0 ? `, ${at.join(', ')} at work` : ''}`;
}

export const SWARM_VIEW: KindView<'swarm', SwarmView> = {
  key: 'swarm',
  awaits(view) {
    if (view.doing === 'wait' && view.behind !== undefined) return `the swarm ${view.behind} to end: one at a time`;
    const names = awaitedOfSwarm(view);
    if (names.length === 0) return undefined;
    return `${view.doing === 'fix' ? 'the fix' : names.length === 1 ? 'the diagnosis' : 'the diagnoses'} of ${names.join(', ')}`;
  },
  facts: (view) => [describeSwarm(view)],
  news: describeSwarm,
};

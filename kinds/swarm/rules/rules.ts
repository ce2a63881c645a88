import type { Json } from '../../../plan/text/json';
import { candidateOf, chooseDiagnosis, gatherSwarm, judgeFix, namedPaths, overruleSwarm } from './turns';

/** The rules by the names that `run.ts` asks for them by (`plan/patterns/rule.ts`). */
export const SWARM_RULES = {
  gatherSwarm,
  namedPaths,
  chooseDiagnosis,
  candidateOf,
  judgeFix,
  overruleSwarm: (_given: Record<string, never>, documents: Readonly<Record<string, Json>>) => overruleSwarm(documents),
};

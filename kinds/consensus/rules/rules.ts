import type { Json } from '../../../plan/text/json';
import { type ProposeGiven, propose, valuesOfProposal } from './proposal';
import { concludeReport, reportTally } from './tally-report';

/** The rules by the names that `run.ts` asks for them by (`plan/patterns/rule.ts`). */
export const CONSENSUS_RULES = {
  propose(given: ProposeGiven, documents: Readonly<Record<string, Json>>) {
    const result = propose(given, documents);
    return { result, values: valuesOfProposal(result) };
  },
  tally: reportTally,
  conclude: concludeReport,
};

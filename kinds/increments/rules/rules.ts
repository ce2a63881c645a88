import type { Json } from '../../../plan/text/json';
import { type AssignGiven, assignIncrement } from './assignment';
import { divideIntoIncrements } from './increments';

/** The rules by the names that `run.ts` asks for them by (`plan/patterns/rule.ts`). */
export const INCREMENTS_RULES = {
  divide: (_given: Record<string, never>, documents: Readonly<Record<string, Json>>) => divideIntoIncrements(documents['matter'] ?? null),
  assign: (given: AssignGiven, documents: Readonly<Record<string, Json>>) => ({ result: assignIncrement(given, documents), values: {} }),
};

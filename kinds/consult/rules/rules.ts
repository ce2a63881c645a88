import { advise, askAdvice } from './advise';

/** The rules by the names that `run.ts` asks for them by (`plan/patterns/rule.ts`). */
export const CONSULT_RULES = { ask: askAdvice, advise };

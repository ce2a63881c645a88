import type { Json } from '../../../plan/text/json';
import { diagnose, openIssue } from './diagnose';

/** The rules by the names that `run.ts` asks for them by (`plan/patterns/rule.ts`). */
export const ESCALATE_RULES = {
  issue: (_given: Record<string, never>, documents: Readonly<Record<string, Json>>) => openIssue(documents),
  diagnose,
};

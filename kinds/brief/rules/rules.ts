import { assignment } from './assignment';
import { readReply } from './hand-off';
import { question } from './question';
import { report } from './report';

/** The rules by the names that the step asks for them by (`plan/patterns/rule.ts`). */
export const BRIEF_RULES = { assignment, 'hand-off': readReply, question, report };

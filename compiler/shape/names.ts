import { MEMBER_NAME } from '../../plan/board/member';
import { isSignalName } from '../../plan/run/signal';
import type { Located, Report } from '../diagnostics/diagnostic';
import { NAME } from '../language/patterns';

const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));
/** Words that mean something else inside an expression. */
const WORDS: ReadonlySet<string> = new Set(['args', 'run', 'true', 'false', 'null', 'in']);

type Named = 'pipeline' | 'trigger' | 'web hook' | 'step' | 'arg' | 'agent' | 'loop variable' | 'member';

/**
 * Checks a name that people give to a pipeline (it becomes a Temporal workflow type), a step, an arg, an agent or a member of
 * a team. Names of properties that every object has are refused, because looking one up would always find something.
 */
export function checkName(name: Located<string>, what: Named, report: Report): boolean {
  const { value, at } = name;
  const inExpressions = what === 'step' || what === 'arg' || what === 'loop variable';
  if (INHERITED.has(value) || value.startsWith('__') || (inExpressions && WORDS.has(value)) || (what === 'agent' && value === 'human')) {
    report('names.reserved', at, `${article(what)} ${what} may not be called "${value}"`, 'choose another name');
    return false;
  }
  const isMember = what === 'member';
  if ((isMember ? MEMBER_NAME : NAME).test(value)) return true;
  const hint = isMember
    ? 'names begin with a letter or a digit and have letters, digits, ".", "_" and "-", 40 at most'
    : 'names begin with a letter and have letters, digits, "_" and "-", 64 at most';
  report('names.invalid', at, `"${value}" is not a valid name for ${article(what)} ${what}`, hint);
  return false;
}

/** Checks the name of a signal that a step waits for: a signal that has a meaning of its own would never reach the step. */
export function checkSignalName({ value, at }: Located<string>, report: Report): boolean {
  const isTaken = isSignalName(value) || value === 'extend_budget' || value.startsWith('thermidor:');
  if (!isTaken && !INHERITED.has(value) && !value.startsWith('__')) return true;
  const why = isTaken ? `"${value}" is a signal with a meaning of its own` : `a signal may not be called "${value}"`;
  report('names.reserved', at, why, 'choose another name');
  return false;
}

function article(what: string): string {
  return what.startsWith('a') ? 'an' : 'a';
}

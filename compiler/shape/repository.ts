import { branchProblem } from '../../plan/text/ref-name';
import type { Located, Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import type { Entry } from '../read/node';
import { templateAt } from './template-value';
import { textOf } from './values';

/** Reads the name of a branch. A template is checked when the work is submitted. */
export function branchAt(entry: Entry, report: Report): Located<string> | undefined {
  const text = textOf(entry, report);
  const problem = text && !text.value.includes('${') ? branchProblem(text.value) : undefined;
  if (text && problem) report('names.invalid', text.at, problem.message, problem.hint);
  return text;
}

/** Matches user and password in a URL, also if they are a template's values. */
const CREDENTIALS = /^https?:\/\/[^/]*@/i;

/** Reads a path or a URL, as a template. Plans are kept and shown, so a URL may not bring credentials into one. */
export function repositoryAt(entry: Entry, report: Report): TemplateSyntax | undefined {
  const text = textOf(entry, report);
  if (text && CREDENTIALS.test(text.value)) {
    const hint =
      'leave out what is before the @, and set up a credential helper or ~/.netrc where the workers run (`git.config` in thermidor.yaml)';
    report('step.credentials', text.at, '"repo" has a user or a password in its URL, which would be kept with the plan', hint);
  }
  return text && templateAt(entry, report);
}

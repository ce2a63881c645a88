import { isJsonObject, type Json, textIn } from '../text/json';

/** What passes between a step and the one that its action calls. */

/** The document with the issue. */
export const ISSUE_DOCUMENT = 'issue';
/** The document with what was found and tried so far, which becomes the output of the called step. */
export const RECORD_DOCUMENT = 'record';

/** How the called step has ended. Without an outcome it is of no use to its caller. */
export interface CalledEnd {
  outcome?: 'solved' | 'workaround' | 'root_cause' | 'unsolved';
  by?: string;
  solution?: string;
  rootCause?: string;
}

/** The issue on one line: an error by its code and message, an action's by its reason. */
export function issueText(issue: Json | undefined): string {
  if (typeof issue === 'string') return issue.trim();
  if (issue === undefined || issue === null) return '';
  if (!isJsonObject(issue)) return JSON.stringify(issue);
  const [reason, message, code] = ['reason', 'message', 'code'].map((key) => textIn(issue, key));
  if (reason !== undefined) return reason;
  if (message !== undefined) return code === undefined ? message : `${code}: ${message}`;
  return Object.keys(issue).length === 0 ? '' : JSON.stringify(issue);
}

import { defined } from '../defined';
import { findingsOf, type Severity } from '../steps/findings';
import { field, type Json } from '../text/json';
import { beginning } from '../text/shortened';

/** A reviewer's findings, by severity, as the journal has them: bounded, since the report itself is an artifact. */
export type ReviewFindings = Partial<Record<Severity, ReviewFinding[]>>;

export interface ReviewFinding {
  file?: string;
  line?: number;
  description: string;
  suggestion?: string;
}

const MOST_FINDINGS = 20;
const MOST_CHARACTERS = 300;

/** The first `MOST_FINDINGS` of a report, each text cut; one that is no object is its own description. */
export function reviewFindings(report: Json): ReviewFindings {
  const found: ReviewFindings = {};
  for (const { severity, said } of findingsOf(report).slice(0, MOST_FINDINGS)) {
    found[severity] = [...(found[severity] ?? []), findingOf(said)];
  }
  return found;
}

function findingOf(item: Json): ReviewFinding {
  const [description, line] = [textOf(item, 'description'), field(item, 'line')];
  const file = textOf(item, 'file') ?? textOf(item, 'field');
  const suggestion = textOf(item, 'suggestion');
  return {
    ...defined({ file, line: typeof line === 'number' && Number.isSafeInteger(line) ? line : undefined }),
    description: description ?? cut(typeof item === 'string' ? item : JSON.stringify(item)),
    ...defined({ suggestion }),
  };
}

function textOf(item: Json, key: string): string | undefined {
  const said = field(item, key);
  return typeof said === 'string' && said !== '' ? cut(said) : undefined;
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${beginning(text, MOST_CHARACTERS)} …`;
}

import { field, type Json } from '../text/json';
import { beginning } from '../text/shortened';
import { countFindings, type FindingsDelta, findingsOf, type Severity } from './findings';

/**
 * The verdict of a review. Reviewers spell verdicts and severities in many ways; the activity that reads the report turns them into these
 * words once, at the edge. The artifact stays as the reviewer wrote it.
 */
export const VERDICTS = ['pass', 'revise', 'block'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The words that schemas of ours take of a reviewer: ours, and CP-2's in capitals. Other spellings are read as well. */
export const VERDICT_WORDS = [...VERDICTS, 'APPROVE', 'CONDITIONAL', 'BLOCK'] as const;

const VERDICT_ALIASES: Readonly<Record<string, Verdict>> = {
  pass: 'pass',
  approve: 'pass',
  approved: 'pass',
  conditional: 'pass',
  revise: 'revise',
  needs_retry: 'revise',
  block: 'block',
  fail: 'block',
};
/** CP-2's `BLOCK`, in capitals, asks for another round; a plain `block` stops the line. */
const CP2_BLOCK = 'BLOCK';

/** The verdict record of one round: the interpreter decides by it and people see it. */
export interface VerdictRecord {
  verdict: Verdict;
  /** The reviewer's own spelling, if it differs. */
  said?: string;
  score?: number;
  /** Open findings by severity; severities with none are left out. */
  findings: Partial<Record<Severity, number>>;
  /** A step id or an agent id, as the reviewer named it. */
  reviseTarget?: string;
  summary?: string;
  /** Against the findings of the round before: how many are gone, still there, new. */
  delta?: FindingsDelta;
  /** The reviewer says that no revision will help. */
  unfixable?: true;
  /** Set if a person overruled the reviewer. */
  decidedBy?: string;
}

export function readVerdict(text: string): Verdict | undefined {
  const word = text.trim();
  if (word === CP2_BLOCK) return 'revise';
  const key = word.toLowerCase();
  return Object.hasOwn(VERDICT_ALIASES, key) ? VERDICT_ALIASES[key] : undefined;
}

const SUMMARY_LIMIT = 500;

/**
 * The verdict record of a review report, or undefined if `verdict` is not a known spelling. A conditional pass with a critical finding is a
 * `revise`.
 */
export function verdictOf(report: Json): VerdictRecord | undefined {
  const word = field(report, 'verdict');
  const said = typeof word === 'string' ? word.trim() : '';
  const read = readVerdict(said);
  if (read === undefined) return undefined;
  const findings = countFindings(findingsOf(report));
  const verdict = isConditional(said) && findings.critical !== undefined ? 'revise' : read;
  const record: VerdictRecord = { verdict, findings };
  if (said !== verdict) record.said = said;
  const score = field(report, 'score');
  if (typeof score === 'number') record.score = score;
  const target = field(report, 'revise_target');
  if (typeof target === 'string' && target !== '') record.reviseTarget = target;
  const summary = field(report, 'summary');
  if (verdict !== 'pass' && field(report, 'unfixable') === true) record.unfixable = true;
  if (typeof summary === 'string') record.summary = beginning(summary, SUMMARY_LIMIT);
  return record;
}

function isConditional(said: string): boolean {
  return said.toLowerCase() === 'conditional';
}

/** For how many consecutive rounds, up to the last, the number of findings has not gone down. */
export function roundsWithoutProgress(verdicts: readonly VerdictRecord[]): number {
  const counts = verdicts.map(({ findings }) => Object.values(findings).reduce((sum, count) => sum + count, 0));
  let rounds = 0;
  for (let i = counts.length - 1; i > 0 && (counts[i] ?? 0) >= (counts[i - 1] ?? 0); i--) rounds += 1;
  return rounds;
}

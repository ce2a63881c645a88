import { field, type Json } from '../text/json';

/**
 * What a review says (language.md §5, `review`). Reviewers spell verdicts and severities in many ways; they are turned into
 * these words once, at the edge, in the activity that reads the report. The artifact stays as the reviewer wrote it.
 */
export const VERDICTS = ['pass', 'revise', 'block'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

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
/** CP-2's `BLOCK`, in capitals, asks for another round; the seed's `block` stops the line. */
const CP2_BLOCK = 'BLOCK';

const SEVERITY_ALIASES: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  high: 'high',
  major: 'high',
  medium: 'medium',
  low: 'low',
  minor: 'low',
};

/** The verdict record of one round: what the interpreter decides by and people are shown. */
export interface VerdictRecord {
  verdict: Verdict;
  /** The reviewer's own spelling, where it differs. */
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
  /** Set where a person decided otherwise than the reviewer. */
  decidedBy?: string;
}

export interface FindingsDelta {
  resolved: number;
  remaining: number;
  added: number;
}

export function readVerdict(text: string): Verdict | undefined {
  if (text === CP2_BLOCK) return 'revise';
  const key = text.trim().toLowerCase();
  return Object.hasOwn(VERDICT_ALIASES, key) ? VERDICT_ALIASES[key] : undefined;
}

export function readSeverity(text: string): Severity | undefined {
  const key = text.trim().toLowerCase();
  return Object.hasOwn(SEVERITY_ALIASES, key) ? SEVERITY_ALIASES[key] : undefined;
}

const SUMMARY_LIMIT = 500;

/**
 * The verdict record of a review report, or undefined where `verdict` is none of the known spellings.
 * A conditional pass with a critical finding is a `revise`.
 */
export function verdictOf(report: Json): VerdictRecord | undefined {
  const said = field(report, 'verdict');
  const read = typeof said === 'string' ? readVerdict(said) : undefined;
  if (read === undefined || typeof said !== 'string') return undefined;
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
  if (typeof summary === 'string') record.summary = summary.slice(0, SUMMARY_LIMIT);
  return record;
}

function isConditional(said: string): boolean {
  return said.trim().toLowerCase() === 'conditional';
}

/** `issues` and `findings` are both read. */
export function findingsOf(report: Json): readonly Json[] {
  const list = field(report, 'issues') ?? field(report, 'findings');
  return Array.isArray(list) ? list : [];
}

/** What became of the findings of one report in the next. Two are the same where field and description are, but for case and space. */
export function findingsDelta(before: Json, after: Json): FindingsDelta {
  const open = new Map<string, number>();
  for (const finding of findingsOf(before)) open.set(nameOf(finding), (open.get(nameOf(finding)) ?? 0) + 1);
  const resolvable = findingsOf(before).length;
  let remaining = 0;
  for (const finding of findingsOf(after)) {
    const count = open.get(nameOf(finding)) ?? 0;
    if (count === 0) continue;
    open.set(nameOf(finding), count - 1);
    remaining += 1;
  }
  return { resolved: resolvable - remaining, remaining, added: findingsOf(after).length - remaining };
}

function nameOf(finding: Json): string {
  const [where, what] = [field(finding, 'field'), field(finding, 'description')];
  const text =
    what === undefined
      ? JSON.stringify(finding)
      : `${typeof where === 'string' ? where : ''}\n${typeof what === 'string' ? what : JSON.stringify(what)}`;
  return text
    .toLowerCase()
    .replaceAll(/[^\S\n]+/g, ' ')
    .trim();
}

/** For how many rounds on end, up to the last, the number of findings has not gone down. */
export function roundsWithoutProgress(verdicts: readonly VerdictRecord[]): number {
  const counts = verdicts.map(({ findings }) => Object.values(findings).reduce((sum, count) => sum + count, 0));
  let rounds = 0;
  for (let i = counts.length - 1; i > 0 && (counts[i] ?? 0) >= (counts[i - 1] ?? 0); i--) rounds += 1;
  return rounds;
}

/** One without a severity that is known counts as `medium`. */
export function severityOf(finding: Json): Severity {
  const text = field(finding, 'severity');
  return (typeof text === 'string' ? readSeverity(text) : undefined) ?? 'medium';
}

function countFindings(list: readonly Json[]): Partial<Record<Severity, number>> {
  const counts: Partial<Record<Severity, number>> = {};
  for (const item of list) {
    const severity = severityOf(item);
    counts[severity] = (counts[severity] ?? 0) + 1;
  }
  return counts;
}

import { field, isJsonObject, type Json } from '../text/json';

/**
 * A reviewer's findings. Reviewers list findings with a severity each, or give an object with a list for each severity, under `issues` or
 * under `findings`; all of these forms are read only here.
 */
const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

const SEVERITY_ALIASES: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  high: 'high',
  major: 'high',
  medium: 'medium',
  low: 'low',
  minor: 'low',
};

export interface Finding {
  severity: Severity;
  /** As the reviewer wrote it. */
  said: Json;
}

export interface FindingsDelta {
  resolved: number;
  remaining: number;
  added: number;
}

export function readSeverity(text: string): Severity | undefined {
  const key = text.trim().toLowerCase();
  return Object.hasOwn(SEVERITY_ALIASES, key) ? SEVERITY_ALIASES[key] : undefined;
}

/** All findings of a report. One that is both under `issues` and under `findings`, with the same severity, counts once. */
export function findingsOf(report: Json): Finding[] {
  const [issues, findings] = [readFindings(field(report, 'issues')), readFindings(field(report, 'findings'))];
  const keyOf = (finding: Finding): string => `${finding.severity} ${nameOf(finding)}`;
  const known = new Set(issues.map(keyOf));
  return [...issues, ...findings.filter((finding) => !known.has(keyOf(finding)))];
}

/**
 * In an object the key is the severity. Under other keys, such as topics, are lists whose findings have a severity each, or objects of the
 * same shapes.
 */
function readFindings(value: Json | undefined): Finding[] {
  if (Array.isArray(value)) return value.map((said) => ({ severity: severityIn(said), said }));
  if (!isJsonObject(value)) return [];
  if (typeof field(value, 'severity') === 'string') return [{ severity: severityIn(value), said: value }];
  return Object.entries(value).flatMap(([key, under]): Finding[] => {
    const severity = readSeverity(key);
    if (severity === undefined) return readFindings(under);
    if (Array.isArray(under)) return under.map((said) => ({ severity, said }));
    return isNothing(under) ? [] : [{ severity, said: under }];
  });
}

/** Whether findings are in an object with a list for each severity, and nothing else. */
export function isBySeverity(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => readSeverity(key) !== undefined);
}

/** Instead of a list, a reviewer may give a severity an empty value, a count, or its single finding. */
function isNothing(value: Json): boolean {
  return !value || (typeof value === 'string' && value.trim() === '') || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** A finding without a severity that is known counts as `medium`. */
function severityIn(finding: Json): Severity {
  const text = field(finding, 'severity');
  return (typeof text === 'string' ? readSeverity(text) : undefined) ?? 'medium';
}

export function countFindings(findings: readonly Finding[]): Partial<Record<Severity, number>> {
  const counts: Partial<Record<Severity, number>> = {};
  for (const { severity } of findings) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}

/** The files that findings name, in their order, each once. */
export function filesOfFindings(findings: readonly Finding[]): string[] {
  const files = findings.flatMap(({ said }) => field(said, 'file') ?? []);
  return [...new Set(files.filter((file) => typeof file === 'string' && file !== ''))] as string[];
}

/** What became of the findings of one report in the next. Two are the same if place and description are, ignoring case and spaces. */
export function findingsDelta(before: Json, after: Json): FindingsDelta {
  const [earlier, now] = [findingsOf(before), findingsOf(after)];
  const open = new Map<string, number>();
  for (const finding of earlier) open.set(nameOf(finding), (open.get(nameOf(finding)) ?? 0) + 1);
  let remaining = 0;
  for (const finding of now) {
    const count = open.get(nameOf(finding)) ?? 0;
    if (count === 0) continue;
    open.set(nameOf(finding), count - 1);
    remaining += 1;
  }
  return { resolved: earlier.length - remaining, remaining, added: now.length - remaining };
}

function nameOf({ said }: Finding): string {
  const [where, what] = [field(said, 'field') ?? field(said, 'file'), field(said, 'description')];
  const text =
    what === undefined
      ? JSON.stringify(said)
      : `${typeof where === 'string' ? where : ''}\n${typeof what === 'string' ? what : JSON.stringify(what)}`;
  return text
    .toLowerCase()
    .replaceAll(/[^\S\n]+/g, ' ')
    .trim();
}

import { identifiersIn, pathsIn } from './diagnosis-places';

/**
 * Which diagnosis is tried first, and which others complement it (docs/patterns.md, CP-7).
 *
 * Invariants: 1. the surest leads, of equally sure ones the most specific, then the one listed first: more specific means more existing
 * paths, then more identifiers; 2. a diagnosis complements the first earlier one that names a common existing path, and is tried with that
 * one; 3. a fix that was tried is left out.
 */

export type Diagnosis = {
  by: string;
  perspective: string;
  root_cause: string;
  /** A number from 0 to 1. */
  confidence: number;
  fix_suggestion: string;
};

export type WeighedDiagnosis = Diagnosis & {
  /** The existing ones. */
  paths: string[];
  identifiers: number;
};

/** A diagnosis that may be tried as a fix. */
export type RankedDiagnosis = WeighedDiagnosis & {
  /** What others have found in the same places. */
  complements: WeighedDiagnosis[];
};

/**
 * Candidates, the best first. @param existing the paths that exist, of those that the diagnoses name @param tried the suggestions of fixes
 * before
 */
export function bestDiagnoses(diagnoses: readonly Diagnosis[], existing: ReadonlySet<string>, tried: readonly string[]): RankedDiagnosis[] {
  const done = new Set(tried.map(comparable));
  const candidates: RankedDiagnosis[] = [];
  for (const diagnosis of inOrder(diagnoses.map((one) => weigh(one, existing)))) {
    if (done.has(comparable(diagnosis.fix_suggestion))) continue;
    const leading = candidates.find(({ paths }) => paths.some((path) => diagnosis.paths.includes(path)));
    if (leading) leading.complements.push(diagnosis);
    else candidates.push({ ...diagnosis, complements: [] });
  }
  return candidates;
}

function weigh(diagnosis: Diagnosis, existing: ReadonlySet<string>): WeighedDiagnosis {
  const text = textOf(diagnosis);
  const paths = pathsIn(text).filter((path) => existing.has(path));
  return { ...diagnosis, paths, identifiers: identifiersIn(text, paths).length };
}

/** The paths that diagnoses name, whether they exist or not. */
export function pathsNamed(diagnoses: readonly Diagnosis[]): string[] {
  return [...new Set(diagnoses.flatMap((diagnosis) => pathsIn(textOf(diagnosis))))];
}

/** Sorting is stable: of equals the first stays first. */
function inOrder(diagnoses: readonly WeighedDiagnosis[]): WeighedDiagnosis[] {
  return diagnoses.toSorted(
    (one, other) => other.confidence - one.confidence || other.paths.length - one.paths.length || other.identifiers - one.identifiers,
  );
}

function textOf({ root_cause, fix_suggestion }: Diagnosis): string {
  return `${root_cause}\n${fix_suggestion}`;
}

/** The same words are the same fix, however they are spaced and capitalised. */
function comparable(suggestion: string): string {
  return suggestion.trim().toLowerCase().split(/\s+/).join(' ');
}

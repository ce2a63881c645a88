import type { Template } from '../../../plan/expressions/expression';
import type { ArgSpec } from '../../../plan/plan';
import type { StepBase } from '../../../plan/steps/step';
import type { Include } from '../../compile-context';
import type { DiagnosticCode } from '../../diagnostics/codes';
import type { Report, SourceSpan } from '../../diagnostics/diagnostic';
import { didYouMean, nearest } from '../../diagnostics/suggest';
import type { Blobs } from '../../freeze/blobs';
import type { Entry, MappingNode, ScalarNode } from '../../read/node';
import { spansWithin } from '../../read/offsets';
import type { ArgReference, StepReference } from '../text/references';
import type { LobsterResults } from '../text/results';
import type { TextNames } from '../text/template';
import type { StepIds } from './ids';

/** What lowering a Lobster file needs to know throughout. */
export interface LobsterContext {
  report: Report;
  blobs: Blobs;
  args: ReadonlySet<string>;
  argSpec(name: string): ArgSpec | undefined;
  ids: StepIds;
  /** Ids of the file's steps and branches so far. */
  seen: Set<string>;
  include: Include;
  /** Places of unknown names that were reported: the file's `env` is read for each step, and reported once. */
  complained: Set<number>;
}

/** Where a step is: what it can name, and what it takes over from around it. */
export interface LobsterScope {
  kind: 'file' | 'branch' | 'loop';
  results: LobsterResults;
  /** Environments from the outside in; the inner one wins. */
  env: readonly EnvironmentSource[];
  cwd?: ScalarNode;
  /** What Lobster calls a step in this place. */
  who(id: string): string;
}

export type EnvironmentSource = readonly { name: string; text: ScalarNode }[];

/** A step's templates, collected to find what they read. */
export type Templates = Template[];

/** A step that is being made: its keys, what every step has, and where it is. */
export interface StepDraft {
  node: MappingNode;
  base: StepBase;
  place: LobsterScope;
  templates: Templates;
  context: LobsterContext;
}

/** Fields that a record has: `$x.json` is meant to name a step, `$1.50` is not. */
const FIELDS: ReadonlySet<string> = new Set(['stdout', 'json', 'approved', 'approvedBy', 'initiatedBy', 'response', 'subject', 'skipped']);

/** The names that a text may use, with mistakes located within it. */
export function namesAt(node: ScalarNode, place: LobsterScope, context: LobsterContext): TextNames {
  const spotOf = spansWithin(node);
  return {
    args: context.args,
    results: place.results,
    unknown: (reference) => {
      const start = node.at.start + reference.start;
      const complaint = context.complained.has(start) ? undefined : complaintOf(reference, place, context);
      context.complained.add(start);
      if (!complaint) return;
      const at = spotOf(reference.start, reference.start + reference.written.length);
      context.report('lobster.unknown-name', at, complaint.message, complaint.hint);
    },
  };
}

function complaintOf(reference: ArgReference | StepReference, place: LobsterScope, context: LobsterContext) {
  if (reference.kind === 'arg') {
    const { name, written } = reference;
    // The shell's own variables are written the same way.
    if (/^[A-Z_][A-Z0-9_]*$/.test(name) || place.env.some((layer) => layer.some((variable) => variable.name === name))) return undefined;
    const hint = didYouMean(name, context.args, 'args are declared under `args:`');
    return { message: `"${name}" is not an arg of this file: ${written} stays as it is, unless the run gets one`, hint };
  }
  const { id, path, written } = reference;
  if (context.ids.isKnown(id)) {
    const hint = 'name an earlier step';
    return { message: `step "${id}" has no result here yet: ${written} stays as it is`, hint };
  }
  const meant = FIELDS.has(path[0] ?? '') ? nearest(id, context.ids.known()) : undefined;
  return meant === undefined
    ? undefined
    : { message: `there is no step "${id}": ${written} stays as it is`, hint: `did you mean "${meant}"?` };
}

/** Warns of keys that are not Lobster's and are skipped. */
export function warnOfUnknownKeys(
  node: MappingNode,
  what: string,
  known: readonly string[],
  context: Pick<LobsterContext, 'report'>,
): void {
  for (const { key, keyAt } of node.entries) {
    if (known.includes(key)) continue;
    context.report('lobster.unknown-key', keyAt, `${what} has no key "${key}": it is ignored`, didYouMean(key, known));
  }
}

/** Warns of keys in a place where Lobster does not look at them. */
export function warnOfIgnored(entries: readonly (Entry | undefined)[], why: string, { report }: LobsterContext): void {
  for (const entry of entries) {
    if (entry) report('lobster.ignored', entry.keyAt, `"${entry.key}" is ignored: ${why}`, 'leave it out');
  }
}

/** Reports a value that Lobster refuses in the file's own steps, and skips in branches and loops. */
export function badValue(at: SourceSpan, message: string, place: LobsterScope, { report }: LobsterContext): undefined {
  const code: DiagnosticCode = place.kind === 'file' ? 'lobster.bad-value' : 'lobster.ignored';
  report(code, at, message, place.kind === 'file' ? undefined : 'it is ignored here');
  return undefined;
}

import { traitsOf } from '../../kinds/traits';
import type { RecordField } from '../../plan/expressions/expression';
import { RECORD_FIELDS } from '../../plan/expressions/expression';
import type { StepKind } from '../../plan/steps/step';
import type { Reachability } from '../step-positions';
import type { OutputShape } from './output-shape';

/** What the names in an expression can mean at its place. */
export interface Names {
  step(id: string): KnownStep | undefined;
  stepIds(): Iterable<string>;
  /** What is known of the arg's value. */
  arg(name: string): OutputShape | undefined;
  argNames(): Iterable<string>;
  /** A loop's item or index. */
  variable(name: string): OutputShape | undefined;
  variableNames(): Iterable<string>;
  /** Whether the run's work has ended before this expression is evaluated. */
  readonly afterWork: boolean;
  /** The expression decides whether a run begins: it reads variables, and nothing of a run or its args. */
  readonly beforeRun?: true;
  /** Whether the expression is in a text that a shell reads. */
  readonly inShell: boolean;
  /** The environment variables that the file gives the command. */
  readonly environment: ReadonlySet<string>;
  /** Whether the step is settled before this expression is evaluated; `before-all`: no step is. */
  standing(id: string): Reachability | 'before-all';
  /** What to change so that a step which cannot be read here can be. */
  wayTo(id: string): string;
}

export interface KnownStep {
  id: string;
  /** Absent if the step's kind could not be read. */
  kind?: StepKind;
  output: OutputShape;
  /** The step asks a person to approve what it did. */
  asks?: true;
}

/** The fields that a step's record has in addition to `json`. */
export function recordsOf(step: KnownStep): RecordField[] {
  return RECORD_FIELDS.filter((field) => hasRecord(step, field));
}

function hasRecord({ kind, asks }: KnownStep, field: RecordField): boolean {
  if (kind === undefined) return true;
  const traits = traitsOf(kind);
  switch (field) {
    case 'stdout':
      return traits.prints === true;
    case 'approved':
    case 'approvedBy':
    case 'initiatedBy':
      return traits.gate === 'approval' || traits.asksWithin === true || asks === true;
    case 'response':
    case 'subject':
      return traits.gate !== undefined || traits.asksWithin === true;
    case 'missing':
      return traits.joins === true;
    default:
      return true;
  }
}

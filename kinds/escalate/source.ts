import type { Located, SourceSpan } from '../../compiler/diagnostics/diagnostic';
import type { FormSyntax, TemplateSyntax } from '../../compiler/expression/syntax';
import type { ActionSource } from '../../compiler/shape/action';
import type { LevelTimeout } from './rules/issue';

export interface EscalateSource {
  kind: 'escalate';
  /** Absent if it does not parse. */
  issue?: FormSyntax;
  /** The place of the key that has it. */
  issueAt?: SourceSpan;
  levels?: LevelSource[];
  levelsAt?: SourceSpan;
  /** A command of the shell. */
  solvedWhen?: TemplateSyntax;
  onRootCause?: ActionSource[];
  remember?: true;
}

export type LevelSource = { at: SourceSpan; attempts?: number } & (
  | { kind: 'agent'; agent: Located<string> }
  /** A person or a group, else anybody in a channel, else anybody. */
  | { kind: 'person'; name?: Located<string>; channel?: Located<string>; timeoutMs?: number; onTimeout?: LevelTimeout }
);

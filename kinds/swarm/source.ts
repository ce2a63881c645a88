import type { Located, SourceSpan } from '../../compiler/diagnostics/diagnostic';
import type { FormSyntax, TemplateSyntax } from '../../compiler/expression/syntax';
import type { ActionSource } from '../../compiler/shape/action';
import type { TestSource } from '../../plan/run/test-report';

export interface SwarmSource {
  kind: 'swarm';
  /** Absent if it does not parse. */
  issue?: FormSyntax;
  /** The place of the key that has it. */
  issueAt?: SourceSpan;
  affected?: Located<string>[];
  agents?: { agent: Located<string>; perspective: string }[];
  agentsAt?: SourceSpan;
  /** Whether all others are paused meanwhile. */
  pauses?: boolean;
  /** Absent: the author of the diagnosis. */
  fixer?: Located<string>;
  /** A command of the shell. */
  verify?: TemplateSyntax;
  tests?: TestSource;
  rounds?: number;
  onFail?: ActionSource[];
}

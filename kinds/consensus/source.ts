import type { Located, SourceSpan } from '../../compiler/diagnostics/diagnostic';
import type { FormSyntax } from '../../compiler/expression/syntax';
import type { ActionSource } from '../../compiler/shape/action';
import type { MemberSource } from '../../compiler/shape/members';
import type { WhoSource } from '../../compiler/shape/source-parts';
import type { Quorum } from '../../plan/people/quorum';

export interface ConsensusSource extends Pick<WhoSource, 'channel' | 'identity' | 'remindMs'> {
  kind: 'consensus';
  proposal?: { form: FormSyntax; at: SourceSpan };
  voters?: MemberSource[];
  votersAt?: SourceSpan;
  threshold?: Located<Quorum>;
  rounds?: number;
  reviseBy?: MemberSource;
  /** Who decides if all abstain. */
  abstainBy?: MemberSource;
  onFail?: ActionSource[];
}

import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';
import type { ActionSource } from '../../compiler/shape/action';
import type { MergeStrategy } from '../../plan/queue/queue-settings';

export interface MergeSource {
  kind: 'merge';
  from: Located<string>[];
  into?: TemplateSyntax;
  test?: string;
  strategy?: MergeStrategy;
  onConflict?: ActionSource[];
  cleanup?: true;
}

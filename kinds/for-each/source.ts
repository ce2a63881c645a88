import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { Syntax, TemplateSyntax } from '../../compiler/expression/syntax';
import type { StreamSource } from '../../compiler/shape/emits';
import type { ItemPolicy } from '../../plan/steps/stream';

export interface ForEachSourceOf<S> {
  kind: 'for_each';
  items?: Syntax;
  /** Instead of a list: another step's items. */
  stream?: StreamSource;
  policy?: Partial<ItemPolicy>;
  steps: S[];
  itemVar?: Located<string>;
  indexVar?: Located<string>;
  label?: TemplateSyntax;
  batchSize?: number;
  pauseMs?: number;
  maxConcurrent?: number;
}

import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { Syntax } from '../../compiler/expression/syntax';

export interface ForEachSourceOf<S> {
  kind: 'for_each';
  items?: Syntax;
  steps: S[];
  itemVar?: Located<string>;
  indexVar?: Located<string>;
  batchSize?: number;
  pauseMs?: number;
  maxConcurrent?: number;
}

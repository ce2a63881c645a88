import type { Syntax } from '../../compiler/expression/syntax';
import type { StreamSource } from '../../compiler/shape/source-parts';

export interface ForEachSource {
  items?: Syntax;
  /** Instead of a list: another step's items. */
  stream?: StreamSource;
}

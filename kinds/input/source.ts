import type { TemplateSyntax } from '../../compiler/expression/syntax';
import type { Entry } from '../../compiler/read/node';
import type { GateSource } from '../../compiler/shape/source-parts';
import type { Json } from '../../plan/text/json';

export interface InputSource extends GateSource {
  kind: 'input';
  /** A path, or the schema itself. */
  responseSchema?: Entry;
  defaults?: Json;
  subject?: TemplateSyntax;
}

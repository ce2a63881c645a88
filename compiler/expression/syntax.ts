import type { BinaryOperator } from '../../plan/expression';
import type { Json } from '../../plan/json';
import type { Spot } from '../diagnostics/diagnostic';

/** An expression as written: parsed, its names not yet looked up. `expression/resolve.ts` makes the plan's `Expr` of it. */
export type Syntax =
  | { kind: 'literal'; at: Spot; value: Json }
  | { kind: 'array'; at: Spot; items: Syntax[] }
  | NameSyntax
  | { kind: 'not'; at: Spot; operand: Syntax }
  | { kind: 'binary'; at: Spot; operator: BinaryOperator; left: Syntax; right: Syntax }
  | { kind: 'call'; at: Spot; function: string; functionAt: Spot; arguments: Syntax[] };

export interface NameSyntax {
  kind: 'name';
  at: Spot;
  name: string;
  nameAt: Spot;
  /** Lobster's spelling, `$name`: reaches the step's record. */
  dollar: boolean;
  path: { key: string | number; at: Spot }[];
}

/** Text with `${…}` in it, as written. */
export type TemplateSyntax = (string | Syntax | Lookalike)[];

/** A stretch of text that looks like a reference in a spelling that is not looked up: `$draft.title`, `{{ ticker }}`, `%ticker%`. */
export interface Lookalike {
  kind: 'lookalike';
  text: string;
  name: string;
  /** As written: `.title`, `.parts[0]`. */
  path: string;
  /** The text around it, and where. */
  whole: string;
  start: number;
  spot(): Spot;
}

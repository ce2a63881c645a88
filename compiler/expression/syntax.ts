import type { BinaryOperator } from '../../plan/expressions/expression';
import type { Json } from '../../plan/text/json';
import type { SourceSpan } from '../diagnostics/diagnostic';

/** An expression as written: parsed, its names not yet looked up. `expression/resolve.ts` makes the plan's `Expr` of it. */
export type Syntax =
  | { kind: 'literal'; at: SourceSpan; value: Json }
  | { kind: 'array'; at: SourceSpan; items: Syntax[] }
  | NameSyntax
  | { kind: 'not'; at: SourceSpan; operand: Syntax }
  | { kind: 'binary'; at: SourceSpan; operator: BinaryOperator; left: Syntax; right: Syntax }
  | { kind: 'call'; at: SourceSpan; function: string; functionAt: SourceSpan; arguments: Syntax[] };

export interface NameSyntax {
  kind: 'name';
  at: SourceSpan;
  name: string;
  nameAt: SourceSpan;
  /** Lobster's spelling, `$name`: reaches the step's record. */
  dollar: boolean;
  path: { key: string | number; at: SourceSpan }[];
}

/** Text with `${…}` in it, as written. */
export type TemplateSyntax = (string | Syntax | Lookalike)[];

/** JSON with templates in it, as it is written. */
export type FormSyntax = { template: TemplateSyntax } | { list: FormSyntax[] } | { fields: [key: string, value: FormSyntax][] };

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
  spot(): SourceSpan;
}

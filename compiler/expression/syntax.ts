import type { BinaryOperator } from '../../plan/expressions/expression';
import type { Json } from '../../plan/text/json';
import type { SourceSpan } from '../diagnostics/diagnostic';

/** An expression as written: parsed, its names not yet looked up. `expression/resolve.ts` turns it into the plan's `Expr`. */
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
  /** Lobster's spelling, `$name`, which reads the step's record. */
  dollar: boolean;
  path: { key: string | number; at: SourceSpan }[];
}

/** Text with `${…}` in it, as written. */
export type TemplateSyntax = (string | Syntax | Lookalike)[];

/** JSON with templates in it, as it is written. */
export type FormSyntax = { template: TemplateSyntax } | { list: FormSyntax[] } | { fields: [key: string, value: FormSyntax][] };

/** A piece of text that looks like a reference in a spelling that is not looked up: `$draft.title`, `{{ ticker }}`, `%ticker%`. */
export interface Lookalike {
  kind: 'lookalike';
  text: string;
  name: string;
  /** The path as written: `.title`, `.parts[0]`. */
  path: string;
  /** The whole text around it, and where it starts in that. */
  whole: string;
  start: number;
  spot(): SourceSpan;
}

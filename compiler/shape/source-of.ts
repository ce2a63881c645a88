import type { Path } from '../../plan/expressions/expression';
import type { Quorum } from '../../plan/people/quorum';
import type { Json } from '../../plan/text/json';
import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import type { FormSyntax, Syntax, TemplateSyntax } from '../expression/syntax';
import type { MappingName, RowsOfMapping } from '../language/mappings';
import type { SimpleType } from '../language/simple-types';
import type { Entry, MappingNode } from '../read/node';
import type { ActionSource } from './action';
import type { MemberSource } from './members';

/**
 * A mapping as written, by the rows of its keys: a field for each, named in camel case, absent if it was not written or could not be read.
 * A duration is in milliseconds, and its field says so (`pause` is `pauseMs`, and so is `pause_ms`). Branches are `branches` under any key.
 * The node has the places of keys.
 * @typeParam Step what a step within it is
 */
export type SourceOf<Rows extends readonly RowShape[], Step = never> = { node: MappingNode } & {
  [Row in Rows[number] as FieldOf<Row>]?: ValueOf<Row['type'], Step>;
};

/** What a field is made of; a `KeyRow` has it. That types are not checked again for each mapping within saves the compiler much. */
interface RowShape {
  key: string;
  type: { kind: string };
}

/** Rows whose keys are known only when the program runs have no fields. */
type FieldOf<Row extends RowShape> = string extends Row['key']
  ? never
  : Row['type']['kind'] extends 'branches'
    ? 'branches'
    : Row['type']['kind'] extends 'duration'
      ? `${Camel<Row['key']>}Ms`
      : Camel<Row['key']>;

type Camel<Key extends string> = Key extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Key;

type ValueOf<Type, Step> = Type extends { kind: infer Kind extends SimpleType }
  ? SimpleValue<Kind, Step>
  : Type extends { kind: 'integer' | 'number' }
    ? number
    : Type extends { kind: 'word'; words: readonly (infer Word)[] }
      ? Word
      : Type extends { kind: 'list'; of: infer Item }
        ? ValueOf<Item, Step>[]
        : Type extends { kind: 'map'; of: infer Item }
          ? Map<string, MapItem<ValueOf<Item, Step>>>
          : Type extends { kind: 'mapping'; name: infer Name extends MappingName }
            ? SourceOf<RowsOfMapping<Name>, Step>
            : Type extends { kind: 'actions' }
              ? ActionSource[]
              : Type extends { kind: 'either'; of: readonly (infer Form)[] }
                ? ValueOf<Form, Step>
                : never;

/** An item of a map: its value with its place, and the place of its key. */
export interface MapItem<Value> extends Located<Value> {
  keyAt: SourceSpan;
}

/** What a value of a simple type is once it is read. */
export type SimpleValue<Type extends SimpleType, Step = never> = Type extends keyof ReadValues<Step>
  ? ReadValues<Step>[Type]
  : Located<string>;

/** The types of which no text with its place remains. */
export interface ReadValues<Step> {
  template: TemplateSyntax;
  scalar: TemplateSyntax;
  expression: Syntax;
  value: TemplateSyntax;
  data: TemplateSyntax;
  form: FormSyntax;
  boolean: boolean;
  nothing: null;
  duration: number;
  milliseconds: number;
  share: Located<Quorum>;
  json: Json;
  schema: Entry;
  repository: TemplateSyntax;
  member: MemberSource;
  field: Located<Path>;
  trigger: never;
  escalation: never;
  steps: Step[];
  branches: Step[];
}

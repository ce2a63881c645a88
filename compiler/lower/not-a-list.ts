import type { Expr } from '../../plan/expressions/expression';
import { isStateFunction } from '../../plan/expressions/functions';
import type { Names } from '../expression/names';
import { mayBeList } from '../expression/output-shape';
import { shapeOfExpression } from '../expression/reference';
import type { PipelineShape } from '../shape/source';

/** The loop's subject if that cannot be a list, with what to write; undefined if it may be one. */
export function notAList(items: Expr, names: Names, args: PipelineShape['args']): { what: string; hint: string } | undefined {
  const hint = 'name a list: a field of it, or the output of a loop';
  switch (items.kind) {
    case 'record':
      if (items.path.length === 0 && TEXTS.has(items.field))
        return { what: 'text', hint: `output a JSON list and write $${items.step}.json, or a field of it` };
      break;
    case 'run':
      return { what: 'text', hint };
    case 'not':
      return { what: 'true or false', hint };
    case 'binary':
      if (items.operator !== '&&' && items.operator !== '||') return { what: 'true or false', hint };
      break;
    case 'call':
      if (NO_LISTS.has(items.function) || isStateFunction(items.function)) return { what: `what ${items.function}() gives`, hint };
      break;
    case 'arg': {
      const spec = items.path.length === 0 ? args.get(items.name)?.spec : undefined;
      if (spec?.type === undefined && spec?.default !== undefined && !Array.isArray(spec.default))
        return { what: `the arg "${items.name}", whose default is not a list`, hint: DECLARE };
      if (spec?.type !== undefined && spec.type !== 'array')
        return { what: `the arg "${items.name}" of type "${spec.type}"`, hint: DECLARE };
      break;
    }
    case 'literal':
      return Array.isArray(items.value) ? undefined : { what: 'a single value', hint };
  }
  return mayBeList(shapeOfExpression(items, names))
    ? undefined
    : { what: 'a value that its type or schema declares as something else', hint };
}

const DECLARE = 'declare it with `type: array` and a list as its default';

const TEXTS: ReadonlySet<string> = new Set(['id', 'stdout', 'initiatedBy', 'approvedBy', 'errorMessage', 'approved', 'skipped', 'error']);

const NO_LISTS: ReadonlySet<string> = new Set(['defined', 'length', 'contains', 'json']);

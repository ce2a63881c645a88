import type { Expr, RecordField } from '../../../plan/expressions/expression';

/**
 * What `$id.…` can name in a text: the results of earlier steps, of their branches, and a loop's variables. Each field of a result is an
 * expression; a field that a result does not have never gets a value.
 */
export interface LobsterStepResult {
  fields: ReadonlyMap<string, Expr>;
}

export interface LobsterResults {
  find(id: string): LobsterStepResult | undefined;
  add(id: string, result: LobsterStepResult): void;
}

/** Results of a block: its own and those of the enclosing block. */
export function resultsWithin(outer?: LobsterResults): LobsterResults {
  const own = new Map<string, LobsterStepResult>();
  return {
    find: (id) => own.get(id) ?? outer?.find(id),
    add: (id, result) => {
      own.set(id, result);
    },
  };
}

const MISSING: Expr = { kind: 'call', function: 'lobster.missing', arguments: [] };

export function call(name: string, ...given: Expr[]): Expr {
  return { kind: 'call', function: `lobster.${name}`, arguments: given };
}

export function literalExpr(value: string | number | boolean | null): Expr {
  return { kind: 'literal', value };
}

export function recordOf(step: string, field: RecordField): Expr {
  return { kind: 'record', step, field, path: [] };
}

export function outputOfResult(step: string): Expr {
  return { kind: 'output', step, path: [] };
}

/** The value at a path of a result, its first part the field. */
export function valueOfResult(result: LobsterStepResult, path: readonly string[]): Expr {
  const [field = '', ...rest] = path;
  const found = result.fields.get(field);
  if (!found) return MISSING;
  if (rest.length === 0) return found;
  switch (found.kind) {
    case 'output':
    case 'record':
    case 'arg':
    case 'variable':
      return { ...found, path: [...found.path, ...rest] };
    default:
      // Texts and truth values have no fields.
      return MISSING;
  }
}

/** The fields of every step's record, whatever the step does. */
function common(id: string, step: string): [string, Expr][] {
  return [
    ['id', literalExpr(id)],
    ['skipped', call('flag', recordOf(step, 'skipped'))],
    ['error', call('flag', recordOf(step, 'error'))],
    ['errorMessage', recordOf(step, 'errorMessage')],
  ];
}

function decided(step: string): [string, Expr][] {
  return [
    ['approved', call('flag', recordOf(step, 'approved'))],
    ['initiatedBy', recordOf(step, 'initiatedBy')],
    ['approvedBy', recordOf(step, 'approvedBy')],
  ];
}

/** The result of a step that has an output. `stdout` is its text: for a command its own, for others what Lobster makes of their output. */
export function workResult(id: string, step: string, options: { approval: boolean; stdout?: Expr }): LobsterStepResult {
  const fields: [string, Expr][] = [
    ...common(id, step),
    ['json', outputOfResult(step)],
    ['stdout', options.stdout ?? recordOf(step, 'stdout')],
    ...(options.approval ? decided(step) : []),
  ];
  return { fields: new Map(fields) };
}

export function inputResult(id: string, step: string): LobsterStepResult {
  return { fields: new Map([...common(id, step), ['response', recordOf(step, 'response')], ['subject', recordOf(step, 'subject')]]) };
}

export function variableResult(name: string): LobsterStepResult {
  const value: Expr = { kind: 'variable', name, path: [] };
  const fields: [string, Expr][] = [
    ['id', literalExpr(name)],
    ['json', value],
    ['stdout', call('stdout', value)],
  ];
  return { fields: new Map(fields) };
}

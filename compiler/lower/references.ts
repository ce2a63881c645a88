import { type Expr, type Path, type RecordField, subexpressions, type Template } from '../../plan/expressions/expression';
import { isStateFunction } from '../../plan/expressions/functions';
import type { ControlReads, VariableOf } from './loop-variable';
import type { LowerContext } from './lower-context';

/** Lobster's files resolve the variables of their loops themselves. */
const NO_VARIABLE = (): undefined => undefined;

export function collectReads(variable: LowerContext['variable'] = NO_VARIABLE): ControlReads {
  const outputs = new Map<string, Map<string, Path>>();
  const items = new Map<string, Map<string, Path>>();
  const stdout = new Set<string>();
  const add = (to: Map<string, Map<string, Path>>, key: string, path: Path): void => {
    const known = to.get(key);
    if (known) known.set(JSON.stringify(path), path);
    else to.set(key, new Map([[JSON.stringify(path), path]]));
  };
  return {
    note(expr, of) {
      for (const part of references(expr)) {
        if (part.kind === 'record' && part.field === 'stdout') stdout.add(part.step);
        if (part.kind === 'output') add(outputs, part.step, part.path);
        if (part.kind !== 'variable') continue;
        const meant = variable(part.name, of);
        for (const read of meant?.variable.reads(part.path) ?? []) {
          if (read.from === 'last') add(outputs, read.step, read.path);
          else add(items, meant?.loop.step.id ?? '', read.path);
        }
      }
    },
    of: (step) => ({ reads: sorted(outputs.get(step)), stdout: stdout.has(step) }),
    ofItems: (loop) => sorted(items.get(loop)),
  };
}

function sorted(paths: ReadonlyMap<string, Path> | undefined): Path[] {
  return [...(paths ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
}

type Reference = Extract<Expr, { kind: 'output' | 'record' | 'variable' }>;

/** The references to outputs, records and items. The step that `failed(x)` asks about is not one: its state is read, not its output. */
function* references(expr: Expr): Generator<Reference> {
  const asked = new Set<Expr>();
  for (const part of subexpressions(expr)) {
    if (part.kind === 'call' && isStateFunction(part.function)) for (const argument of part.arguments) asked.add(argument);
    if ((part.kind === 'output' || part.kind === 'record' || part.kind === 'variable') && !asked.has(part)) yield part;
  }
}

/** What the templates of one step render: whole outputs, which travel by reference, and fields of records. */
export interface Rendered {
  inputs: Set<string>;
  records: { step: string; field: RecordField }[];
  /** Steps whose output of the round before is rendered. */
  last: Set<string>;
}

export function renderedBy(templates: readonly Template[], variable: (name: string) => VariableOf | undefined = NO_VARIABLE): Rendered {
  const inputs = new Set<string>();
  const records = new Map<string, { step: string; field: RecordField }>();
  const last = new Set<string>();
  for (const template of templates) {
    for (const piece of template) {
      if (typeof piece === 'string') continue;
      for (const part of references(piece)) {
        if (part.kind === 'variable') {
          for (const read of variable(part.name)?.variable.reads(part.path) ?? []) if (read.from === 'last') last.add(read.step);
          continue;
        }
        // A command's text output is its artifact and is read from there.
        if (part.kind === 'output' || part.field === 'stdout') inputs.add(part.step);
        else records.set(`${part.step} ${part.field}`, { step: part.step, field: part.field });
      }
    }
  }
  return { inputs, records: [...records.values()], last };
}

import { type Expr, type Path, type RecordField, subexpressions, type Template } from '../../plan/expression';
import { isStateFunction } from '../../plan/functions';

/** What expressions that control the run read of each step: the only part of outputs that enters workflow history. */
export interface ControlReads {
  note(expr: Expr): void;
  of(step: string): { reads: Path[]; stdout: boolean };
}

export function collectReads(): ControlReads {
  const paths = new Map<string, Map<string, Path>>();
  const stdout = new Set<string>();
  return {
    note(expr) {
      for (const part of references(expr)) {
        if (part.kind === 'record' && part.field === 'stdout') stdout.add(part.step);
        if (part.kind !== 'output') continue;
        const known = paths.get(part.step) ?? new Map<string, Path>();
        paths.set(part.step, known.set(JSON.stringify(part.path), part.path));
      }
    },
    of(step) {
      const known = [...(paths.get(step) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
      return { reads: known.map(([, path]) => path), stdout: stdout.has(step) };
    },
  };
}

type Reference = Extract<Expr, { kind: 'output' | 'record' }>;

/** References to outputs and records. The step that `failed(x)` asks about is none: its state is asked, not its output. */
function* references(expr: Expr): Generator<Reference> {
  const asked = new Set<Expr>();
  for (const part of subexpressions(expr)) {
    if (part.kind === 'call' && isStateFunction(part.function)) for (const argument of part.arguments) asked.add(argument);
    if ((part.kind === 'output' || part.kind === 'record') && !asked.has(part)) yield part;
  }
}

/** What the templates of one step render: whole outputs, which travel by reference, and fields of records. */
export interface Rendered {
  inputs: Set<string>;
  records: { step: string; field: RecordField }[];
}

export function renderedBy(templates: readonly Template[]): Rendered {
  const found: Rendered = { inputs: new Set(), records: [] };
  for (const template of templates) {
    for (const piece of template) {
      if (typeof piece === 'string') continue;
      for (const part of references(piece)) {
        // A command's text output is its artifact: it is read from there.
        if (part.kind === 'output' || part.field === 'stdout') found.inputs.add(part.step);
        else if (!found.records.some((record) => record.step === part.step && record.field === part.field)) {
          found.records.push({ step: part.step, field: part.field });
        }
      }
    }
  }
  return found;
}

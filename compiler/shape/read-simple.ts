import type { Path } from '../../plan/expressions/expression';
import type { Located, Report } from '../diagnostics/diagnostic';
import { readExpression } from '../expression/template';
import { OUTPUT_NAME } from '../language/patterns';
import { LONGEST_MS } from '../language/ranges';
import type { SimpleType } from '../language/simple-types';
import type { Entry } from '../read/node';
import { cronAt } from './cron';
import { formAt } from './form';
import { memberOf } from './members';
import { checkName } from './names';
import { quorumSetting } from './quorum';
import type { ReadContext } from './read-context';
import { branchAt, repositoryAt } from './repository';
import type { StepSource } from './source';
import type { ReadValues, SimpleValue } from './source-of';
import { templateAt, valueAt } from './template-value';
import { booleanOf, durationOf, integerOf, textOf, wrongType } from './values';

/** What reading by rows needs; only rows with steps within need `steps`. */
export type RowReading = Pick<ReadContext, 'report'> & Partial<Pick<ReadContext, 'steps'>>;

/** Reads a value of a simple type. */
export function readSimple(type: SimpleType, entry: Entry, reading: RowReading): unknown {
  return (SIMPLE[type] ?? textIn)(entry, reading);
}

type SimpleReader<Type extends SimpleType> = (entry: Entry, reading: RowReading) => SimpleValue<Type, StepSource> | undefined;

/** Read by the reader of the file. */
type FileType = 'trigger' | 'escalation' | 'json';

/** Readers of single values; the others are texts. */
const SIMPLE: { [Type in Exclude<keyof ReadValues<StepSource>, FileType>]: SimpleReader<Type> } & {
  [Type in SimpleType]?: SimpleReader<Type>;
} = {
  template: (entry, { report }) => textOf(entry, report) && templateAt(entry, report),
  scalar: (entry, { report }) => templateAt(entry, report),
  expression: ({ key, value }, { report }) =>
    value.kind === 'scalar'
      ? readExpression(value, report)
      : wrongType(value, key, 'an expression', report, 'put the expression in quotes'),
  value: (entry, { report }) => templateAt(entry, report, true),
  data: (entry, { report }) => valueAt(entry, report),
  form: (entry, { report }) => formAt(entry, report),
  nothing: () => null,
  boolean: (entry, { report }) => booleanOf(entry, report),
  duration: (entry, { report }) => durationOf(entry, report),
  milliseconds: (entry, { report }) => integerOf(entry, 1, LONGEST_MS, report),
  share: (entry, { report }) => quorumSetting(entry, report),
  branch: (entry, { report }) => branchAt(entry, report),
  repository: (entry, { report }) => repositoryAt(entry, report),
  schema: (entry) => entry,
  id: (entry, { report }) => named(entry, 'step', report),
  'pipeline-name': (entry, { report }) => named(entry, 'pipeline', report),
  variable: (entry, { report }) => named(entry, 'loop variable', report),
  member: (entry, { report }) => memberOf(entry, report),
  'output-name': (entry, { report }) => fileNameOf(entry, 'an output', '', report),
  'item-name': (entry, { report }) => fileNameOf(entry, 'an item', ', such as Item.json', report),
  cron: (entry, { report }) => cronAt(entry, report),
  field: (entry, { report }) => fieldAt(entry, report),
  steps: (entry, { steps }) => steps?.(entry),
  branches: (entry, { steps }) => steps?.(entry, { branches: true }),
};

function textIn(entry: Entry, { report }: RowReading): SimpleValue<'text'> | undefined {
  return textOf(entry, report);
}

function named(entry: Entry, what: Parameters<typeof checkName>[1], report: Report): SimpleValue<'id'> | undefined {
  const name = textOf(entry, report);
  return name && checkName(name, what, report) ? name : undefined;
}

function fileNameOf(entry: Entry, of: string, such: string, report: Report): SimpleValue<'output-name'> | undefined {
  const name = textOf(entry, report);
  if (!name || OUTPUT_NAME.test(name.value)) return name;
  report('names.invalid', name.at, `"${name.value}" is not a valid name for ${of}`, `write a file name without a folder${such}`);
  return undefined;
}

/** Reads a field of an item, or one within: `id`, `meta.id`. */
function fieldAt(entry: Entry, report: Report): Located<Path> | undefined {
  const text = textOf(entry, report);
  if (!text) return undefined;
  if (FIELD_PATH.test(text.value)) return { value: text.value.split('.'), at: text.at };
  report(
    'shape.wrong-type',
    text.at,
    `"${entry.key}" is "${text.value}", which is not a field name`,
    'write the name of a field of an item, such as id or meta.id',
  );
  return undefined;
}

const FIELD_PATH = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;

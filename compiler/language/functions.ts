import { STATE_FUNCTIONS, type StateFunction, VALUE_FUNCTIONS } from '../../plan/expressions/functions';

/** A function of expressions, as the reference shows it. */
export interface FunctionRow {
  name: string;
  parameters: readonly string[];
  meaning: string;
  example: string;
}

const STATES: Readonly<Record<StateFunction, Omit<FunctionRow, 'name'>>> = {
  always: { parameters: [], meaning: 'true; the step runs even if a dependency failed or was skipped', example: 'always()' },
  failed: { parameters: ['step'], meaning: 'whether the step failed', example: 'failed(draft)' },
  skipped: { parameters: ['step'], meaning: 'whether the step was skipped', example: 'skipped(draft)' },
};

const EXAMPLES: Readonly<Record<string, string>> = {
  defined: 'defined(draft.title)',
  length: 'length(draft.parts) > 3',
  contains: 'contains(draft.tags, "urgent")',
  lower: 'lower(draft.title) == "brief"',
  json: 'json(draft.parts)',
  default: 'default(draft.title, "untitled")',
};

/** Every function that a writer may call. */
export const FUNCTION_ROWS: readonly FunctionRow[] = [
  ...STATE_FUNCTIONS.map((name) => ({ name, ...STATES[name] })),
  ...VALUE_FUNCTIONS.flatMap(({ name, parameters, doc }) => {
    const example = EXAMPLES[name];
    return example === undefined ? [] : [{ name, parameters, meaning: doc, example }];
  }),
];

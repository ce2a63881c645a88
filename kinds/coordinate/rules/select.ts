import { isJsonObject, type Json } from '../../../plan/text/json';

/**
 * Which patterns a task calls for (docs/patterns.md, `select`), and why.
 *
 * Invariants: 1. the same facts select the same patterns, in the order of the rows: the linear pipeline first, the post-mortem last; 2.
 * unknown, mistyped or missing facts are all reported, and nothing is selected then.
 */
export const TASK_TYPES = ['feature', 'fix', 'refactor', 'research', 'review', 'test'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export const LEVELS = ['low', 'medium', 'high'] as const;
export type Level = (typeof LEVELS)[number];

export interface TaskFacts {
  taskType: TaskType;
  complexity: Level;
  risk: Level;
  /** How many agents there are. No row reads it: each pattern says itself how many it needs. */
  teamSize: number;
  /** Whether there is an expert who knows the field better than the team. */
  hasExpert: boolean;
}

export interface SelectedPattern {
  pattern: string;
  why: string;
}

export interface SelectRow extends SelectedPattern {
  /** `fits` in words. */
  when: string;
  fits(facts: TaskFacts): boolean;
}

export const SELECT_ROWS: readonly SelectRow[] = [
  {
    pattern: 'CP-1',
    when: 'always',
    why: 'stages, each of which works on the output of the one before, are the base of everything else',
    fits: () => true,
  },
  {
    pattern: 'CP-4',
    when: '`risk` is `high`',
    why: 'a decision that is expensive to undo is made by several',
    fits: ({ risk }) => risk === 'high',
  },
  {
    pattern: 'CP-6',
    when: '`complexity` is `high` and `task_type` is `feature`',
    why: 'a large feature is delivered in parts, each checked before the next',
    fits: ({ complexity, taskType }) => complexity === 'high' && taskType === 'feature',
  },
  {
    pattern: 'CP-2',
    when: '`task_type` is `review` or `test`',
    why: 'work that is about quality goes back until it passes',
    fits: ({ taskType }) => taskType === 'review' || taskType === 'test',
  },
  {
    pattern: 'CP-8',
    when: '`has_expert` is true and `complexity` is not `low`',
    why: 'an expert in the field is asked before the work begins',
    fits: ({ hasExpert, complexity }) => hasExpert && complexity !== 'low',
  },
  {
    pattern: 'CP-10',
    when: 'always',
    why: 'what the run teaches is kept for later ones',
    fits: () => true,
  },
];

export function select(facts: TaskFacts): SelectedPattern[] {
  return SELECT_ROWS.filter((row) => row.fits(facts)).map(({ pattern, why }) => ({ pattern, why }));
}

/** What is wrong with one fact, by its key in the file. */
export type FactProblem =
  | { kind: 'missing'; key: FactKey }
  | { kind: 'unknown-word'; key: FactKey; word: string; words: readonly string[] }
  | { kind: 'wrong-type'; key: FactKey; takes: string }
  | { kind: 'unknown-key'; key: string };

export const FACT_KEYS = ['task_type', 'complexity', 'risk', 'team_size', 'has_expert'] as const;
export type FactKey = (typeof FACT_KEYS)[number];

/** Reads facts as they are written: `{task_type, complexity, risk, team_size, has_expert}`, words in upper or lower case. */
export function readTaskFacts(given: Json): { facts: TaskFacts } | { problems: FactProblem[] } {
  const written = isJsonObject(given) ? given : {};
  const known: readonly string[] = FACT_KEYS;
  const problems: FactProblem[] = Object.keys(written)
    .filter((key) => !known.includes(key))
    .map((key) => ({ kind: 'unknown-key', key }));

  function read<T>(key: FactKey, takes: string, fits: (value: Json) => T | undefined): T | undefined {
    const value = written[key] ?? null;
    const found = fits(value);
    if (value === null) problems.push({ kind: 'missing', key });
    else if (found === undefined) problems.push({ kind: 'wrong-type', key, takes });
    return found;
  }
  function word<W extends string>(key: FactKey, words: readonly W[]): W | undefined {
    const text = read(key, 'text', (value) => (typeof value === 'string' ? value : undefined));
    const found = words.find((one) => one === text?.trim().toLowerCase());
    if (text !== undefined && found === undefined) problems.push({ kind: 'unknown-word', key, word: text, words });
    return found;
  }

  const taskType = word('task_type', TASK_TYPES);
  const complexity = word('complexity', LEVELS);
  const risk = word('risk', LEVELS);
  const teamSize = read('team_size', 'a whole number from 1 on', (value) => (isCount(value) ? value : undefined));
  const hasExpert = read('has_expert', '`true` or `false`', (value) => (typeof value === 'boolean' ? value : undefined));
  if (!taskType || !complexity || !risk || teamSize === undefined || hasExpert === undefined || problems.length > 0) return { problems };
  return { facts: { taskType, complexity, risk, teamSize, hasExpert } };
}

function isCount(value: Json): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

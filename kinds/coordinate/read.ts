import type { Report } from '../../compiler/diagnostics/diagnostic';
import { jsonOf } from '../../compiler/read/json';
import { type Made, madeNode } from '../../compiler/read/made-node';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../compiler/read/node';
import { checkKeys, headOf, requireKey } from '../../compiler/shape/keys';
import { membersOf } from '../../compiler/shape/members';
import type { ReadContext } from '../../compiler/shape/read-context';
import { readMapping } from '../../compiler/shape/read-rows';
import { branchAt } from '../../compiler/shape/repository';
import type { StepSource } from '../../compiler/shape/source';
import { durationOf, mappingOf, textOf, wordOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { defined } from '../../plan/defined';
import { type Parts, stepsOf } from './compose';
import { COORDINATE_KIND } from './keys';
import { BLOCKED_ACTIONS, DEFAULT_BLOCKED_AFTER_MS } from './model';
import { FACT_KEYS, type FactProblem, readTaskFacts, select, type TaskFacts } from './rules/select';
import type { CoordinateSourceOf } from './source';

/** The facts of the task select patterns, which become steps as if the file had them. */
export function readCoordinate(node: MappingNode, step: StepSource, reading: ReadContext): CoordinateSource {
  const { report } = reading;
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const what = 'a step of kind "coordinate"';
  for (const [key, hint] of REQUIRED) requireKey(node, key, what, report, hint);
  const facts = readFacts(get('select'), report);
  const roles = readRoles(get('roles'), report);
  const [task, test, tests, voters, after, blocked, into] = ['task', 'test', 'tests', 'voters', 'blocked_after', 'on_blocked', 'into'].map(
    get,
  );
  const onBlocked = (blocked && wordOf(blocked, BLOCKED_ACTIONS, report)?.value) ?? 'escalate';
  if (onBlocked === 'swarm' && !test)
    report(
      'shape.missing-key',
      blocked?.keyAt ?? headOf(node),
      '"on_blocked: swarm" needs a "test"',
      'add `test:`, the command that shows whether it is solved',
    );
  if (tests && !test) report('shape.missing-key', tests.keyAt, '"tests" needs a "test"', 'add `test:`, the command whose tests they are');
  // These keys are read even if no selected pattern needs them.
  if (into) branchAt(into, report);
  if (voters) membersOf(voters, report);
  if (tests) readMapping(tests, 'tests', reading);
  const blockedAfterMs = after ? durationOf(after, report) : DEFAULT_BLOCKED_AFTER_MS;
  if (!facts || !roles || !task) return { selected: [], written: [], steps: [] };
  const selected = select(facts);
  const has = (pattern: string): boolean => selected.some((one) => one.pattern === pattern);
  if (has('CP-8') && !roles.expert)
    report(
      'shape.missing-key',
      get('roles')?.keyAt ?? headOf(node),
      '"has_expert" is true, and "roles" names no "expert"',
      'add `expert: AGENT`',
    );
  const parts: Parts = {
    ...{ id: step.id, facts, has, task: task.value, roles, onBlocked },
    blockedAfter: `${blockedAfterMs ?? DEFAULT_BLOCKED_AFTER_MS}ms`,
    ...(voters ? { voters: voters.value } : {}),
    ...(test ? { test: test.value } : {}),
    ...(tests ? { tests: tests.value } : {}),
    ...(into ? { into: into.value } : {}),
  };
  const coordinator = coordinatorOf(roles);
  const steps = reading.steps(made('steps', stepsOf(parts), task));
  // A phase has helpers if it is blocked.
  for (const one of steps) if (one.onError) Object.assign(one, defined({ blockedAfterMs }));
  return { ...defined({ coordinator }), selected, written: writtenIn(node), steps };
}

type CoordinateSource = CoordinateSourceOf<StepSource>;

/** Read already: a value that is no text has no role. */
function coordinatorOf({ coordinator: { at, ...node } }: NonNullable<Parts['roles']>): CoordinateSource['coordinator'] {
  return node.kind === 'scalar' ? { value: node.text, at } : undefined;
}

function writtenIn(node: MappingNode): CoordinateSource['written'] {
  const keys: readonly string[] = COORDINATE_KIND.rows.map(({ key }) => key);
  return node.entries.filter(({ key }) => keys.includes(key)).map(({ key, value }) => [key, textOfNode(value)]);
}

function textOfNode(node: SourceNode): string {
  if (node.kind === 'scalar') return node.text;
  if (node.kind === 'sequence') return node.items.map(textOfNode).join(', ');
  return node.entries.map(({ key, value }) => `${key}: ${textOfNode(value)}`).join(', ');
}

const REQUIRED = [
  ['task', 'add `task:`, what is to be done'],
  ['select', `add \`select: {${FACT_KEYS.join(', ')}}\``],
  ['roles', 'add `roles: {coordinator, planner, executor, tester}`'],
] as const;

function made(key: string, steps: Made, { keyAt }: Entry): Entry {
  return { key, keyAt, value: madeNode(steps, keyAt) };
}

function readFacts(entry: Entry | undefined, report: Report): TaskFacts | undefined {
  const node = entry && mappingOf(entry, report, `a mapping of ${FACT_KEYS.join(', ')}`);
  if (!entry || !node) return undefined;
  checkKeys(node, { what: '"select"', known: FACT_KEYS }, report);
  const read = readTaskFacts(jsonOf(node));
  if ('facts' in read) return read.facts;
  for (const problem of read.problems) reportFact(problem, entry, node, report);
  return undefined;
}

function reportFact(problem: FactProblem, { keyAt }: Entry, node: MappingNode, report: Report): void {
  const at = entryOf(node, problem.key)?.value.at ?? keyAt;
  const { kind, key } = problem;
  if (kind === 'missing') report('shape.missing-key', keyAt, `"select" has no "${key}"`, `add \`${key}:\``);
  else if (kind === 'unknown-word')
    report('shape.unknown-value', at, `"${key}" is not one of ${problem.words.join(', ')}`, `write ${problem.words[0]}`);
  else if (kind === 'wrong-type') report('shape.wrong-type', at, `"${key}" must be ${problem.takes}`);
}

function readRoles(entry: Entry | undefined, report: Report): Parts['roles'] | undefined {
  const node = entry && mappingOf(entry, report, 'a mapping of roles and agents');
  if (!node) return undefined;
  checkKeys(node, { what: '"roles"', known: keysOf('roles') }, report);
  const found = new Map<string, SourceNode>();
  for (const role of ['coordinator', 'planner', 'executor', 'tester', 'expert']) {
    const written = entryOf(node, role);
    if (!written && role !== 'expert') requireKey(node, role, '"roles"', report, `add \`${role}: AGENT\``);
    const agent = written && textOf(written, report);
    if (written && agent) found.set(role, written.value);
  }
  const [coordinator, planner, executor, tester, expert] = ['coordinator', 'planner', 'executor', 'tester', 'expert'].map((role) =>
    found.get(role),
  );
  return coordinator && planner && executor && tester && { coordinator, planner, executor, tester, ...(expert ? { expert } : {}) };
}

import type { Report } from '../../compiler/diagnostics/diagnostic';
import type { RowsOfMapping } from '../../compiler/language/mappings';
import { jsonOf } from '../../compiler/read/json';
import { type Made, madeNode } from '../../compiler/read/made-node';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../compiler/read/node';
import { checkKeys, headOf } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import { readRows } from '../../compiler/shape/read-rows';
import type { StepSource } from '../../compiler/shape/source';
import type { SourceOf } from '../../compiler/shape/source-of';
import { mappingOf } from '../../compiler/shape/values';
import { defined } from '../../plan/defined';
import { type Parts, stepsOf } from './compose';
import { COORDINATE_KIND } from './keys';
import { DEFAULT_BLOCKED_AFTER_MS } from './model';
import { FACT_KEYS, type FactProblem, readTaskFacts, select, type TaskFacts } from './rules/select';
import type { CoordinateSourceOf } from './source';

/** The facts of the task select patterns, which become steps as if the file had them. */
export function readCoordinate(node: MappingNode, step: StepSource, reading: ReadContext): CoordinateSource {
  const { report } = reading;
  // All keys are read even if no selected pattern needs them.
  const source = readRows(node, COORDINATE_KIND.rows, 'a step of kind "coordinate"', reading);
  const { roles: written, onBlocked = 'escalate', blockedAfterMs = DEFAULT_BLOCKED_AFTER_MS } = source;
  const keys = ['task', 'select', 'roles', 'test', 'tests', 'voters', 'on_blocked', 'into'];
  const [task, selection, roles, test, tests, voters, blocked, into] = keys.map((key) => entryOf(node, key));
  const facts = readFacts(selection, report);
  const agents = written && agentsOf(written);
  if (onBlocked === 'swarm' && !test)
    report(
      'shape.missing-key',
      blocked?.keyAt ?? headOf(node),
      '"on_blocked: swarm" needs a "test"',
      'add `test:`, the command that shows whether it is solved',
    );
  if (tests && !test) report('shape.missing-key', tests.keyAt, '"tests" needs a "test"', 'add `test:`, the command whose tests they are');
  if (!facts || !agents || !task) return { selected: [], written: [], steps: [] };
  const selected = select(facts);
  const has = (pattern: string): boolean => selected.some((one) => one.pattern === pattern);
  if (has('CP-8') && !agents.expert)
    report('shape.missing-key', roles?.keyAt ?? headOf(node), '"has_expert" is true, and "roles" names no "expert"', 'add `expert: AGENT`');
  const parts: Parts = {
    ...{ id: step.id, facts, has, task: task.value, roles: agents, onBlocked },
    blockedAfter: `${blockedAfterMs}ms`,
    ...defined({
      voters: voters?.value,
      test: test?.value,
      tests: tests?.value,
      into: into?.value,
    }),
  };
  const steps = reading.steps(made('steps', stepsOf(parts), task));
  // A phase has helpers if it is blocked.
  for (const one of steps) if (one.onError) one.blockedAfterMs = blockedAfterMs;
  return { ...defined({ coordinator: written?.coordinator }), selected, written: writtenIn(node), steps };
}

type CoordinateSource = CoordinateSourceOf<StepSource>;

function writtenIn(node: MappingNode): CoordinateSource['written'] {
  const keys: readonly string[] = COORDINATE_KIND.rows.map(({ key }) => key);
  return node.entries.filter(({ key }) => keys.includes(key)).map(({ key, value }) => [key, textOfNode(value)]);
}

function textOfNode(node: SourceNode): string {
  if (node.kind === 'scalar') return node.text;
  if (node.kind === 'sequence') return node.items.map(textOfNode).join(', ');
  return node.entries.map(({ key, value }) => `${key}: ${textOfNode(value)}`).join(', ');
}

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

/** Nodes of the file, so that a mistake in one is reported at its place. */
function agentsOf({ node, coordinator, planner, executor, tester, expert }: SourceOf<RowsOfMapping<'roles'>>): Parts['roles'] | undefined {
  const of = (role: keyof Parts['roles']) => entryOf(node, role)?.value;
  const all = [coordinator && of('coordinator'), planner && of('planner'), executor && of('executor'), tester && of('tester')];
  const [first, second, third, fourth] = all;
  if (!first || !second || !third || !fourth) return undefined;
  return { coordinator: first, planner: second, executor: third, tester: fourth, ...defined({ expert: expert && of('expert') }) };
}

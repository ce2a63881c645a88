import type { AgentDefinition } from '../../plan/plan';
import { type Located, type Report, type Spot, sourceText } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readYaml } from '../read/yaml';
import { checkKeys, requireKey } from '../shape/keys';
import { durationOf, namesOf, textOf } from '../shape/values';
import { AGENT_KEYS, AGENT_KEYS_LATER } from '../shape/vocabulary';
import { besideFile, type Sources } from '../sources';

/**
 * The agents a pipeline can name: those under `agents:`, and `agents/<id>.yaml` beside it. Files are read when first
 * named. An agent whose definition has mistakes counts as defined, so that each mistake is said once.
 */
export interface Agents {
  /** Looks the agent up; where there is none, says so at the place that names it. */
  named(id: Located<string>, code: 'agent.unknown' | 'step.unknown-agent', message: string): LoadedAgent | undefined;
  /** All of those, and everybody up their `reports_to`, by id. */
  withSuperiors(ids: Iterable<string>): Map<string, LoadedAgent>;
}

export interface LoadedAgent {
  id: string;
  /** Absent where the definition has mistakes. */
  definition?: AgentDefinition;
  reportsTo?: Located<string>;
}

const HUMAN = 'human';
const FILE_NAME = /^([A-Za-z][A-Za-z0-9_-]{0,63})\.yaml$/;

export function loadAgents(file: string, listed: ReadonlyMap<string, Entry>, sources: Sources, report: Report): Agents {
  const loaded = new Map<string, LoadedAgent | undefined>();
  const folder = besideFile(file, 'agents');
  for (const [id, entry] of listed) loaded.set(id, fromEntry(id, entry, file, sources, report));

  const find = (id: string, from?: Spot): LoadedAgent | undefined => {
    if (loaded.has(id)) return loaded.get(id);
    const name = `${id}.yaml`;
    const path = `${folder}/${name}`;
    const text = FILE_NAME.test(name) ? sources.read(path) : undefined;
    const agent = text === undefined ? undefined : fromText(id, path, text, report, from);
    loaded.set(id, agent);
    return agent;
  };
  const named: Agents['named'] = (id, code, message) => {
    const agent = find(id.value, id.at);
    if (agent) return agent;
    report(code, id.at, message, () => {
      const onDisk = sources.list(folder).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
      return didYouMean(id.value, [...listed.keys(), ...onDisk], 'agents are defined under `agents:` or in agents/*.yaml');
    });
    return undefined;
  };
  return { named, withSuperiors: (ids) => climb(ids, find, named, report) };
}

function climb(
  ids: Iterable<string>,
  find: (id: string) => LoadedAgent | undefined,
  named: Agents['named'],
  report: Report,
): Map<string, LoadedAgent> {
  const reached = new Map<string, LoadedAgent>();
  const circles = new Set<string>();
  for (const first of ids) {
    const path: string[] = [];
    let agent = find(first);
    while (agent && !reached.has(agent.id)) {
      reached.set(agent.id, agent);
      path.push(agent.id);
      const above: Located<string> | undefined = agent.reportsTo;
      if (!above || above.value === HUMAN) break;
      const circle = path.indexOf(above.value);
      if (circle >= 0 && !circles.has(above.value)) {
        const members = path.slice(circle);
        for (const member of members) circles.add(member);
        report(
          'agent.cycle',
          above.at,
          `agents report to each other: ${[...members, above.value].join(' → ')}`,
          'let one of them report to human',
        );
      }
      agent = named(above, 'agent.unknown', `agent "${agent.id}" reports to "${above.value}", which is not defined`);
    }
  }
  return reached;
}

function fromEntry(id: string, entry: Entry, file: string, sources: Sources, report: Report): LoadedAgent {
  if (entry.value.kind === 'mapping') return readAgent(id, entry.value, report, entry.keyAt);
  const path = textOf(entry, report);
  if (!path) return { id };
  const where = besideFile(file, path.value);
  const text = sources.read(where);
  if (text !== undefined) return fromText(id, where, text, report, path.at);
  report(
    'agent.missing-file',
    path.at,
    `there is no file "${path.value}" for agent "${id}"`,
    'paths count from the folder of the pipeline',
  );
  return { id };
}

function fromText(id: string, path: string, text: string, report: Report, from?: Spot): LoadedAgent {
  const root = readYaml(sourceText(path, text, from), report);
  return root ? readAgent(id, root, report) : { id };
}

function readAgent(id: string, node: MappingNode, report: Report, keyAt?: Spot): LoadedAgent {
  let clean = true;
  const noted: Report = (...mistake) => {
    clean = false;
    report(...mistake);
  };
  const get = (key: string): Entry | undefined => entryOf(node, key);
  checkKeys(node, { what: 'an agent', known: AGENT_KEYS, later: AGENT_KEYS_LATER }, noted);
  if (node.entries.length > 0 || keyAt === undefined)
    requireKey(node, 'role', `agent "${id}"`, noted, 'add `role:`, its standing instructions');
  else noted('shape.missing-key', keyAt, `agent "${id}" has no "role"`, 'add `role:`, its standing instructions');
  const text = (key: string): Located<string> | undefined => {
    const entry = get(key);
    return entry && textOf(entry, noted);
  };
  const [ownId, title, role, model, adapter, reportsTo] = ['id', 'title', 'role', 'model', 'adapter', 'reports_to'].map(text);
  if (ownId && ownId.value !== id)
    noted('agent.wrong-id', ownId.at, `this is agent "${id}", not "${ownId.value}"`, `write \`id: ${id}\`, or leave it out`);
  const definition: AgentDefinition = { id, role: role?.value ?? '' };
  if (title) definition.title = title.value;
  if (model) definition.model = model.value;
  if (adapter) definition.adapter = adapter.value;
  if (reportsTo) definition.reportsTo = reportsTo.value;
  const timeout = get('timeout');
  const timeoutMs = timeout && durationOf(timeout, noted);
  if (timeoutMs !== undefined) definition.timeoutMs = timeoutMs;
  const tools = get('tools');
  const named = tools && namesOf(tools, noted);
  if (named) definition.tools = [...new Set(named.map((tool) => tool.value))];
  const agent: LoadedAgent = clean ? { id, definition } : { id };
  if (reportsTo) agent.reportsTo = reportsTo;
  return agent;
}

import { type Located, type Report, type Spot, sourceText } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { Entry } from '../read/node';
import { readYaml } from '../read/yaml';
import { textOf } from '../shape/values';
import { besideFile, type Sources } from '../sources';
import { type LoadedAgent, readAgent } from './agent-definition';

/**
 * The agents a pipeline can name: those under `agents:`, and `agents/<id>.yaml` beside it. Files are read when first
 * named. An agent whose definition has mistakes counts as defined, so that each mistake is said once.
 */
export interface Agents {
  /** Looks the agent up; where there is none, says so at the place that names it. */
  named(id: Located<string>, code: 'agent.unknown' | 'step.unknown-agent', message: string, others?: OtherNames): LoadedAgent | undefined;
  /** Whether there is one; nothing is said where there is none. */
  has(id: string): boolean;
  /** Those under `agents:`. */
  listed: Iterable<string>;
  /** All of those, and everybody up their `reports_to`, by id. */
  withSuperiors(ids: Iterable<string>): Map<string, LoadedAgent>;
}

/** Who else could be meant where the name stands. */
type OtherNames = () => Iterable<string>;

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
  const named: Agents['named'] = (id, code, message, others) => {
    const agent = find(id.value, id.at);
    if (agent) return agent;
    report(code, id.at, message, () => {
      const onDisk = sources.list(folder).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
      return didYouMean(
        id.value,
        [...listed.keys(), ...onDisk, ...(others?.() ?? [])],
        'agents are defined under `agents:` or in agents/*.yaml',
      );
    });
    return undefined;
  };
  return { named, has: (id) => find(id) !== undefined, listed: listed.keys(), withSuperiors: (ids) => climb(ids, find, named, report) };
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

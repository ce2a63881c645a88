import type { Located, Report, SourceSpan } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { Entry } from '../read/node';
import { besideFile, SOURCE_LIMIT_BYTES, type Sources } from '../sources';
import type { AgentReading, LoadedAgent } from './agent-definition';
import { agentBeside, agentFromEntry, idOfFile } from './agent-files';

/**
 * The agents a pipeline can name: those under `agents:`, and those in a file of their own in the folder `agents/` next to it. Files are
 * read when first named. An agent whose definition has mistakes counts as defined, so that each mistake is reported once.
 */
export interface Agents {
  /** Looks the agent up; if there is none, reports it at the place that names it. */
  named(id: Located<string>, code: 'agent.unknown' | 'step.unknown-agent', message: string, others?: OtherNames): LoadedAgent | undefined;
  /** Whether there is such an agent; reports nothing. */
  has(id: string): boolean;
  /** Adds an agent that a kind of step defines. Nothing in the file can name it. */
  add(agent: LoadedAgent): void;
  isAdded(id: string): boolean;
  /** Looks the agent up and reports nothing if there is none. */
  find(id: Located<string>): LoadedAgent | undefined;
  /** The agents under `agents:`. */
  listed: readonly string[];
  /** The agents that have a file of their own in the pipeline's folder, even if nothing names them. */
  inFiles(): string[];
  /** These agents with everybody up their `reports_to`, and everybody whose advice any of them may ask for, by id. */
  withSuperiors(ids: Iterable<string>): Map<string, LoadedAgent>;
}

/** Other people that the name could mean. */
type OtherNames = () => Iterable<string>;

const HUMAN = 'human';
const READABLE = `only a plain file of at most ${SOURCE_LIMIT_BYTES / 1024 ** 2} MiB in the pipeline's folder can be read`;

export function loadAgents(file: string, listed: ReadonlyMap<string, Entry>, sources: Sources, reading: AgentReading): Agents {
  const { report } = reading;
  const loaded = new Map<string, LoadedAgent | undefined>();
  const added = new Map<string, LoadedAgent>();
  const folder = besideFile(file, 'agents');
  for (const [id, entry] of listed) loaded.set(id, agentFromEntry(id, entry, file, sources, reading));

  const find = (id: string, from?: SourceSpan): LoadedAgent | undefined => {
    if (!loaded.has(id)) loaded.set(id, agentBeside(folder, id, sources, reading, from));
    return loaded.get(id);
  };
  const inFiles = () => [...new Set(sources.list(folder).flatMap((name) => idOfFile(name) ?? []))];
  const named: Agents['named'] = (id, code, message, others) => {
    const agent = find(id.value, id.at);
    if (agent) return agent;
    report(code, id.at, message, () => {
      const unread = sources.list(folder).find((name) => idOfFile(name) === id.value);
      if (unread !== undefined) return `${folder}/${unread} exists, but cannot be read: ${READABLE}`;
      return didYouMean(
        id.value,
        [...listed.keys(), ...inFiles(), ...(others?.() ?? [])],
        'agents are defined under `agents:`, or in agents/ as ID.yaml or ID.md',
      );
    });
    return undefined;
  };
  return {
    named,
    add: (agent) => added.set(agent.id, agent),
    isAdded: (id) => added.has(id),
    has: (id) => find(id) !== undefined,
    find: (id) => find(id.value, id.at),
    listed: [...listed.keys()],
    inFiles,
    withSuperiors: (ids) => climb(ids, (id) => added.get(id) ?? find(id), named, report),
  };
}

function climb(
  ids: Iterable<string>,
  find: (id: string) => LoadedAgent | undefined,
  named: Agents['named'],
  report: Report,
): Map<string, LoadedAgent> {
  const reached = new Map<string, LoadedAgent>();
  const circles = new Set<string>();
  const waiting = [...ids];
  for (const first of waiting) {
    const path: string[] = [];
    let agent = find(first);
    while (agent && !reached.has(agent.id)) {
      reached.set(agent.id, agent);
      path.push(agent.id);
      waiting.push(...consultantsOf(agent, named));
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

function consultantsOf({ id, consultants = [] }: LoadedAgent, named: Agents['named']): string[] {
  return consultants.flatMap((one) => named(one, 'agent.unknown', `agent "${id}" consults "${one.value}", which is not defined`)?.id ?? []);
}

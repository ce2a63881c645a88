import { defined, unlessEmpty } from '../defined';
import { field, isJsonObject, type Json } from '../text/json';
import { type AgentExecution, type Execution, type ExecutionSummary, isNotable, type RootCause } from './execution';
import { MOST_TEXTS, onOneLine, type Ranked, rankTexts } from './rank-texts';

/**
 * The report of a post-mortem (docs/patterns.md, CP-10): the journal's facts, and the agents' answers, each finding once and ranked.
 *
 * Invariants: 1. the summary comes from the journal alone; 2. for an agent without an answer, the journal's findings are used; 3. `partial`
 * lists what is missing.
 */
export interface PostMortemGiven {
  team: string;
  /** ISO 8601. */
  timestamp: string;
  /** The agents in the order of the file. An agent's answer is the document of that name. */
  asked: { agent: string /** Why it gave no answer. Absent: it answered. */; missing?: string }[];
}

/** The document that `mineJournal` stored. */
export const EXECUTION_DOCUMENT = 'execution';
/** The prefix keeps an agent called `execution` apart. */
export const retrospectiveDocument = (agent: string): string => `from ${agent}`;

/** What the rule and the agents are given of the run. */
export type MinedRun = Execution & {
  end: { state: string; error?: string; failed_step?: string };
  /** Missing parts of the journal. */
  partial: string[];
  /** The team's memory, so that agents can say which entries hold. */
  memory?: { id: string; text: string }[];
};

export type RetroFinding = { went_well: string[]; difficult: string[]; suggestions: string[]; patterns: string[] };

/** An agent's answer. */
interface Retrospective extends RetroFinding {
  root_causes: RootCause[];
  /** Entries of the memory that this run has confirmed, by id. */
  confirmed: string[];
}

export type PostMortemReport = {
  team: string;
  timestamp: string;
  execution_summary: ExecutionSummary;
  what_went_well: string[];
  what_was_difficult: string[];
  improvement_actions: string[];
  reusable_patterns: string[];
  recommendations: string[];
  /** Causes that memory keeps as preventions. */
  root_causes: RootCause[];
  /** Entries of the memory that held, by id. */
  confirmed: string[];
  /** Whose views the report has, and their source. */
  sources: { agent: string; from: 'retrospective' | 'journal'; reason?: string }[];
  /** Absent: nothing is missing. */
  partial?: string[];
};

/** The values that control reads. Findings are shortened like those in the journal. */
export interface PostMortemValues {
  findings: { agent: string; from: 'retrospective' | 'journal'; finding: RetroFinding }[];
}

/** The limit of a run's root causes. */
const MOST_CAUSES = 20;
/** The limit of an answer's lists, before ranking: the schema allows no more. */
const MOST_SAID = 100;
const MEMORY_ID = /^m-[0-9a-f]{8,16}$/;

export function postMortem(
  given: PostMortemGiven,
  documents: Readonly<Record<string, Json>>,
): { result: PostMortemReport; values: PostMortemValues } {
  const mined = documents[EXECUTION_DOCUMENT] as MinedRun;
  const views = given.asked.map(({ agent, missing }) => viewOf(agent, missing, documents[retrospectiveDocument(agent)], mined));
  const said = (key: keyof RetroFinding): string[][] => views.map(({ retrospective }) => retrospective[key]);
  const suggestions = rankTexts(said('suggestions'));
  const lists = {
    what_went_well: textsOf(rankTexts(said('went_well'))),
    what_was_difficult: textsOf(rankTexts(said('difficult'))),
    improvement_actions: textsOf(suggestions),
    reusable_patterns: textsOf(rankTexts(said('patterns'))),
  };
  const missing = views.flatMap(({ agent, reason }) => (reason === undefined ? [] : [`${agent} gave no retrospective: ${reason}`]));
  const cut = Object.entries(lists).flatMap(([name, { left }]) => (left > 0 ? [`${left} more of ${name} are left out`] : []));
  const partial = [...mined.partial, ...missing, ...cut];
  const root_causes = causesOf([...mined.root_causes, ...views.flatMap(({ retrospective }) => retrospective.root_causes)]);
  const known = new Set(mined.memory?.map(({ id }) => id));
  const confirmed = [...new Set(views.flatMap(({ retrospective }) => retrospective.confirmed))].filter((id) => known.has(id));
  const result: PostMortemReport = {
    ...{ team: given.team, timestamp: given.timestamp, execution_summary: { ...mined.execution_summary } },
    what_went_well: lists.what_went_well.texts,
    what_was_difficult: lists.what_was_difficult.texts,
    improvement_actions: lists.improvement_actions.texts,
    reusable_patterns: lists.reusable_patterns.texts,
    recommendations: isNotable(mined.execution_summary, mined.end.state) || suggestions.length > 0 ? recommend(mined, suggestions) : [],
    ...{ root_causes, confirmed },
    sources: views.map(({ agent, from, reason }) => ({ agent, from, ...defined({ reason }) })),
    ...defined({ partial: unlessEmpty(partial) }),
  };
  return {
    result,
    values: {
      findings: views.map(({ agent, from, retrospective }) => ({ agent, from, finding: shortened(retrospective, views.length) })),
    },
  };
}

interface View {
  agent: string;
  from: 'retrospective' | 'journal';
  retrospective: Retrospective;
  /** Why it comes from the journal. */
  reason?: string;
}

function viewOf(agent: string, missing: string | undefined, said: Json | undefined, { agents }: MinedRun): View {
  const read = missing === undefined ? readRetrospective(said) : undefined;
  if (read) return { agent, from: 'retrospective', retrospective: read };
  const own = agents.find((one) => one.agent === agent);
  return { agent, from: 'journal', retrospective: minedFinding(own), reason: missing ?? 'its answer cannot be read' };
}

/** An agent's answer; undefined if it is no retrospective. Values that are not texts are left out. */
export function readRetrospective(value: Json | undefined): Retrospective | undefined {
  if (!isJsonObject(value)) return undefined;
  const causes = field(value, 'root_causes');
  return {
    went_well: textsIn(value, 'went_well'),
    difficult: textsIn(value, 'difficult'),
    suggestions: textsIn(value, 'suggestions'),
    patterns: textsIn(value, 'patterns'),
    root_causes: (Array.isArray(causes) ? causes : []).slice(0, MOST_SAID).flatMap((one) => {
      const [cause, prevention] = [field(one, 'cause'), field(one, 'prevention')];
      return isText(cause) && isText(prevention) ? [{ cause, prevention }] : [];
    }),
    confirmed: textsIn(value, 'confirmed').filter((id) => MEMORY_ID.test(id)),
  };
}

function minedFinding(agent: AgentExecution | undefined): Retrospective {
  const nothing = { suggestions: [], patterns: [], root_causes: [], confirmed: [] };
  if (!agent) return { ...nothing, went_well: [], difficult: [] };
  const { tasks, completed, fix_cycles, errors } = agent;
  const back = fix_cycles > 0 ? [`work of ${agent.agent} came back ${fix_cycles === 1 ? 'once' : `${fix_cycles} times`}`] : [];
  return {
    ...nothing,
    went_well: completed > 0 ? [`${agent.agent} completed ${completed} of ${tasks} ${tasks === 1 ? 'task' : 'tasks'}`] : [],
    difficult: [...errors, ...back],
  };
}

function textsIn(value: Json, key: string): string[] {
  const texts = field(value, key);
  return Array.isArray(texts) ? texts.filter(isText).slice(0, MOST_SAID) : [];
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function textsOf(ranked: ReturnType<typeof rankTexts>): { texts: string[]; left: number } {
  const texts = ranked.slice(0, MOST_TEXTS).map(({ text }) => text);
  return { texts, left: ranked.length - texts.length };
}

function causesOf(all: readonly RootCause[]): PostMortemReport['root_causes'] {
  const ranked = rankTexts(all.map(({ cause }) => [cause]));
  return ranked.slice(0, MOST_CAUSES).flatMap(({ text }) => {
    const found = all.find(({ cause }) => onOneLine(cause) === text);
    return found ? [{ cause: text, prevention: onOneLine(found.prevention) }] : [];
  });
}

/** The limit of all findings together, as JSON: they are control values. */
const FINDINGS_BYTES = 48 * 1024;

function shortened({ went_well, difficult, suggestions, patterns }: RetroFinding, agents: number): RetroFinding {
  const room = Math.floor(FINDINGS_BYTES / (4 * agents));
  const [well, hard, wished, found] = [went_well, difficult, suggestions, patterns].map((texts) => within(texts, room));
  return { went_well: well ?? [], difficult: hard ?? [], suggestions: wished ?? [], patterns: found ?? [] };
}

function within(texts: readonly string[], roomBytes: number): string[] {
  let left = roomBytes;
  return texts.flatMap((text) => {
    const line = onOneLine(text);
    left -= new TextEncoder().encode(JSON.stringify(line)).length + 1;
    return left < 0 ? [] : [line];
  });
}

/** Kinds of trouble, and suggestions, that are recommended at most. */
const MOST = 3;

/** What follows from a run's execution and from what several of its agents suggest. Pure: no agent is asked for it. */
function recommend({ execution_summary, troubles, root_causes }: Execution, suggestions: readonly Ranked[]): string[] {
  const { total_tasks, fix_cycles, escalations } = execution_summary;
  const shared = suggestions.filter(({ times }) => times > 1).slice(0, MOST);
  return [
    ...shared.map(({ text, times }) => `${times} agents suggest: ${text}`),
    ...troubles
      .slice(0, MOST)
      .map(({ step, code, message, times }) => `Prevent ${code} in ${step} (${timesOf(times)}): ${onOneLine(message, 300)}`),
    ...root_causes.slice(0, MOST).map(({ prevention }) => onOneLine(prevention)),
    ...(fix_cycles >= 2 && 2 * fix_cycles >= total_tasks
      ? [`Say before the work what it is judged by: ${fix_cycles} of its results came back, in ${total_tasks} tasks.`]
      : []),
    ...(escalations > 0 ? [`Decide earlier what was escalated ${timesOf(escalations)}.`] : []),
  ];
}

function timesOf(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';
import { CAID_PARTS } from '../../kinds/caid/model';
import type { Json } from '../../plan/text/json';

/** The programs of `pipelines/`, read from their files without the compiler, so that these tests judge the files alone. */
export const PIPELINES = join(__dirname, '..', '..', 'pipelines');

export interface ProgramStep {
  id: string;
  agent?: string;
  type?: string;
  output?: string;
  branches?: ProgramStep[];
  parallel?: ProgramStep[];
  steps?: ProgramStep[];
  repeat?: { steps: ProgramStep[] };
  /** The members of a board, each of which works in the part of its agent. */
  members?: { agent: string }[];
}

/** The parts `<id>_<part>` for which a script answers, by type of step. The step of a pattern names its parts itself. */
const PARTS: Record<string, readonly string[]> = { caid: CAID_PARTS };
const PATTERNS: readonly string[] = ['consensus', 'consult', 'escalate', 'increments', 'post_mortem', 'swarm', 'tracks'];
export interface Program {
  name: string;
  owner?: string;
  /** The agents that are defined in the pipeline itself. */
  agents?: Record<string, unknown>;
  post_mortem?: unknown;
  steps: ProgramStep[];
}
export interface ScriptEntry {
  round?: number;
  try?: number;
  ask?: number;
  after?: string;
  json?: Json;
  text?: string;
  fail?: { code: string; message: string; retry_after?: string };
  hang?: true;
  usage?: Record<string, number>;
}
export interface ScriptFile {
  extends?: string;
  description: string;
  replies?: Record<string, ScriptEntry[]>;
  people?: Record<string, Json>[];
}
export interface MergedScript {
  name: string;
  replies: Record<string, ScriptEntry[]>;
  people: Record<string, Json>[];
}

function names(folder: string, suffix: string): string[] {
  return readdirSync(join(PIPELINES, folder))
    .filter((file) => file.endsWith(suffix))
    .map((file) => basename(file, suffix))
    .sort();
}

export const pipelineNames = names('.', '.yaml').filter((name) => !name.endsWith('.test'));
export const agentNames = names('agents', '.yaml');
export const scriptNames = names('scripts', '.yaml');
export const schemaNames = names('schemas', '.schema.json');

/** All files of the pipelines, by path from their folder. */
export function shippedFiles(): Record<string, string> {
  const paths = ['.', 'agents', 'schemas'].flatMap((folder) => readdirSync(join(PIPELINES, folder)).map((file) => join(folder, file)));
  return Object.fromEntries(
    paths.filter((path) => /\.(yaml|json)$/.test(path)).map((path) => [path, readFileSync(join(PIPELINES, path), 'utf8')]),
  );
}

const readYaml = (...path: string[]) => load(readFileSync(join(PIPELINES, ...path), 'utf8'));

/** A pipeline with all its steps. Steps of branches and loops come after the step that contains them. */
export function readPipeline(name: string): Program {
  const program = readYaml(`${name}.yaml`) as Program;
  const within = (step: ProgramStep): ProgramStep[] => [step, ...(blockOf(step) ?? []).flatMap(within)];
  const last = program.post_mortem === undefined ? [] : [{ id: 'post_mortem', type: 'post_mortem' }];
  return { ...program, steps: [...program.steps.flatMap(within), ...last] };
}
const blockOf = ({ branches, parallel, steps, repeat }: ProgramStep) => branches ?? parallel ?? steps ?? repeat?.steps;
export const readAgent = (id: string) => readYaml('agents', `${id}.yaml`) as Record<string, string>;
export const readScriptFile = (name: string) => readYaml('scripts', `${name}.yaml`) as ScriptFile;
export const readSchema = (name: string) => JSON.parse(readFileSync(join(PIPELINES, 'schemas', `${name}.schema.json`), 'utf8')) as object;

/** A script merged with the one that it extends: replies are replaced step by step, people as a whole. */
export function readMerged(name: string): MergedScript {
  const file = readScriptFile(name);
  const base = file.extends === undefined ? undefined : readMerged(file.extends);
  return { name, replies: { ...base?.replies, ...file.replies }, people: file.people ?? base?.people ?? [] };
}

/** The script's reply: the first entry that fits. */
export function replyOf(script: MergedScript, step: string, round = 1, again = 1, ask = 1): ScriptEntry | undefined {
  const fits = (wanted: number | undefined, is: number) => wanted === undefined || wanted === is;
  return script.replies[step]?.find((entry) => fits(entry.round, round) && fits(entry.try, again) && fits(entry.ask, ask));
}

/** The pipelines that a script can play: they have every step for which it answers. */
export function playedBy(script: MergedScript): Program[] {
  const steps = Object.keys(script.replies).flatMap((key) => key.split('@')[0] ?? []);
  const answers = ({ id, type = '', members = [] }: ProgramStep, key: string) =>
    key === id ||
    (type === 'board' && members.some(({ agent }) => key === `${id}_${agent}`)) ||
    (PATTERNS.includes(type) && key.startsWith(`${id}_`)) ||
    (PARTS[type] ?? []).some((part) => key === `${id}_${part}`);
  return pipelineNames.map(readPipeline).filter((program) => steps.every((key) => program.steps.some((step) => answers(step, key))));
}

/** Name of the schema a step's output must satisfy, for steps that have one. */
export function schemaOf(program: Program, step: string): string | undefined {
  return program.steps.find((s) => s.id === step)?.output?.replace(/\.json$/, '');
}

import { isJsonObject } from '../../plan/text/json';
import { isPipelineName, type PipelineName } from './pipelines';

/** The order to a process that compiles: each size in turn. */
export interface CompileTask {
  pipeline: PipelineName;
  sizes: readonly CompileSize[];
}

export interface CompileSize {
  steps: number;
  /** Compiled so often before it is measured. */
  warmUps: number;
  samples: number;
  /** Compilations in one sample. */
  times: number;
}

/** Answered on standard output, as JSON. */
export interface CompileAnswer {
  sizes: SizeAnswer[];
  /** The most memory that the process ever had, code and runtime included. */
  peakBytes: number;
}

export interface SizeAnswer {
  steps: number;
  /** The time of the very first compilation of this size. */
  firstMs: number;
  /** The time of one compilation, in the fastest of the samples: other load on the machine only ever adds. */
  warmMs: number;
  /** The plan's size; absent if compilation was refused. */
  planBytes?: number;
  refused?: string;
}

export function readTask(text: string): CompileTask {
  const task: unknown = JSON.parse(text);
  if (!isCompileTask(task)) throw new TypeError(`there is no such task: ${text}`);
  return task;
}

function isCompileTask(value: unknown): value is CompileTask {
  if (!isJsonObject(value) || typeof value['pipeline'] !== 'string' || !isPipelineName(value['pipeline'])) return false;
  return Array.isArray(value['sizes']) && value['sizes'].every(isCompileSize);
}

function isCompileSize(value: unknown): value is CompileSize {
  return isJsonObject(value) && ['steps', 'warmUps', 'samples', 'times'].every((key) => typeof value[key] === 'number');
}

export function readAnswer(text: string): CompileAnswer {
  const answer: unknown = JSON.parse(text);
  if (!isCompileAnswer(answer)) throw new TypeError(`the process that compiles answered ${text}`);
  return answer;
}

function isCompileAnswer(value: unknown): value is CompileAnswer {
  if (!isJsonObject(value) || typeof value['peakBytes'] !== 'number' || !Array.isArray(value['sizes'])) return false;
  return value['sizes'].every((size) => isJsonObject(size) && ['steps', 'firstMs', 'warmMs'].every((key) => typeof size[key] === 'number'));
}

import { pipeWords } from '../../compiler/lobster/pipe/words';
import { stageNamed } from '../../plan/stages/stage-rules';
import { field, isJsonObject, type Json, type JsonObject } from '../../plan/text/json';

/**
 * The first pipe of a file that Lobster's dry run refuses, in its words: one that does not parse, or has an unknown command. A name that
 * depends on the output of a step is not checked before the run. Pure.
 *
 * @param written a text of the file with args put in
 */
export function dryRunRefusal(document: Json, written: (text: string) => string): string | undefined {
  for (const { pipe, unknown } of pipesOf(document)) {
    const read = pipeWords(written(pipe));
    if (read.fault) return read.fault.message;
    const name = read.stages.map(([word]) => word?.text ?? '').find((text) => !DEFERRED.test(text) && !stageNamed(text));
    if (name !== undefined) return `${unknown}: ${name}`;
  }
  return undefined;
}

/** Matches a name that only a run knows. */
const DEFERRED = /\$[A-Za-z0-9_-]+\.(?:stdout|json)/;

/** Whether a stage of the pipe is named by the output of a step. */
export function namesLater(pipe: string): boolean {
  const read = pipeWords(pipe);
  return !read.fault && read.stages.some(([word]) => word !== undefined && DEFERRED.test(word.text));
}

interface Pipe {
  pipe: string;
  /** How Lobster begins to say that a command in it is unknown. */
  unknown: string;
}

function* pipesOf(document: Json): Generator<Pipe> {
  for (const step of objects(field(document, 'steps'))) {
    const who = `Workflow step ${String(step['id'])}`;
    yield* pipeIn(step, `${who} pipeline references unknown command`);
    for (const branch of objects(field(step['parallel'], 'branches')))
      yield* pipeIn(branch, `Parallel branch ${String(branch['id'])} pipeline references unknown command`);
    for (const sub of objects(step['steps'])) yield* pipeIn(sub, `${who} for_each sub-step ${String(sub['id'])} pipeline: unknown command`);
  }
}

function* pipeIn(step: JsonObject, unknown: string): Generator<Pipe> {
  const pipe = step['pipeline'];
  if (typeof pipe === 'string' && pipe.trim() !== '') yield { pipe, unknown };
}

export function objects(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

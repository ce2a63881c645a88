import { dirname } from 'node:path';
import { type Compiled, compilePipeline, type Installation, type RefusedPipeline } from '../compiler/index';
import type { Sources } from '../compiler/sources';
import { FolderSources } from './folder-sources';
import { readSourceFile } from './source-file';

type Answer = string | boolean | undefined;

/** What the compiler has asked of a pipeline's folder, and the answer. */
interface Asked {
  ask: (sources: FolderSources) => Answer;
  answer: Answer;
}

interface Kept {
  text: string;
  asked: readonly Asked[];
  compiled: Compiled;
}

const FILES_KEPT = 16;
/** A plan that is larger, with the files it names, takes more memory than a start gains by it. */
const MOST_CHARACTERS = 1024 * 1024;

/**
 * Compiles pipelines of a worker, which starts the same ones again and again. What a file was compiled to is kept, and holds as long as the
 * file and all that the compiler has asked of its folder are the same: the compiler knows nothing else.
 */
export class CompiledFiles {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly installation: Installation) {}

  compile(file: string): Compiled | RefusedPipeline {
    const text = readSourceFile(file);
    const sources = new FolderSources(dirname(file));
    const before = this.kept.get(file);
    if (before?.text === text && before.asked.every((one) => holds(one, sources))) return before.compiled;
    const noting = notingSources(sources);
    const compiled = compilePipeline(file, text, noting.sources, { installation: this.installation });
    this.kept.delete(file);
    if (compiled.plan && !noting.failed() && charactersOf({ text, asked: noting.asked, compiled }) <= MOST_CHARACTERS) {
      this.kept.set(file, { text, asked: noting.asked, compiled });
      // A Map remembers insertion order, so the first file is the one that was compiled the longest ago.
      for (const oldest of this.kept.keys()) if (this.kept.size > FILES_KEPT) this.kept.delete(oldest);
    }
    return compiled;
  }
}

/** The texts that are kept: blobs are made of those that the compiler has asked for. */
function charactersOf({ text, asked, compiled: { planText } }: Kept): number {
  return asked.reduce((sum, { answer }) => sum + (typeof answer === 'string' ? answer.length : 0), text.length + planText.length);
}

/** A file that cannot be read any more has changed. */
function holds({ ask, answer }: Asked, sources: FolderSources): boolean {
  try {
    return ask(sources) === answer;
  } catch {
    return false;
  }
}

/** Answers as `of` does, and notes it. What could not be read may be readable next time: then nothing is to be kept. */
function notingSources(of: FolderSources): { sources: Sources; asked: Asked[]; failed(): boolean } {
  const asked: Asked[] = [];
  let failures = 0;
  function noted<T>(look: (from: FolderSources) => T, answerOf: (found: T) => Answer): T {
    failures += 1;
    const found = look(of);
    failures -= 1;
    asked.push({ ask: (from) => answerOf(look(from)), answer: answerOf(found) });
    return found;
  }
  const sources: Sources = {
    read: (path, limitBytes) =>
      noted(
        (from) => from.read(path, limitBytes),
        (text) => text,
      ),
    list: (folder) => noted((from) => from.list(folder), String),
    isFolder: (path) => noted((from) => from.isFolder(path), Boolean),
  };
  return { sources, asked, failed: () => failures > 0 };
}

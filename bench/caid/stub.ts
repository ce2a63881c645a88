import { parseSource, type SourceFunction } from './parse-source';

/** A function that was taken out of a file. Each text is found once in the file that has it. */
export interface Stub {
  name: string;
  /** The text in its place. */
  stub: string;
  /** The original body. */
  body: string;
}

export interface StubbedFile {
  text: string;
  stubs: Stub[];
}

/** A text that occurs only in stubs. */
export const STUB_MARK = 'not implemented: ';

/**
 * Replaces the bodies of all functions in a file, except those that run while the library loads: of these, only the inner functions that do
 * not run then. So every import works, and every call fails. `path` is part of the failure.
 */
export function stubFile(path: string, text: string, runsAtLoad: (name: string) => boolean): StubbedFile {
  const stubs: Stub[] = [];
  let stubbed = '';
  let done = 0;
  for (const { name, from, to } of outermost(parseSource(text).functions, runsAtLoad)) {
    const stub = `{ throw new Error('${STUB_MARK}${path}#${name}') }`;
    stubs.push({ name, stub, body: text.slice(from, to) });
    stubbed += text.slice(done, from) + stub;
    done = to;
  }
  return { text: stubbed + text.slice(done), stubs };
}

function outermost(functions: readonly SourceFunction[], runsAtLoad: (name: string) => boolean): SourceFunction[] {
  return functions.flatMap((one) => (runsAtLoad(one.name) ? outermost(one.inner, runsAtLoad) : [one])).sort((a, b) => a.from - b.from);
}

/** The same file with the bodies of some functions back in their places. */
export function restore(text: string, stubs: readonly Stub[]): string {
  return stubs.reduce((restored, { stub, body }) => restored.replace(stub, () => body), text);
}

/** The file with a call of `globalThis[probe]` at the start of each function, which is given the function's name. */
export function probed(path: string, text: string, probe: string): string {
  const edits = everyFunction(parseSource(text).functions).flatMap(({ name, from, to, isExpression }) => {
    const call = `globalThis.${probe}(${JSON.stringify(`${path}#${name}`)})`;
    return isExpression
      ? [
          { at: from, text: `(${call}, ` },
          { at: to, text: ')' },
        ]
      : [{ at: from + 1, text: `${call};` }];
  });
  return edits.sort((a, b) => b.at - a.at).reduce((edited, { at, text: added }) => edited.slice(0, at) + added + edited.slice(at), text);
}

function everyFunction(functions: readonly SourceFunction[]): SourceFunction[] {
  return functions.flatMap((one) => [one, ...everyFunction(one.inner)]);
}

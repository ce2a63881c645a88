import type { TaskGraph } from '../../kinds/caid/rules/task-graph';
import { fileGraph, reached } from './file-graph';
import { isCode, type Library, readLabFile, readLibrary, type Tree } from './library';
import { functionsAtLoad } from './load-time';
import { STUB_MARK, type Stub, type StubbedFile, stubFile } from './stub';
import { type TestNeeds, unitGraph } from './unit-graph';

/** A library to restore: what engineers begin with, what they should end with, and how the work divides. Always the same. */
export interface Laboratory {
  reference: Tree;
  stubbed: Tree;
  graph: TaskGraph;
  /** By file: the bodies that an engineer who knows the reference restores. */
  stubs: Readonly<Record<string, readonly Stub[]>>;
}

const RUNNER = 'ready-tests.mjs';

/** `isStubbed`: which files, of the library's code that is no entry. */
export function laboratory(library: Library, isStubbed: (path: string) => boolean = () => true): Laboratory {
  const tree = readLibrary(library);
  const atLoad = functionsAtLoad(tree);
  const stubbed = new Map<string, StubbedFile>();
  for (const [path, text] of tree) {
    if (!isCode(path) || library.isEntry(path) || !isStubbed(path)) continue;
    const file = stubFile(path, text, (name) => atLoad.has(`${path}#${name}`));
    if (file.stubs.length > 0) stubbed.set(path, file);
  }
  const files = fileGraph(tree);
  const tests: TestNeeds = Object.fromEntries(
    [...tree.keys()].filter(library.isTest).map((path) => [path, [...reached(files, path)].filter((needed) => stubbed.has(needed)).sort()]),
  );
  const lab = { tests, files: [...tree.keys()].filter(isCode), mark: STUB_MARK };
  const reference = new Map([
    ...tree,
    [`lab/${RUNNER}`, readLabFile(RUNNER)],
    ['lab/tests.json', `${JSON.stringify(lab, undefined, 2)}\n`],
  ]);
  return {
    reference,
    stubbed: new Map([...reference].map(([path, text]) => [path, stubbed.get(path)?.text ?? text])),
    graph: unitGraph(files, stubbed, tests),
    stubs: Object.fromEntries([...stubbed].map(([path, { stubs }]) => [path, stubs])),
  };
}

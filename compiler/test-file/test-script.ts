import type { Script } from '../../plan/agents/script';
import { type Diagnostic, type Located, type Report, sourceText } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { mergeScripts } from '../script/merge-scripts';
import { readScript, type ScriptPlaces } from '../script/read-script';
import { besideFile, type Sources } from '../sources';
import type { TestOptions } from './read-test-file';

const EXTENSIONS = ['.yaml', '.yml', '.json'];
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$/;

/** What reading the scripts of one test file shares. */
export interface ScriptReading {
  /** The pipeline's file: scripts are in `scripts/` next to it. */
  pipelineFile: string;
  sources: Sources;
  report: Report;
  diagnostics: Diagnostic[];
  /** The places of every file that was read. */
  places: ScriptPlaces[];
  read: Map<string, Script | undefined>;
}

/** The script of a test: the one it names, overridden by the replies of its file and then by its own. */
export function scriptOfTest(layers: readonly Pick<TestOptions, 'script' | 'replies'>[], reading: ScriptReading): Script {
  const named = layers.findLast((layer) => layer.script)?.script;
  let script = (named && readMerged(named, reading, [])) ?? { name: 'test', replies: {}, people: [] };
  for (const { replies } of layers) {
    if (Object.keys(replies).length > 0)
      script = mergeScripts(script, { script: { name: script.name, replies, people: [] }, hasPeople: false });
  }
  return script;
}

/** A script with what it extends; undefined if it cannot be read, which has been reported. */
function readMerged(name: Located<string>, reading: ScriptReading, way: readonly string[]): Script | undefined {
  if (way.includes(name.value)) {
    const circle = [...way, name.value].join(' → ');
    reading.report('test.no-script', name.at, `script "${way[0]}" extends itself: ${circle}`, 'remove one `extends:`');
    return undefined;
  }
  if (!reading.read.has(name.value)) reading.read.set(name.value, readOne(name, reading, way));
  return reading.read.get(name.value);
}

function readOne(name: Located<string>, reading: ScriptReading, way: readonly string[]): Script | undefined {
  const found = findScript(name.value, reading);
  if (!found) {
    const known = scriptNames(reading);
    const hint = didYouMean(name.value, known, `known: ${known.join(', ') || 'none'}`);
    reading.report('test.no-script', name.at, `there is no script "${name.value}" next to ${reading.pipelineFile}`, hint);
    return undefined;
  }
  const read = readScript(found.file, found.text);
  reading.diagnostics.push(...read.diagnostics);
  if (!read.script) return undefined;
  reading.places.push(read.places);
  if (read.extends === undefined) return read.script;
  const base = readMerged({ value: read.extends, at: placeOf(found, read.extends) }, reading, [...way, name.value]);
  return base && mergeScripts(base, read);
}

/** The place where a script names the one that it extends. */
function placeOf({ file, text }: { file: string; text: string }, name: string): Located<string>['at'] {
  const source = sourceText(file, text);
  const line = /^["']?extends["']?\s*:/m.exec(text);
  const start = line ? text.indexOf(name, line.index + line[0].length) : (source.lineStarts[0] ?? 0);
  return { source, start, end: start + (line ? name.length : 0) };
}

function findScript(name: string, { pipelineFile, sources }: ScriptReading): { file: string; text: string } | undefined {
  for (const extension of NAME.test(name) ? EXTENSIONS : []) {
    const file = besideFile(pipelineFile, `scripts/${name}${extension}`);
    const text = sources.read(file);
    if (text !== undefined) return { file, text };
  }
  return undefined;
}

function scriptNames({ pipelineFile, sources }: ScriptReading): string[] {
  return sources.list(besideFile(pipelineFile, 'scripts')).flatMap((entry) => {
    const extension = EXTENSIONS.find((end) => entry.endsWith(end));
    return extension === undefined ? [] : [entry.slice(0, -extension.length)];
  });
}

import { type SourceSpan, type SourceText, sourceText, topOf } from '../diagnostics/diagnostic';
import { missingFileHint } from '../missing-file';
import { readMarkdown } from '../read/markdown';
import type { Entry } from '../read/node';
import { readYaml } from '../read/yaml';
import { textOf } from '../shape/values';
import { besideFile, type Sources } from '../sources';
import { type AgentReading, type LoadedAgent, readAgentDefinition } from './agent-definition';

/** Extensions of agent files: YAML, or Markdown with keys at its head. */

const EXTENSIONS = ['.yaml', '.yml', '.md'] as const;
const FILE_NAME = /^([A-Za-z][A-Za-z0-9_-]{0,63})\.(?:yaml|yml|md)$/;

/** The id of the agent that a file in the folder `agents/` defines. */
export function idOfFile(name: string): string | undefined {
  return FILE_NAME.exec(name)?.[1];
}

/** The agent's file in the pipeline's folder. Only one file may define an agent: with two, nobody could say which counts. */
export function agentBeside(
  folder: string,
  id: string,
  sources: Sources,
  reading: AgentReading,
  from?: SourceSpan,
): LoadedAgent | undefined {
  if (idOfFile(`${id}.md`) !== id) return undefined;
  const found = EXTENSIONS.flatMap((extension) => {
    const path = `${folder}/${id}${extension}`;
    const text = sources.read(path);
    return text === undefined ? [] : [sourceText(path, text, from)];
  });
  const [first, second] = found;
  if (!first) return undefined;
  if (!second) return fromFile(id, first, reading);
  const files = found.map(({ file }) => file).join(' and ');
  reading.report('agent.several-files', topOf(second), `agent "${id}" is defined in ${files}`, 'keep one of them');
  return { id, at: topOf(first) };
}

/** Reads an entry of `agents:`: a definition, or the path of one. */
export function agentFromEntry(id: string, entry: Entry, file: string, sources: Sources, reading: AgentReading): LoadedAgent {
  const { report } = reading;
  if (entry.value.kind === 'mapping') return readAgentDefinition({ id, node: entry.value, at: entry.keyAt }, reading);
  const path = textOf(entry, report);
  if (!path) return { id, at: entry.keyAt };
  const where = besideFile(file, path.value);
  const text = sources.read(where);
  if (text !== undefined) return fromFile(id, sourceText(where, text, path.at), reading);
  const message = `there is no file "${path.value}" for agent "${id}"`;
  report('agent.missing-file', path.at, message, missingFileHint(path, file, sources, 'paths are relative to the folder of the pipeline'));
  return { id, at: path.at };
}

function fromFile(id: string, source: SourceText, reading: AgentReading): LoadedAgent {
  const at = topOf(source);
  if (source.file.endsWith('.md')) {
    const read = readMarkdown(source, reading.report);
    return read ? readAgentDefinition({ id, at, node: read.head, body: read.body }, reading) : { id, at };
  }
  const root = readYaml(source, reading.report, { begin: 'role: You check figures.' });
  return root ? readAgentDefinition({ id, at, node: root }, reading) : { id, at };
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { ThreadLineSearch } from '../../activities/adapters/threads/line-search';
import { DirectPages } from '../../activities/adapters/web-pages/direct-pages';
import { DiskWorkFolders } from '../../activities/adapters/work-folder/work-folders';
import type { LoadedRun } from '../../activities/run/loaded-run';
import type { ToolPorts } from '../../activities/tool-ports';
import type { Toolbox } from '../../activities/toolbox';
import type { Tool, ToolAnswer, ToolUse } from '../../activities/tools/tool';
import { TOOLS } from '../../activities/tools/tool-table';
import type { JsonObject } from '../../plan/text/json';
import { KEY, scratchFolder, workshop } from '../activities/workshop';

/** A step's folder next to a foreign one, and an agent that calls tools there. */
export interface ToolBench {
  folder: string;
  outside: string;
  toolbox: Toolbox;
  use: ToolUse;
  call(tool: string, args: JsonObject, more?: Partial<ToolUse>): Promise<ToolAnswer>;
}

export interface BenchOptions extends Partial<ToolPorts> {
  toolbox?: Partial<Toolbox>;
}

export function toolBench({ toolbox: more = {}, ...ports }: BenchOptions = {}): ToolBench {
  const root = scratchFolder();
  const [folder, outside] = [join(root, 'step'), join(root, 'outside')];
  for (const made of [folder, outside]) mkdirSync(made);
  const toolPorts: ToolPorts = {
    ...{ files: new DiskWorkFolders(), lines: new ThreadLineSearch(), web: new DirectPages(), variables: () => ({}) },
    ...ports,
  };
  const { toolbox } = workshop({ processes: new GroupProcessRunner(), toolPorts, ...more }, root);
  const use: ToolUse = {
    caller: { agent: 'lead', maxDepth: 0, agents: [], spawns: [], sendsTo: [], channels: [] },
    idempotencyKey: 'demo/first/lead#1~1/1/call-1',
    signal: new AbortController().signal,
    runRequests: { ask: () => ({ text: 'asked' }), start: () => ({ text: 'started' }) },
    sessions: { spawn: never, send: never, consult: never, list: async () => [], childrenLeft: () => 0, history: never },
    toolbox,
    run: { key: KEY } as LoadedRun,
    input: { run: KEY.run },
    agent: { id: 'lead', role: 'You lead.' },
    mask: (text) => text,
    requireOwn: async () => undefined,
    cwd: folder,
  };
  const call = (tool: string, args: JsonObject, useMore: Partial<ToolUse> = {}) => toolNamed(tool).call(args, { ...use, ...useMore });
  return { folder, outside, toolbox, use, call };
}

export function toolNamed(name: string): Tool {
  const tool = new Map<string, Tool>(Object.entries(TOOLS)).get(name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
}

const never = () => Promise.reject(new Error('nobody is asked here'));
